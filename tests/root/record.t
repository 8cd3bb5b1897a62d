#!/bin/sh
# record with root: a command in a memory group, what it is counted by there, how
# it dies there, and samples under a limit that thrashes.
#
# Makes one memory group and removes it.

. "${0%/*}/../shell/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
plan=$(group -m 64M 2>&1) || skip_all "needs a memory group: $plan"
version=$(printf '%s\n' "$plan" | sed -n 's/^version: //p')
parent=$(printf '%s\n' "$plan" | sed -n 's/^parent: //p')
g=$parent/qsb-record-$$
limit=memory.limit_in_bytes
[ "$version" = 1 ] || limit=memory.max
mkdir "$g" || exit
[ -e "$g/$limit" ] || {
	rmdir "$g"
	skip_all "needs the memory controller enabled below $parent"
}
trap 'rmdir "$g"; rm -rf "$SCRATCH"' EXIT
echo 67108864 >"$g/$limit" || exit

cell() { # cell COLUMN [FILE]: the last row's cell
	awk -F'\t' -v name="$1" '
		/^started\t/ { for (i = 1; i <= NF; i++) if ($i == name) col = i }
		END { print $col }' "${2:-err}"
}

# A process that grows to so many MiB; the one before it must not be counted in.
eat() {
	printf 'head -c %sM /dev/zero | tail -c %sM | wc -c' "$1" "$1"
}

placing() {
	# shellcheck disable=SC2016 # for the inner shell
	run record -q -g "$g" sh -c 'cat /proc/self/cgroup; cat "$0/cgroup.procs"' "$g"
	like 'the command is in the group' out ":(memory:|:)?.*/qsb-record-$$\$"
	is 'and nobody else is' "$(grep -c '^[0-9]*$' out)" 2
	QS_CGROUP=$g run record -q cat /proc/self/cgroup
	like 'QS_CGROUP means the same' out "/qsb-record-$$\$"
	run record -q -g "$g" cat /proc/self/oom_score_adj
	is 'it is the preferred victim' "$(cat out)" 500
	run record -q -g "$g" record -q -g "$g" true
	is 'record may be in the group itself' "$status" 0
	if command -v setpriv >path; then
		run setpriv --reuid 65534 --regid 65534 --clear-groups \
		    "$TOP/measure/record" -g "$g" true
		is 'who may not enter the group gets 125' "$status" 125
		like 'and is told' err '^record: .*: cannot enter: Permission denied'
	else
		skip 'who may not enter the group gets 125' 'setpriv'
	fi
}

killing() {
	grep -q '^oom_kill ' "$g/memory.oom_control" "$g/memory.events" 2>err || {
		skip 'an OOM kill in the group is the outcome' 'linux 4.13'
		return
	}
	# without swap the limit is the end
	swap=memory.memsw.limit_in_bytes
	[ "$version" = 1 ] || swap=memory.swap.max
	size=67108864
	[ "$version" = 1 ] || size=0
	echo "$size" 2>err >"$g/$swap"
	# shellcheck disable=SC2016 # for the inner shell
	run sh -c 'head -c 200M /dev/zero |
	    record -F tsv -g "$0" tail -c 200M >/dev/null' "$g"
	is 'an OOM kill in the group is the outcome' "$(cell outcome)" oom
	is 'and passes for the signal that it was' "$status" 137
	like 'and is said' err '^record: tail: met the OOM killer$'
	ok 'its peak is kept' test "$(cell maxrss_kib)" -gt 32768
	run record -F tsv -g "$g" sh -c "$(eat 200); exit 0"
	is 'so it is when the rest of the command goes on and succeeds' \
	    "$status $(cell outcome)" '0 oom'
	run record -F tsv -g "$g" true
	is 'a kill in an earlier run does not count' "$(cell outcome)" ok
}

peaks() {
	run record -F tsv -g "$g" sh -c "$(eat 40)"
	big=$(cell mem_peak_kib)
	ok 'the peak is that of all processes of the group' test "$big" -gt 40000
	run record -F tsv -g "$g" true
	small=$(cell mem_peak_kib)
	if [ "$small" = - ]; then
		skip 'a peak is that of the run' 'a kernel that can reset it'
	else
		ok 'a peak is that of the run' test "$small" -lt "$big"
	fi
	run record -F tsv -i 5ms -g "$g" sh -c "$(eat 20); sleep 0.1"
	is 'samples give the most swap of the group' \
	    "$(cell swap_max_kib | grep -c '^[0-9]*$')" 1
}

thrashing() {
	file=$TOP/build/record-test-$$
	mkdir -p "$TOP/build" samples
	trap 'rm -f "$file"; rmdir "$g"; rm -rf "$SCRATCH"' EXIT
	# its pages are the group's, which has no room for all
	run record -q -g "$g" dd if=/dev/zero of="$file" bs=1048576 count=96
	sync "$file" 2>err || sync
	# shellcheck disable=SC2016 # for the inner shell
	run record -t 4 -i 20ms -o samples -g "$g" sh -c \
	    'while :; do cat "$0" "$0" >/dev/null; done' "$file"
	rm -f "$file"
	is 'a thrashing command has its time limit' \
	    "$status $(cell outcome samples/runs.tsv)" '124 timeout'
	if [ "$(cell refault_file samples/runs.tsv)" = 0 ]; then
		skip 'the sampler goes on meanwhile' \
		    'a file system with a page cache under the source tree'
		return
	fi
	like 'it is not slack' samples/runs.tsv '	timeout	(pressed|disturbed)	'
	like 'the sampler has no major fault of its own' samples/samples/* \
	    ', major faults of the sampler 0,'
	like 'and tells the share of ticks that it missed' samples/samples/* \
	    '^# ticks [0-9]+, missed [0-9]+ \([0-9.]+%\)'
	grep -v '^#' samples/samples/* | sed 1d | cut -f 2 | sort -n | awk '
		{ late[NR] = $1 }
		END { printf "# late by, us: p50 %d, p99 %d, most %d of %d\n",
		    late[int(NR / 2) + 1], late[int(NR * 0.99)], late[NR], NR }'
	sed -n '/^#/p' samples/samples/*
}

main() {
	placing
	killing
	peaks
	thrashing
	ok 'the group is empty afterwards' rmdir "$g"
	mkdir "$g"
	finish
}

main "$@"
