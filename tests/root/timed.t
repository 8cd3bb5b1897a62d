#!/bin/sh
# timed with a memory limit and swap of its own, and reproduce, which uses both:
# pressure is recorded, and nothing is left behind.

. "${0%/*}/../shell/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
plan=$(group -m 64M 2>&1) || skip_all "needs a memory group: $plan"
QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
mkdir swap
TMPDIR=$SCRATCH
export TMPDIR

# Swap belongs to the whole machine: another run's has to end first.
with_swap() { # with_swap COMMAND...: run it; try again for a while
	tries=0
	run "$@"
	while [ "$status" -eq 77 ] && [ "$tries" -lt 60 ]; do
		sleep 1
		tries=$((tries + 1))
		run "$@"
	done
}

cell() { # cell COLUMN LINE: from runs.tsv of the folder r
	awk -F '\t' -v want="$1" -v row="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) c = i }
	NR == row + 1 { print $c }' r/runs.tsv
}

more() { # more COLUMN THAN: in both rows a number above that
	[ "$(cell "$1" 1)" -gt "$2" ] 2>/dev/null &&
	    [ "$(cell "$1" 2)" -gt "$2" ] 2>/dev/null
}

left() { # whatever of ours is still there
	grep -F "$SCRATCH" /proc/swaps
	find "$SCRATCH" -name 'qsb-swap-*'
	find "$QS_JOURNALS" -type f
}

# As persist of tap.sh, with waiting for the swap.
limited() {
	for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		rm -rf r
		with_swap timed -r 2 -m 16M -S "file:32M:$SCRATCH/swap" -o r \
		    -- qsbench -n 6000000
		[ "$status" -eq 4 ] || break
		printf '# attempt %s: killed for want of memory\n' "$attempt"
	done
	if [ "$status" -eq 77 ]; then
		skip 'runs under a limit swap' "$(cat err)"
		return
	fi
	is 'two runs under a limit succeed' "$status" 0
	is 'each has a row' "$(wc -l <r/runs.tsv | tr -d ' ')" 3
	is 'the first is good' "$(cell outcome 1)" ok
	is 'the second is good' "$(cell outcome 2)" ok
	ok 'both had pages swapped out' more pswpout_pages 100
	ok 'both had major faults' more majflt 100
	ok 'the memory peak is the limit at most' \
	    [ "$(cell mem_peak_kib 1)" -le 16384 ]
	unlike 'neither counts as slack' r/runs.tsv '	slack	'
	like 'whose counters the rows have is told' r/machine.txt \
	    '^counters: memory group where it has them, else whole machine$'
	like 'what was made is in the log' r/log '16 MiB of memory, 32 MiB of swap'
	is 'nothing is left behind' "$(left)" ''
}

killed() {
	with_swap timed -m 16M -S none -o k -- qsbench -n 12000000
	is 'a command that the limit kills is out of memory' "$status" 4
	like 'its row says so' k/runs.tsv '	oom	'
	is 'nothing is left behind by it' "$(left)" ''
}

reports() {
	with_swap reproduce -q -x 1/32 -r 1 -s 1 -S "file:$SCRATCH/swap" -o p
	if grep -q 'NOT LIMITED' out; then
		skip 'the reported runs are pressed here' "$(sed -n 5p out)"
		return
	fi
	is 'each reported invocation has a row' \
	    "$(cut -f 4 p/runs.tsv | sort | tr '\n' ' ')" 'job q1 q2 q3 q4 q5 '
	unlike 'none of them counts as slack' p/runs.tsv '	slack	'
	is 'the table has this kernel under each' \
	    "$(grep -c "^$(uname -r) " out)" 5
	is 'nothing is left behind by them' "$(left)" ''
}

busy() {
	with_swap timed -m 16M -S "file:32M:$SCRATCH/swap" -o b -- sh -c "
		$TOP/scripts/reproduce -x 1/32 -S 'file:$SCRATCH/swap' -o n 2>&1
		echo \"status \$?\""
	if [ "$status" -eq 77 ]; then
		skip 'reproduce refuses while another swap is used' "$(cat err)"
		return
	fi
	like 'while another run has its swap, reproduce refuses' out \
	    'another swap area.*try again'
	like 'and says that it is not now' out '^status 77$'
	ok 'and makes no folder' [ ! -e n ]
}

limited
killed
busy
reports

finish
