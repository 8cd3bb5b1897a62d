#!/bin/sh
# runstat import: figures out of mails, logs and tables. The mails are typed
# anew: the figures are those that were reported, the words are ours.
. "${0%/*}/tap.sh"

REPORTED=$TOP/results/reported
TAB=$(printf '\t')

# column NAME...: these columns of out, blanks between them, without the header
columns() {
	awk -F '\t' -v names="$*" '
	NR == 1 {
		for (i = 1; i <= NF; i++) at[$i] = i
		n = split(names, name, " ")
		next
	}
	{
		line = ""
		for (i = 1; i <= n; i++)
			line = line (i > 1 ? " " : "") $at[name[i]]
		print line
	}' "${FILE:-out}"
}

# reported FILE ID NAME...: these columns of a table of reported figures
reported() {
	file=$1 id=$2
	shift 2
	awk -F '\t' -v id="$id" 'NR == 1 || $1 == id { sub(/^#/, ""); print }' \
	    "$REPORTED/$file" >part
	FILE=part columns "$@"
}

# same WHAT A B: two lists of figures are equal, 15.0 being 15
same() {
	for file in "$2" "$3"; do
		awk '{ for (i = 1; i <= NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]*$/) $i += 0; print }' "$file" >"$file.plain"
	done
	ok "$1" cmp -s "$2.plain" "$3.plain"
	ok "$1: and there are some" [ -s "$2.plain" ]
}

# --- the qsbench mail of 2001-10-31

cat >qsbench.mail <<EOF
From: somebody
Subject: three kernels and a sort
Content-Type: text/plain

I sorted on the 256 MB machine again, three times each.

\$ time ./qsbench -n 90000000 -p 1 -s 140175100

Linux-2.4.13-ac4:
70.800u 3.470s 3:04.15 40.3%${TAB}0+0k 0+0io 13916pf+0w
71.530u 3.930s 3:13.90 38.9%${TAB}0+0k 0+0io 14101pf+0w
71.260u 3.640s 3:03.54 40.8%${TAB}0+0k 0+0io 13047pf+0w
0:08 kswapd

Linux-2.4.13:
71.260u 2.150s 2:20.68 52.1%${TAB}0+0k 0+0io 20173pf+0w
71.020u 2.050s 2:18.78 52.6%${TAB}0+0k 0+0io 20353pf+0w
70.810u 2.080s 2:19.50 52.2%${TAB}0+0k 0+0io 20413pf+0w
0:03 kswapd

Linux-2.4.14-pre3:
N/A: the load ends in a livelock here.

Linux-2.4.14-pre4:
Not tested.

Linux-2.4.14-pre6:
Out of Memory: Killed process 224 (qsbench).
69.890u 3.430s 2:12.48 55.3%${TAB}0+0k 0+0io 16374pf+0w
Out of Memory: Killed process 226 (qsbench).
69.550u 2.990s 2:11.31 55.2%${TAB}0+0k 0+0io 15374pf+0w
Out of Memory: Killed process 228 (qsbench).
69.480u 3.100s 2:13.33 54.4%${TAB}0+0k 0+0io 15950pf+0w
EOF
run runstat import qsbench.mail
is 'a mail is read' "$status" 0
is 'nothing of it is left unread' "$(cat err)" ''
cp out mail.tsv
columns label outcome user_s sys_s elapsed_s cpu_pct majflt nswap |
    grep -v -e ' - - - - - -' -e kswapd >got
reported qsbench.tsv allegrucci-20011031-vm-qsbench kernel outcome user_s \
    sys_s elapsed_s cpu_pct majflt nswap |
    grep -E '^2\.4\.(13-ac4|13|14-pre6) ' >want
same 'the rows are those of the reported figures' got want
is 'the command line gives the job and its options' \
    "$(columns job command | sort -u | grep -v kswapd)" \
    'qsbench ./qsbench -n 90000000 -p 1 -s 140175100'
is 'runs are numbered under each kernel' \
    "$(columns label run | grep -c ' 3$')" 3
is 'kswapd has a row of its own' \
    "$(columns label job kswapd_s elapsed_s | grep kswapd | head -1)" \
    '2.4.13-ac4 kswapd 8 -'
run runstat summary -e job=qsbench mail.tsv
like 'mean, median and deviation follow' out \
    '^2.4.13-ac4 +3 of 3 +184.150 +187.197 +5.813'
like 'the killed runs are 0 of 3' out '^2.4.14-pre6 +0 of 3 +- +-'
like 'the livelock is told' out '^2.4.14-pre3 +n/a \(livelock\)'
like 'and what was not tested' out '^2.4.14-pre4 +not tested'

# What mail does to it: quoting, CRLF, wrapping, quoted-printable.
sed -e 's/^/> > /' -e "s/$TAB/ /" qsbench.mail | awk '{ printf "%s\r\n", $0 }' \
    >quoted.mail
run runstat import quoted.mail
columns label outcome user_s elapsed_s majflt kswapd_s >got
FILE=mail.tsv columns label outcome user_s elapsed_s majflt kswapd_s >want
same 'quoting marks and CRLF change nothing' got want
sed "s/%$TAB/%\\
/" qsbench.mail >wrapped.mail
run runstat import wrapped.mail
columns label outcome user_s elapsed_s majflt kswapd_s >got
same 'wrapped lines are joined' got want
sed 's/0+0io /0+0io\
> /; s/^/> /' qsbench.mail >wrapped.mail
run runstat import wrapped.mail
columns label outcome user_s elapsed_s majflt kswapd_s >got
same 'wherever the break came' got want
{
	printf 'Content-Transfer-Encoding: quoted-printable\n\n'
	sed -e 's/=/=3D/g' -e 's/ 3:/ =\
3:/' -e "s/$TAB/=09/" qsbench.mail
} >printable.mail
run runstat import printable.mail
columns label outcome user_s elapsed_s majflt kswapd_s >got
same 'quoted-printable is decoded' got want
sed 's/qsbench)/sshd)/' qsbench.mail >victim.mail
run runstat import victim.mail
is 'another victim of the OOM killer is not the job' \
    "$(columns outcome | grep -c oom)" 0

# All qsbench rows with tcsh figures, back and forth.
awk -F '\t' 'NR > 1 && $16 == "tcsh" && $13 != "-" && $15 == "ok" &&
    $7 ~ /^-n/ {
	if ($3 $7 != last) printf "\nqsbench %s\nLinux-%s:\n", $7, $3
	last = $3 $7
	m = int($11 / 60)
	printf "%su %ss %d:%05.2f %s%%\t0+0k 0+0io %dpf+%dw\n", $9, $10, m,
	    $11 - 60 * m, $12, $13, $14
    }' "$REPORTED/qsbench.tsv" >all.mail
run runstat import all.mail
columns user_s sys_s elapsed_s cpu_pct majflt nswap >got
awk -F '\t' 'NR > 1 && $16 == "tcsh" && $13 != "-" && $15 == "ok" &&
    $7 ~ /^-n/ { print $9, $10, $11, $12, $13, $14 }' \
    "$REPORTED/qsbench.tsv" >want
same 'every reported tcsh row survives' got want

# --- contest tables

cat >contest.mail <<'EOF'
-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA1

Two machines, the same disk.

UP results:

noload:
Kernel [runs]   Time    CPU%    Loads   LCPU%   Ratio
2.4.19 [5]      67.2    97      0       0       1.01
2.4.20 [5]      67.3    97      0       0       1.01
2.5.49 [5]      70.0    96      0       0       1.05
2.5.50 [5]      69.9    96      0       0       1.05

process_load:
Kernel [runs]   Time    CPU%    Loads   LCPU%   Ratio
2.4.19 [5]      106.2   58      82      40      1.59
2.4.20 [5]      108.1   58      84      40      1.62
2.5.49 [5]      85.2    79      17      20      1.28
2.5.50 [5]      84.8    79      17      19      1.27
Improvement here.

SMP:

noload:
Kernel [runs]   Time    CPU%    Loads   LCPU%   Ratio
2.4.19 [5]      38.0    183     0       0       1.05
2.4.20 [5]      36.9    189     0       0       1.02
2.5.49 [6]      39.3    181     0       0
1.09
2.5.50 [5]      39.3    180     0       0       1.09
-----BEGIN PGP SIGNATURE-----
iD8DBQE96h6eF6dfvkL3i1gRAtK2AJ9dzz3v
-----END PGP SIGNATURE-----
EOF
run runstat import contest.mail
is 'nothing of a contest mail is left unread' "$(cat err)" ''
columns load label runs elapsed_s cpu_pct loads load_cpu_pct ratio >got
reported contest.tsv con-20021201-2.5.50 load kernel runs time_s cpu_pct \
    loads lcpu_pct ratio | awk '$1 == "noload" || $1 == "process_load" {
	if ($3 == "(UP)" || $1 == "noload") print }' >want
same 'sections, brackets, remarks and a wrapped row are read' got want

# table ID: a contest table as it was posted, from the reported figures
contest_table() {
	reported contest.tsv "$1" load kernel runs time_s cpu_pct loads \
	    lcpu_pct ratio | awk '
	$1 != load {
		load = $1
		printf "\n%s:\n%-16s%-8s%-8s%-8s%-8s%s\n", load,
		    "Kernel [runs]", "Time", "CPU%", "Loads", "LCPU%", "Ratio"
	}
	{ printf "%-16s%-8s%-8s%-8s%-8s%s\n", $2 " [" $3 "]", $4, $5, $6, $7,
	    $8 }'
}
for id in con-20021227-swappiness con-20021228-swappiness-reboot \
    con-20030215-2.5.61 con-20021116-2.5.47-mm3; do
	contest_table "$id" >table.mail
	run runstat import table.mail
	columns load label runs elapsed_s cpu_pct loads load_cpu_pct ratio >got
	reported contest.tsv "$id" load kernel runs time_s cpu_pct loads \
	    lcpu_pct ratio >want
	same "the table $id survives" got want
done
contest_table con-20021227-swappiness | sed 's/ \[[a-z0-9]*\]/    /' >bare.mail
run runstat import bare.mail
columns load label elapsed_s ratio >got
reported contest.tsv con-20021227-swappiness load kernel time_s ratio >want
same 'tables without brackets are read' got want

# The first form, of 2002-09-15.
reported contest.tsv con-20020915-v0.20 load kernel time_s cpu_pct | awk '
$1 != load {
	load = $1
	printf "\n%s:\nKernel                  Time            CPU\n",
	    load == "noload" ? "No Load" : load
}
{ m = int($3 / 60)
  printf "%-24s%d:%05.2f         %d%%\n", $2, m, $3 - 60 * m, $4 }' >first.mail
run runstat import first.mail
columns load label elapsed_s cpu_pct >got
reported contest.tsv con-20020915-v0.20 load kernel time_s cpu_pct >want
same 'the first form of contest tables is read' got want

# --- the compile on a small machine, 2003-11-02, and readahead, 2006-07-03

cat >small.mail <<'EOF'
32 MB of memory, 70 MB of swap; a compile that wants about 35 MB of it.

2.4.22: average 1 minute 35 seconds
swappiness=5: hang, the machine had to be reset
swappiness=10: average 5 minutes 56 seconds
swappiness=20: thrashes until stopped
autoregulated-2.6.0: abandoned after 30 minutes
EOF
run runstat import small.mail
is 'averages and outcomes in words are read' \
    "$(columns label outcome elapsed_s | tr '\n' ';')" \
    '2.4.22 ok 95;swappiness=5 hang -;swappiness=10 ok 356;swappiness=20 thrash-stopped -;autoregulated-2.6.0 timeout 1800;'

cat >readahead.mail <<EOF
readahead_ratio=1 (old):
patch:
real${TAB}0m37.662s
user${TAB}0m5.002s
sys${TAB}0m2.023s
debsums:
real${TAB}5m50,333s
user${TAB}0m21,127s
sys${TAB}0m14,506s
max swap: 700 kB
readahead_ratio=50 (new):
patch:
real${TAB}0m40.951s
user${TAB}0m5.043s
sys${TAB}0m2.061s
EOF
run runstat import readahead.mail
is 'two jobs beside each other, with decimal points and commas' \
    "$(columns job elapsed_s user_s sys_s swap_max_kib | tr '\n' ';')" \
    'patch 37.662 5.002 2.023 -;debsums 350.333 21.127 14.506 -;- - - - 700;patch 40.951 5.043 2.061 -;'

# --- each format of time

while IFS='|' read -r what text want; do
	printf '%b\n' "$text" >one.log
	run runstat import one.log
	is "$what" "$(columns outcome elapsed_s user_s sys_s cpu_pct majflt \
	    minflt maxrss_kib)" "$want"
done <<'EOF'
tcsh with hours|5447.968u 621.333s 1:44:19.60 96.9%\t0+0k 2160672+0io 21pf+0w|ok 6259.6 5447.968 621.333 96.9 21 - -
GNU|0.10user 0.20system 0:01.00elapsed 30%CPU (0avgtext+0avgdata 1964maxresident)k\n0inputs+0outputs (3major+71minor)pagefaults 0swaps|ok 1 0.1 0.2 30 3 71 1964
GNU without a percentage|0.00user 0.00system 0:00.00elapsed ?%CPU (0avgtext+0avgdata 1964maxresident)k\n0inputs+0outputs (0major+71minor)pagefaults 0swaps|ok 0 0 0 - 0 71 1964
GNU, killed|Command terminated by signal 9\n0.10user 0.20system 0:01.00elapsed 30%CPU (0avgtext+0avgdata 2450164maxresident)k\n0inputs+0outputs (0major+71minor)pagefaults 0swaps|signal:9 1 0.1 0.2 30 0 71 2450164
GNU, failed|Command exited with non-zero status 3\n0.10user 0.20system 0:01.00elapsed 30%CPU (0avgtext+0avgdata 0maxresident)k\n0inputs+0outputs (0major+71minor)pagefaults 0swaps|exit:3 1 0.1 0.2 30 0 71 0
bash|real\t0m1.021s\nuser\t0m0.500s\nsys\t0m0.100s|ok 1.021 0.5 0.1 - - - -
bash with commas|real\t1m1,021s\nuser\t0m0,500s\nsys\t0m0,100s|ok 61.021 0.5 0.1 - - - -
bash 5.3 with six decimals|real\t0m1.021345s\nuser\t0m0.500001s\nsys\t0m0.100000s|ok 1.021345 0.500001 0.1 - - - -
POSIX|real 1.02\nuser 0.50\nsys 0.10|ok 1.02 0.5 0.1 - - - -
ksh|real\t0m1.02s\nuser\t0m0.50s\nsys\t0m0.10s|ok 1.02 0.5 0.1 - - - -
mksh|    0m1.02s real     0m0.50s user     0m0.10s system|ok 1.02 0.5 0.1 - - - -
BusyBox|real\t0m 1.02s\nuser\t0m 0.50s\nsys\t0m 0.10s|ok 1.02 0.5 0.1 - - - -
zsh|uname  0.00s user 0.00s system 0% cpu 0.001 total|ok 0.001 0 0 0 - - -
zsh with minutes|make -j 4 all  80.00s user 1.00s system 97% cpu 1:23.45 total|ok 83.45 80 1 97 - - -
EOF
printf 'make -j 4 all  80.00s user 1.00s system 97%% cpu 1:23.45 total\n' >one.log
run runstat import one.log
is 'the text of a zsh job may hold blanks' "$(columns job command)" \
    'make make -j 4 all'
cat >verbose.log <<'EOF'
	Command being timed: "sleep 1"
	User time (seconds): 0.02
	System time (seconds): 0.01
	Percent of CPU this job got: 3%
	Elapsed (wall clock) time (h:mm:ss or m:ss): 0:01.00
	Average shared text size (kbytes): 0
	Maximum resident set size (kbytes): 2044
	Major (requiring I/O) page faults: 1
	Minor (reclaiming a frame) page faults: 88
	Voluntary context switches: 2
	Involuntary context switches: 3
	Swaps: 0
	File system inputs: 8
	File system outputs: 16
	Signals delivered: 0
	Page size (bytes): 4096
	Exit status: 0
EOF
run runstat import verbose.log
is 'GNU -v' "$(columns job elapsed_s user_s sys_s cpu_pct maxrss_kib majflt \
    minflt nvcsw nivcsw inblock oublock)" 'sleep 1 0.02 0.01 3 2044 1 88 2 3 8 16'
{ echo 'MemTotal: 255984 kB'; sed 's/: 2044/: 2044000/' verbose.log; } >odd.log
run runstat import odd.log
like 'a peak beyond the memory of the machine is told' err \
    'odd.log:2: implausible maxrss: 2044000 KiB'
is 'and left out' "$(columns maxrss_kib)" -

cat >vmstat.log <<'EOF'
procs -----------memory---------- ---swap-- -----io---- -system-- ----cpu----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa
 0  0 999999   1111    22    333    9    9     9     9    9    9 90  9  1  0
 1  0  50000 111111 22222 333333 12345 12345 0 0 0 0 10 20 70  0
procs -----------memory---------- ---swap-- -----io---- -system-- ----cpu----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa
 1  0  70000 111111 22222 333333 12345 12345 0 0 0 0 30 20 50  0
EOF
run runstat import vmstat.log
is 'vmstat: by name, without the first sample, heads repeated' \
    "$(columns job swap_max_kib cpu_pct steal_pct)" 'vmstat 70000 40 -'

# --- what cannot be read

printf 'Linux-2.4.13:\n1 2 3 4 5\nall fine\n71.0u broken 52%%CPU\n' >bad.log
run runstat import bad.log
like 'figures that nobody knows are told with file and line' err \
    'bad.log:2: not read: 1 2 3 4 5'
like 'and what was begun but not ended' err 'bad.log:4: not read: 71.0u'
unlike 'prose is not' err 'all fine'
is 'nothing read gives exit status 4' "$status" 4
run runstat import -v bad.log
like 'unless asked for' err 'bad.log:3: no figures: all fine'
run runstat import nosuch.log
is 'a missing file is a failure' "$status" 1
printf 'real 1.0\0\nuser 0.5\n\0sys 0.1\n' >nul.log
run runstat import nul.log
is 'NUL bytes do no harm' "$(columns elapsed_s user_s sys_s)" '1 0.5 0.1'
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "x"; print "\nreal 1"
    print "user 2"; print "sys 3" }' >long.log
run runstat import long.log
is 'a line may be of any length' "$(columns elapsed_s)" 1
runstat import <qsbench.mail >out 2>err
is 'standard input is read' "$(columns elapsed_s | head -1)" 184.15

# --- --check

run runstat import --check qsbench.mail
is 'figures that follow pass the check' "$status" 0
sed 's/40\.3%/48.3%/' qsbench.mail >wrong.mail
run runstat import --check wrong.mail
is 'a percentage that does not is a fault' "$status" 1
like 'told with file and line' out \
    'wrong.mail:10: 48.3% of CPU is printed, the times give 40.33%'
run runstat import --check contest.mail
is 'ratios against one reference a section pass' "$status" 0
sed 's/1\.62$/1.52/' contest.mail >wrong.mail
run runstat import --check wrong.mail
like 'a ratio that does not follow is told' out 'a ratio of 1.52 is printed'
contest_table con-20030215-2.5.61 >own.mail
run runstat import --check own.mail
is 'ratios against the same kernel without load pass' "$status" 0
printf '1379.91 1364.22 -0.11%%\n318162.18 318512.01 +0.01%%\n100 110 +10%%\n' \
    >percent.mail
run runstat import --check percent.mail
like 'a percentage that lost a factor of ten' out \
    'percent.mail:1: -0.11% is printed, 1379.91 to 1364.22 is -1.14%'
like 'is told in either direction' out \
    'percent.mail:2: \+0.01% is printed, .* is \+0.11%'
unlike 'a right one is not' out 'percent.mail:3'
{ sed -n '/ac4:/,/kswapd/p' qsbench.mail; echo 'mean 178.2'; } >mean.mail
run runstat import --check mean.mail
like 'a mean is worked out again' out \
    'a mean of 178.2 is printed, the 3 runs above give 187.197'

finish
