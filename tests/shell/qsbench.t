#!/bin/sh
# qsbench: options, output, every exit status, and what is left behind.
. "${0%/*}/tap.sh"

# children PID: the pids of its children, on one line.
children() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/(.*)/()/' |
	    awk -v parent="$1" '$4 == parent && $3 != "Z" { printf "%s ", $1 }'
}

# await N COMMAND...: try the command each 0.1 s until it succeeds, N times.
await() {
	tries=$1
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

has_children() { # has_children PID N: writes them into $workers
	workers=$(children "$1")
	# shellcheck disable=SC2086 # pids
	set -- "$2" $workers
	[ $(($# - 1)) -eq "$1" ]
}

all_sleep() { # all_sleep PID...: each is past its work, in a sleep
	for pid; do
		grep -q '^State:.S' "/proc/$pid/status" 2>/dev/null || return 1
	done
}

all_gone() { # all_gone PID...: or dead, and only not reaped yet by process 1
	for pid; do
		if grep -qs '^State:.[^Z]' "/proc/$pid/status"; then return 1; fi
	done
}

# start N OPTION...: qsbench in the background, until all N workers hold their
# sorted arrays; their pids in $workers, its own in $main.  With -w they do not
# sleep at the gate, so one that sleeps has done its work.
start() {
	count=$1
	shift
	qsbench -z 60 -w 1ms "$@" >out 2>err </dev/null &
	main=$!
	workers=
	await 100 has_children "$main" "$count"
	# shellcheck disable=SC2086 # pids
	await 100 all_sleep $workers
}

# end SIGNAL PID: send it, and wait for qsbench to end.
end() {
	kill -s "$1" "$2"
	wait "$main" 2>/dev/null	# where sh says that it was killed
	status=$?
}

# refused STATUS TEXT ARGUMENT...: wrong use, told in one line with the text.
refused() {
	want=$1 text=$2
	shift 2
	run qsbench "$@"
	is "qsbench $* exits $want" "$status" "$want"
	is "qsbench $* prints one line" "$(wc -l <err)" 1
	ok "qsbench $* names $text" grep -Fq -e "$text" err
	[ "$want" -ne 2 ] ||
	    is "qsbench $* prints no result" "$(cat out)" ''
}

run qsbench
is 'without arguments it exits 2' "$status" 2
like 'without arguments it prints the usage on stderr' err '^usage: qsbench '
is 'without arguments it prints nothing on stdout' "$(cat out)" ''

run qsbench -h
is '-h exits 0' "$status" 0
like '-h tells the defaults' out '-n count .*default 1000000'
for algorithm in quick block heap merge radix libc; do
	like "-h lists $algorithm" out "^  $algorithm +[^ ]"
done
is '-h prints nothing on stderr' "$(cat err)" ''

run qsbench -V
is '-V exits 0' "$status" 0
is '-V prints the versions of suite and workload' "$(cat out)" \
    "qsbench $(cat "$TOP/VERSION"), workload 1"

# Wrong use, each with the text that must be named.
refused 2 -n -n
refused 2 -1 -n -1
refused 2 1e99 -n 1e99
refused 2 10x -n 10x
refused 2 1.5 -n 1.5
refused 2 -n -n ''
refused 2 ' 7' -n ' 7'
refused 2 99999999999999999999 -n 99999999999999999999
refused 2 4611686018427387904 -n 4611686018427387904
refused 2 18446744073709551615 -n 18446744073709551615
refused 2 101% -m 101%
refused 2 1Q -m 1Q
refused 2 -5 -m -5
refused 2 8E -m 8E
refused 2 8192P -m 8192P
refused 2 '-n 5 and -m 5' -n 5 -m 5
refused 2 0 -p 0 -n 5
refused 2 2x -p 2x -n 5
refused 2 99999999999 -p 99999999999 -n 5
refused 2 4294967296 -s 4294967296 -n 5
refused 2 -1 -s -1 -n 5
refused 2 foo -a foo -n 5
refused 2 -z -z -1 -n 5
refused 2 1q -w 1q -n 5
refused 2 -T -H -T -n 5
refused 2 '-d /tmp' -d /tmp -n 5
refused 2 '4294967295 + 1' -u -p 2 -s 4294967295 -n 5
refused 2 extra -n 5 extra
refused 1 /nonexistent/dir -M -d /nonexistent/dir -n 5
: >file
refused 1 ./file -M -d ./file -n 5
run qsbench -Q
is 'an unknown option exits 2' "$status" 2
like 'an unknown option is named' err 'unknown option -Q'
like 'an unknown option gets the usage' err '^usage: qsbench '

# The seed line, as it was in 2001.
run qsbench -n 1000
is 'one process prints its seed, by default 1' "$(cat out)" 'seed = 1'
run qsbench -n 1000 -p 1 -s 140175100
is 'one process prints the seed given' "$(cat out)" 'seed = 140175100'
run qsbench -n 1000 -p 2 -s 140175100
is 'two processes print no seed' "$(cat out err)" ''
run qsbench -n 1000 -p 2 -s 140175100 -v
like 'two processes print the seed with -v' out '^seed = 140175100$'
for n in 0 1 2; do
	run qsbench -n "$n"
	is "-n $n exits 0" "$status" 0
done
run qsbench -v
like 'a million elements are the default' err '1000000 elements'

# -v: one row for each process.
run qsbench -n 50000 -p 3 -v
sed 1d out >rows
is '-v has the headings it should have' "$(sed -n 2p out | tr '\t' ' ')" \
    'process pid seed fill_s sort_s verify_s majflt minflt checksum'
is '-v prints a row for each process' "$(sed 1d rows | cut -f 1 | tr '\n' ' ')" \
    '1 2 3 '
is 'every row has what its headings say' "$(sed 1d rows | grep -Ec \
    '^[1-3]	[0-9]+	1	([0-9]+\.[0-9]+	){3}[0-9]+	[0-9]+	[0-9a-f]{16}$')" 3
is 'the processes hold the same data' "$(sed 1d rows | cut -f 9 | sort -u |
    wc -l)" 1
run qsbench -n 50000 -p 3 -v -u -s 7
sed 1,2d out >rows
is '-u gives process i the seed + i - 1' "$(cut -f 3 rows | tr '\n' ' ')" \
    '7 8 9 '
is '-u gives each process data of its own' \
    "$(cut -f 9 rows | sort -u | wc -l)" 3

checksum() { # checksum OPTION...: of the first process
	run qsbench -v "$@"
	sed -n 3p out | cut -f 9
}

# Recorded: the data of the frozen workload, whatever libc, compiler, machine.
frozen=7d55880697f506c8
for algorithm in quick block heap merge radix libc; do
	is "$algorithm sorts the frozen data" \
	    "$(checksum -n 300000 -s 140175100 -a "$algorithm")" "$frozen"
done
is 'seed 0 is seed 1' "$(checksum -n 1000 -s 0)" "$(checksum -n 1000 -s 1)"
is 'the greatest seed works' "$(checksum -n 1000 -s 4294967295 | wc -c)" 17

# Sizes: 1 MiB is 262144 elements.
million=$(checksum -n 262144)
for size in 1 1M 1m 1MiB 1024K 1048576B 0.5M 1048579B; do
	case $size in
	0.5M) want=$(checksum -n 131072) ;;
	*) want=$million ;;
	esac
	is "-m $size has the elements it should have" "$(checksum -m "$size")" \
	    "$want"
done
run qsbench -m 0
is '-m 0 exits 0' "$status" 0
run qsbench -v -m 0.001%
elements=$(sed -n 's/.* of \([0-9]*\) elements.*/\1/p' err)
total=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
ok 'a percentage is more than nothing' [ "${elements:-0}" -gt 0 ]
ok 'a percentage is one of memory' \
    [ "${elements:-0}" -le $((total * 1024 / 400000)) ]
run qsbench -v -n 1000 -a merge
like 'merge says that it takes as much again' err 'and as much again'

# -M: a shared mapping of a file that has no name.
mkdir work
start 1 -M -d work -n 100000
# shellcheck disable=SC2086 # a pid
ok '-M maps a deleted file of the directory' \
    grep -Eq "rw-s .*$SCRATCH/work/.*\(deleted\)" "/proc/${workers%% *}/maps"
is '-M leaves nothing to be seen while it runs' "$(ls -A work)" ''
end TERM "$main"
is '-M leaves nothing behind' "$(ls -A work)" ''
for algorithm in quick merge; do
	is "-M sorts by $algorithm" "$(checksum -n 300000 -s 140175100 -M \
	    -d work -a "$algorithm")" "$frozen"
done
TMPDIR=/nonexistent/tmp run qsbench -M -n 5
is '-M looks for TMPDIR' "$status" 1
like '-M names the TMPDIR that it cannot use' err /nonexistent/tmp
TMPDIR=/nonexistent/tmp run qsbench -M -d work -n 5
is '-d comes before TMPDIR' "$status" 0

# -H and -T are seen in the flags of the mapping.
for pair in H:nh T:hg; do
	what="-${pair%:*} advises the kernel"
	if [ ! -e /sys/kernel/mm/transparent_hugepage/enabled ]; then
		skip "$what" 'needs a kernel with transparent huge pages'
		run qsbench "-${pair%:*}" -n 5
		is 'advice that the kernel does not know is a failure' \
		    "$status" 1
		continue
	fi
	start 1 "-${pair%:*}" -n 2000000
	ok "$what" grep -Eq "^VmFlags:.* ${pair#*:}( |\$)" \
	    "/proc/${workers%% *}/smaps"
	end TERM "$main"
done

# -w: one after the other.
run qsbench -w 10ms -p 3 -n 100 -v
is '-w starts all processes' "$(sed 1,2d out | wc -l)" 3
start 1 -w 60 -p 2 -n 1000
is '-w lets the first begin before the second is started' \
    "$(children "$main" | wc -w)" 1
end TERM "$main"
is '-w can be interrupted' "$status" 143

# Signals: everybody goes, and the status tells.
start 3 -n 1000 -p 3
started=$workers
end TERM "$main"
is 'SIGTERM ends it by SIGTERM' "$status" 143
# shellcheck disable=SC2086 # pids
ok 'SIGTERM leaves no process behind' await 20 all_gone $started
# A background process of sh ignores SIGINT, so this one is in the foreground.
# shellcheck disable=SC2016 # for the inner shell
run sh -c '(sleep 0.5; kill -s INT $$) & exec qsbench -n 1000 -p 2 -z 60'
is 'SIGINT ends it by SIGINT' "$status" 130
start 2 -n 1000 -p 2
started=$workers
end KILL "$main"
# shellcheck disable=SC2086 # pids
ok 'SIGKILL leaves no process behind' await 20 all_gone $started

# A worker that is killed.
start 3 -n 1000 -p 3 -v
started=$workers
second=$(echo "$workers" | cut -d ' ' -f 2)
end KILL "$second"
is 'a killed worker makes it exit 4' "$status" 4
like 'a killed worker is named' err \
    "^qsbench: worker [1-3] of 3 \\(pid $second\\): killed by signal 9, out of memory\\?\$"
# shellcheck disable=SC2086 # pids
ok 'the others are stopped with it' await 20 all_gone $started
start 2 -n 1000 -p 2
end SEGV "${workers%% *}"
is 'a crashed worker makes it exit 1' "$status" 1
like 'a crashed worker is named' err 'worker [12] of 2 \(pid [0-9]+\): .*signal 11'

# No memory: the limit is one of address space.
limited() {
	(
		# shellcheck disable=SC3045 # dash, busybox and bash have it
		ulimit -v 150000
		exec qsbench "$@"
	)
}
run limited -m 200
is 'an array that cannot be mapped exits 4' "$status" 4
like 'an array that cannot be mapped is named with its size' err \
    '^qsbench: worker 1 of 1 \(pid [0-9]+\): cannot map 200 MiB: (Cannot allocate|Out of) memory'
is 'an array that cannot be mapped is told in one line' "$(wc -l <err)" 1
run limited -m 80 -a merge
is 'a second array that cannot be mapped exits 4' "$status" 4
run limited -m 80 -a radix
is 'the same without a second array exits 0' "$status" 0

# Root may do anything, so another user it is.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
chmod 755 "$SCRATCH"
cp "$TOP/qsbench/qsbench" qsbench
if ! as_user prlimit --nproc=50 ./qsbench -V >out 2>err; then
	skip 'fork that fails midway is told' \
	    'needs prlimit, and setpriv where root runs it'
else
	run as_user prlimit --nproc=50 ./qsbench -n 0 -p 100
	is 'fork that fails midway exits 1' "$status" 1
	like 'fork that fails midway is told' err \
	    '^qsbench: started [0-9]+ of 100: fork: Resource temporarily'
	is 'fork that fails midway is told in one line' "$(wc -l <err)" 1
	is 'fork that fails midway leaves no process' \
	    "$(grep -ls 'qs[b]ench.-n.0.-p.100' /proc/[0-9]*/cmdline)" ''
fi
mkdir -m 500 locked
if ! as_user ./qsbench -V >out 2>err; then
	skip '-d names a directory that may not be written' \
	    'needs setpriv where root runs it'
else
	run as_user ./qsbench -M -d locked -n 5
	is 'a directory that may not be written exits 1' "$status" 1
	like 'a directory that may not be written is named' err \
	    '^qsbench: -M: .* locked: Permission denied$'
	is 'a directory that may not be written gets one line' "$(wc -l <err)" 1
fi

# What is printed must arrive.
if [ -c /dev/full ]; then
	for arguments in '-n 5' -V -h; do
		# shellcheck disable=SC2086 # more than one
		qsbench $arguments >/dev/full 2>err
		is "qsbench $arguments to a full disk exits 1" $? 1
		like "qsbench $arguments to a full disk says so" err \
		    '^qsbench: stdout: (No space left on device|I/O error)$'
	done
else
	skip 'a full disk exits 1' 'needs /dev/full'
fi
for arguments in '-n 5' '-n 5 -p 2' '-n 5 -v -p 2' -V; do
	# shellcheck disable=SC2086 # more than one
	qsbench $arguments >&- 2>err
	is "qsbench $arguments without stdout exits 1" $? 1
	like "qsbench $arguments without stdout says so" err \
	    '^qsbench: stdout: Bad file descriptor$'
done

# A 32-bit program, where `make variants` has made one.
narrow=$TOP/build/m32/qsbench/qsbench
if [ -x "$narrow" ] && "$narrow" -V >out 2>err; then
	for arguments in '-m 2048' '-m 4097M' '-n 1073741824' '-m 1024 -a merge'
	do
		# shellcheck disable=SC2086 # more than one
		run "$narrow" $arguments
		is "32 bits: $arguments exits 2" "$status" 2
		is "32 bits: $arguments is told in one line" "$(wc -l <err)" 1
		like "32 bits: $arguments is told why" err '32-bit program'
	done
	run "$narrow" -v -n 300000 -s 140175100
	is '32 bits: the frozen data is the same' \
	    "$(sed -n 3p out | cut -f 9)" "$frozen"
else
	skip 'a 32-bit program refuses what it cannot address' \
	    'needs the build of make variants for 32 bits'
fi

# Corrupt data: a qsort that spoils what it sorted is preloaded.
spoil() { # spoil HOW OPTION...
	how=$1
	shift
	run env BADQSORT="$how" LD_PRELOAD="$SCRATCH/badqsort.so" \
	    qsbench -a libc "$@"
}
# shellcheck disable=SC2086 # CC may be two words
${CC:-cc} -fPIC -shared -o badqsort.so "$TOP/tests/tools/badqsort.c" \
    >out 2>&1 && spoil none -n 5000
if ! grep -q '^badqsort$' err; then
	skip 'corrupt data exits 3' 'needs a C compiler and a dynamic qsbench'
else
	is 'good data passes the same way' "$status" 0
	spoil disorder -n 5000
	is 'disorder exits 3' "$status" 3
	like 'disorder is named with process, index and values' err \
	    '^qsbench: worker 1 of 1 \(pid [0-9]+\): not sorted: element 2500 is [0-9]+, element 2501 is [0-9]+$'
	spoil duplicate -n 5000 -p 3
	is 'a value lost to a duplicate exits 3' "$status" 3
	like 'a value lost to a duplicate is named with its process' err \
	    '^qsbench: worker [1-3] of 3 \(pid [0-9]+\): changed while it was sorted: element 2500 is [0-9]+, .*; [0-9]+, filled in as element [0-9]+, is lost$'
	spoil page -n 5000 -v
	is 'a lost page exits 3' "$status" 3
	like 'a lost page is named' err 'element 0 is 0, more of them than'
	is 'a lost page gets no row' "$(sed 1,2d out)" ''
	spoil page -n 5000 -M -d work
	is 'a lost page of a shared mapping exits 3' "$status" 3
	is 'corrupt data leaves no file' "$(ls -A work)" ''
fi

finish
