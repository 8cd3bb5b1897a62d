#!/bin/sh
# compare: two result folders, or one with several labels.
. "${0%/*}/tap.sh"

# folder NAME FACTOR SHIFT: ten runs of about 100 s times FACTOR
folder() {
	mkdir -p "$1"
	awk -v factor="$2" -v shift="$3" 'BEGIN {
		print "started\tlabel\tload\tjob\toutcome\telapsed_s\tcommand"
		for (i = 0; i < 10; i++)
			printf "2026-11-30T10:%02d:00Z\tk\tnoload\tqsbench\tok" \
			    "\t%.3f\tqsbench -n 9\n", i,
			    factor * (100 + (i * 7 + shift) % 11 / 5)
	}' >"$1/runs.tsv"
	printf 'date: %s\nkernel_release: %s\ncpu: same\n' "$1" "$1" \
	    >"$1/machine.txt"
}

folder before 1 0
folder after 1.1 3
folder same 1.001 5
run compare before after
is 'ten percent more is worse: exit status 1' "$status" 1
like 'what differs of the machines is told' out '^  kernel_release$'
unlike 'but not what always differs' out '^  date$'
unlike 'nor what is the same' out '^  cpu$'
like 'and the verdict' out 'verdict: worse'
run compare after before
is 'the other way round it is better: exit status 0' "$status" 0
run compare -m 3% before same
is 'a change within the margin: exit status 0' "$status" 0
run compare -m 0.01% before same
is 'inconclusive: exit status 3' "$status" 3
run compare -F csv before after
is 'other formats have one head line and a line a comparison' \
    "$(wc -l <out | tr -d ' ')" 2
awk -F '\t' -v OFS='\t' 'NR > 1 { $2 = "old"; print; $2 = "new"; print; next }
    { print }' before/runs.tsv >both.tsv
run compare -b old both.tsv
like 'one table: its labels against each other' out 'new against old'
mkdir 'with blanks'
cp before/runs.tsv 'with blanks'
run compare before 'with blanks'
is 'names may hold blanks' "$status" 0
QS_RESULTS=$PWD run compare before after
is 'folders are found below QS_RESULTS' "$status" 1
run compare before nosuch
is 'a folder that is not there is a failure' "$status" 1
like 'and named' err 'nosuch: no result folder'
run compare
is 'no folder is wrong use' "$status" 2
run compare a b c
is 'three are wrong use' "$status" 2
run compare -x before
is 'so is an unknown option' "$status" 2
run compare -m 0 before after
is 'runstat looks at the values' "$status" 2

finish
