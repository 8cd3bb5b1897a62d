#!/bin/sh
# runstat: summary, compare, more and knee over tables made here.
. "${0%/*}/tap.sh"

HEADER='started	label	load	job	run	outcome	pressure	elapsed_s	user_s	calib_ms	loads	command'

# table NAME LINE...: LINE is "label outcome pressure elapsed user calib loads",
# the runs a minute apart in the order given.
table() {
	table=$1
	shift
	{
		printf '%s\n' "$HEADER"
		printf '%s\n' "$@" | awk '{
			printf "2026-11-30T%02d:%02d:00Z\t%s\tnoload\tqsbench",
			    10 + NR / 60, NR % 60, $1
			printf "\t%d\t%s\t%s\t%s\t%s\t%s\t%s\tqsbench -n 9\n",
			    NR, $2, $3, $4, $5, $6, $7 }'
	} >"$table"
}

# noisy LABEL N FACTOR SHIFT: N good lines, about 100 s times FACTOR.
noisy() {
	awk -v label="$1" -v n="$2" -v factor="$3" -v shift="$4" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "%s ok pressed %.3f 70 50 %d\n", label,
			    factor * (100 + (i * 7 + shift) % 11 / 5), 20 + i % 3
	}'
}

# tabulate NAME: lines on stdin
tabulate() {
	name=$1
	set --
	while IFS= read -r line; do
		set -- "$@" "$line"
	done
	table "$name" "$@"
}

# interleave A B: their lines in turn, the first of a pair changing
interleave() {
	paste -d'|' "$1" "$2" | awk -F'|' '
	    NR % 3 == 2 { print $2; print $1; next } { print $1; print $2 }'
}

# --- summary

table some.tsv 'a ok pressed 184.15 70 50 1' 'a ok pressed 193.90 71 50 1' \
    'a ok pressed 183.54 71 50 1' 'b oom pressed 132.48 69 50 1' \
    'b oom pressed 131.31 69 50 1' 'b oom pressed 133.33 69 50 1' \
    'c ok pressed NA 69 50 1' 'c ok pressed 5 69 50 1' \
    'd skipped:not-tested - - - - -' 'e livelock - - - - -'
run runstat summary some.tsv
is 'a cell without a good run gives exit status 4' "$status" 4
like 'mean, median and deviation are those of the runs' out \
    '^a +3 of 3 +184.150 +187.197 +5.813 +3.1 '
like 'three killed runs are 0 of 3, and have no mean though times are printed' \
    out '^b +0 of 3 +- +- '
like 'the outcomes are counted' out 'Not good: 3 oom'
like 'NA is missing, not zero' out '^c +1 of 2 +5.000 +5.000 '
like 'what was skipped says so' out '^d +not-tested$'
like 'what never ended says so' out '^e +n/a \(livelock\)$'
is 'no line is wider than 80 columns' "$(awk 'length > 80' out)" ''
is 'labels come in the order of the input' \
    "$(awk '/^[a-e] / { printf "%s", $1 }' out)" abcde

printf 'command\telapsed_s\tlabel\nx y\t3\tz\nx y\t5\tz\nx\t8\tz\n' >turned.tsv
run runstat summary turned.tsv
is 'columns are found by name' "$status" 0
like 'command lines are never merged' out '^z +2 of 2 +4.000'
like 'each command line is a cell of its own' out '^z +1 of 1 +8.000'

printf 'label\telapsed_s\na\t1\na\t2\na\t99' >torn.tsv
run runstat summary torn.tsv
like 'a torn last line is left out' out '^a +2 of 2 +1.500'
like 'and that is told with its place' err 'torn.tsv:4: torn last line'
printf 'label\telapsed_s\r\na\t1\r\n\0\t2\r\na\t3\r\n' >crlf.tsv
run runstat summary crlf.tsv
is 'CRLF and NUL bytes are read' "$status" 0
like 'a row ended by CRLF counts' out '^a +2 of 2 +2.000'
printf 'label\telapsed_s\na\tinf\na\t0x10\na\t7\n' >odd.tsv
run runstat summary odd.tsv
like 'what is no number is missing' out '^a +1 of 3 +7.000'
like 'and is told with file and line' err 'odd.tsv:3: not a number'
printf 'label\telapsed_s\n' >empty.tsv
run runstat summary empty.tsv
is 'no rows give exit status 4, not a division' "$status" 4
: >nothing.tsv
run runstat summary nothing.tsv
like 'an empty file has no header' err 'no header line'
run runstat summary -c nosuch some.tsv
like 'an absent column is named' err 'no column named nosuch'
printf 'label\telapsed_s\nb\t5000000000\nb\t5000000002\n' >big.tsv
run runstat summary big.tsv
like 'counts beyond 2^31 stay exact' out '5000000001'
unlike 'and never turn into powers' out 'e\+'
run runstat summary -e label=a some.tsv
is 'a filter leaves the other rows out' "$(grep -c ' of ' out)" 1
run runstat summary -e nosuch=a some.tsv
like 'a filter on no column is refused' err 'no column for -e nosuch=a'
awk 'BEGIN { printf "label\telapsed_s\n"; for (i = 0; i < 300000; i++)
    printf "x"; printf "\t4\n" }' >long.tsv
run runstat summary -F csv long.tsv
like 'a line may be longer than any buffer' out ',4,4,'
noisy a 9 1 0 >lines
echo 'a ok pressed 150 70 50 1' >>lines
tabulate outlier.tsv <lines
run runstat summary outlier.tsv
like 'an outlier is told' out 'Outlier kept: run 10'
like 'and kept' out '10 of 10 .*150.000'
awk 'BEGIN { for (i = 1; i < 12; i++) print "a ok pressed", 100 + i / 9 + i % 2 / 50,
    1, 1, 1 }' | tabulate drift.tsv
run runstat summary drift.tsv
like 'drift in run order is told with its p' out 'Drifts \+.*% a run in run'
(LC_ALL=de_DE.UTF-8 runstat summary some.tsv) >german 2>err
run runstat summary some.tsv
ok 'the locale changes nothing' cmp -s out german

mkdir peaks
printf 'label\telapsed_s\tmaxrss_kib\na\t1\t100000\na\t1\t400000000\n' \
    >peaks/runs.tsv
echo 'mem_total_kib: 255984' >peaks/machine.txt
run runstat summary -c maxrss_kib peaks
like 'a peak beyond the memory of the machine is told' err 'implausible maxrss'
like 'and not averaged' out '^a +1 of 2 +100000'

# --- formats

for format in md csv tsv json ktap; do
	run runstat summary -F "$format" some.tsv
	is "format $format is written" "$status" 4
	cp out "out.$format"
done
like 'Markdown is a table' out.md '^\| elapsed_s \| a \| .*3 of 3'
like 'CSV has the raw figures' out.csv ',187.19666666666'
like 'CSV quotes what needs it' out.csv '"noload, qsbench, qsbench -n 9"'
like 'missing is NA in CSV' out.csv ',NA,NA,'
like 'missing is null in JSON' out.json '"mean": null'
like 'KTAP has its version' out.ktap '^KTAP version 1$'
like 'and its plan' out.ktap '^1\.\.5$'
like 'a failed cell is not ok' out.ktap '^not ok 2 .*0 of 3'
like 'a skipped cell is skipped' out.ktap '^ok 4 .* # SKIP nothing was run|^not ok 4 .* # SKIP'
run runstat summary -F xml some.tsv
is 'an unknown format is wrong use' "$status" 2

# --- compare

noisy a 10 1 0 >runs_a
noisy b 10 1.10 3 >runs_b
interleave runs_a runs_b | tabulate worse.tsv
run runstat compare worse.tsv
is 'ten percent more time is worse: exit status 1' "$status" 1
like 'with its verdict' out 'verdict: worse$'
like 'and its change and interval' out 'change \+(9|10)\.[0-9]%, 95% interval \+'
is 'no line of a comparison is wider than 80 columns' \
    "$(awk 'length > 80' out)" ''
run runstat compare -b b worse.tsv
is 'the other way round it is better: exit status 0' "$status" 0
like 'said so' out 'verdict: better'
run runstat compare -c loads -m 1% worse.tsv
like 'for loads, more is better' out 'more is better'
noisy b 10 1.001 3 >runs_b
interleave runs_a runs_b | tabulate same.tsv
run runstat compare -m 3% same.tsv
is 'a change within the margin is equivalent: exit status 0' "$status" 0
like 'and names the margin' out 'equivalent within 3%'
run runstat compare -m 0.1% same.tsv
is 'too few runs for a tight margin: exit status 3' "$status" 3
like 'and says how many more' out 'inconclusive \(about [0-9]+ more runs a side\)'
cat runs_a runs_b | tabulate sequential.tsv
run runstat compare sequential.tsv
like 'A A A B B B order is flagged' out 'sequential'
interleave runs_a runs_b >lines
tabulate inter.tsv <lines
run runstat compare inter.tsv
unlike 'interleaved order is not' out 'sequential|order unknown'

run runstat compare some.tsv some.tsv
is 'a cell without good runs cannot be compared: exit status 4' "$status" 4
head -4 some.tsv >three.tsv
run runstat compare three.tsv three.tsv
is 'a file compared with itself exits 0' "$status" 0
like 'and is equivalent' out 'equivalent within 2% \[the same runs\]'
cp three.tsv copy.tsv
run runstat compare three.tsv copy.tsv
is 'a copy is the same runs' "$status" 0
mkdir one two
cp three.tsv one/runs.tsv
cp three.tsv two/runs.tsv
run runstat compare one two
is 'a result folder stands for its rows' "$status" 0

awk 'BEGIN { OFS = FS = "\t" } NR > 1 { $NF = "qsbench -n 10" } { print }' \
    three.tsv >other.tsv
run runstat compare three.tsv other.tsv
is 'unlike command lines are not comparable: exit status 4' "$status" 4
like 'and each cell is named' err 'qsbench -n 10: nothing to compare it with'
echo 'workload version: 1' >one/machine.txt
echo 'workload version: 2' >two/machine.txt
sed 's/184/185/' three.tsv >two/runs.tsv
run runstat compare one two
is 'unlike workload versions are not comparable' "$status" 4
like 'and named' out 'not comparable \(workload 2 against 1\)'
printf 'cpu: old\n' >one/machine.txt
printf 'cpu: new\n' >two/machine.txt
run runstat compare one two
like 'unlike machines are flagged' out 'unlike machine: CPU'
sed 's/pressed/slack/' runs_a >slack
interleave slack runs_b | tabulate slack.tsv
run runstat compare slack.tsv
tr '\n' ' ' <out | tr -s ' ' >flat
like 'unlike pressure is flagged' flat 'unlike pressure: slack in 10 of 10'
awk '{ if (NR > 3) { $2 = "oom"; $4 = "-" } print }' runs_b >failing
interleave runs_a failing | tabulate failing.tsv
run runstat compare failing.tsv
is 'runs that fail more often are worse' "$status" 1
like 'with the reason' out 'worse \(3 of 10 good, were 10 of 10\)'

# A machine that slows down all the time: the blocks differ.
awk 'BEGIN { for (i = 0; i < 20; i++) {
    side = int(i / 2) % 3 == 1 ? 1 - i % 2 : i % 2
    printf "%s ok pressed %.4f 70 50 1\n", side ? "b" : "a",
        (100 + i) * (side ? 1.03 : 1) * (1 + (i * 7 % 5) / 1000) } }' |
    tabulate ageing.tsv
run runstat compare ageing.tsv
tr '\n' ' ' <out | tr -s ' ' >flat
like 'runs are paired where the blocks differ' flat \
    'exact signed rank, by block'
run runstat compare ageing.tsv
is 'and what drift would hide is found' "$status" 1

# A machine that changes between two speeds: calib_ms tells most of it.
awk 'BEGIN { for (i = 0; i < 40; i++) {
    slow = i * 13 % 40 < 20 ? 1 : 1.2
    side = int(i / 2) % 3 == 1 ? 1 - i % 2 : i % 2
    e = (i * 7 % 11 - 5) / 1000
    printf "%s ok pressed %.4f %.3f %.4f 1\n", side ? "b" : "a",
        100 * slow * (1 + e) * (side ? 1.03 : 1), 70 * slow,
        50 * slow * (1 - e / 2) } }' | tabulate speeds.tsv
run runstat compare speeds.tsv
like 'raw and adjusted are both printed' out 'adjusted by calib_ms \+3'
like 'it is said that the raw one decides' out 'the raw comparison decides'
like 'and what the adjustment saves' out 'it needs [0-9]+% of the runs'
run runstat compare -A calib_ms speeds.tsv
is 'the adjusted one decides when asked to' "$status" 1
run runstat compare -A user_s -m 1% speeds.tsv
like 'user time adjusts only if shown equal' out \
    'not comparable \(user_s not shown equal'
run runstat compare -A sys_s speeds.tsv
is 'another column cannot adjust: wrong use' "$status" 2

{ noisy a 8 1 0; noisy b 8 1.1 0; noisy c 8 1 5; } | tabulate three-labels.tsv
run runstat compare -F csv three-labels.tsv
like 'several comparisons are adjusted by Holm' out '^column,.*,p_holm,'
is 'one line for each' "$(wc -l <out | tr -d ' ')" 3
run runstat compare -b nosuch three-labels.tsv
is 'an unknown base is not comparable' "$status" 4
for format in md tsv json ktap; do
	run runstat compare -F "$format" three-labels.tsv
	is "format $format of compare keeps the exit status" "$status" 1
	cp out "out.$format"
done
like 'worse is not ok in KTAP' out.ktap '^not ok 1 .*worse'
like 'JSON has the verdict' out.json '"verdict": "worse"'

# --- more

run runstat more -m 5% worse.tsv
is 'enough runs: exit status 0' "$status" 0
tr '\n' ' ' <out >flat
like 'said so' flat 'a, .*: 10 good runs, median known to .*%: enough'
run runstat more -m 0.1% worse.tsv
is 'more are needed: exit status 3' "$status" 3
like 'and how many' out 'about [0-9]+ more$'
run runstat more three.tsv
tr '\n' ' ' <out >flat
like 'below 6 runs there is no interval' flat 'no interval of the median yet'

# --- knee

REPORTED=$TOP/results/reported/contest.tsv
run runstat knee -e id=con-20021227-swappiness "$REPORTED"
tr '\n' ' ' <out >flat
like 'dbench_load bends between 40 and 60 in the table of 2002-12-27' flat \
    'dbench_load, 6 settings, 6 of 6 good: bends at (4[0-9]|5[0-9])'
like 'cacherun is flat' flat 'cacherun, 6 settings, 6 of 6 good: flat'
like 'settings run in order are flagged' flat 'stand in order'
run runstat knee -e id=con-20021228-swappiness-reboot "$REPORTED"
tr '\n' ' ' <out >flat
like 'with a reboot before each run dbench_load is flat' flat \
    'dbench_load, 7 settings, 7 of 7 good: flat'
is 'and exits 0' "$status" 0
printf 'label\telapsed_s\ns1\t1\ns2\t2\n' >two.tsv
run runstat knee two.tsv
like 'two settings are too few' out 'fewer than 3 settings'

# --- use

run runstat
is 'no subcommand is wrong use' "$status" 2
run runstat frobnicate
like 'an unknown subcommand is named' err 'frobnicate: no such subcommand'
run runstat compare
is 'compare needs a file' "$status" 2
run runstat compare a b c
is 'and takes at most two' "$status" 2
run runstat compare -m 0 some.tsv
like 'a margin of 0 is refused' err '-m 0: must be more than 0'
run runstat compare -m x some.tsv
is 'a margin that is no number is wrong use' "$status" 2
run runstat summary nosuch.tsv
is 'a missing file is a failure' "$status" 1
like 'and named' err 'nosuch.tsv'
run runstat -V
is '-V exits 0' "$status" 0
if [ -w /dev/full ]; then
	runstat summary three.tsv >/dev/full 2>err
	is 'a full disk is a failure' "$?" 1
else
	skip 'a full disk is a failure' 'needs /dev/full'
fi

finish
