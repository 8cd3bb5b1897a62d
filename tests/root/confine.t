#!/bin/sh
# confine with root: limits, swap, signals, refusals.  Every run must leave the
# machine as it was.

. "${0%/*}/../shell/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
work=$SCRATCH/work
mkdir "$work"
plan=$(group -m 64M 2>&1) || skip_all "needs a memory group: $plan"
version=$(printf '%s\n' "$plan" | sed -n 's/^version: //p')
parent=$(printf '%s\n' "$plan" | sed -n 's/^parent: //p')

wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || return 1
		sleep 0.01
	done
}

gone() { ! kill -0 "$1" 2>/dev/null; }

# Nothing of ours is left: groups, swap, files, journals.
nothing_left() {
	left=$(find "$parent" -type d -name "qsb-[0-9]*" -exec \
	    sh -c 'for g; do p=${g##*/qsb-}; kill -0 "${p%-*}" 2>/dev/null ||
		echo "$g"; done' sh {} +
	    grep -F "$SCRATCH" /proc/swaps
	    find "$work" -name 'qsb-*'
	    find "$QS_JOURNALS" -type f)
	[ -z "$left" ] || printf '%s\n' "$left" >&2
	[ -z "$left" ]
}

# Another run with swap of its own may have to end first.
can_swap() {
	printf 'check swapon %s/x 8M 32767\n' "$work" | guard >swap_answer 2>err
	grep -q '^ok' swap_answer
}

value() { # value V1NAME V2NAME: a file of the group of a confined command
	if [ "$version" = 1 ]; then printf '%s\n' "$1"; else printf '%s\n' "$2"; fi
}

# shellcheck disable=SC2016 # for the inner shell
inside='cat "$QS_CGROUP/$0"'
# shellcheck disable=SC2016
eat='head -c "$0" /dev/zero | tail -c "$0" | wc -c'

limits() {
	run confine -m 64M -- sh -c "$inside" "$(value memory.limit_in_bytes memory.max)"
	is 'the limit is what was asked for' "$(cat out)" 67108864
	like 'what was made is told' err '^confine: 64 MiB of memory, swap as it is'
	[ "$version" != 1 ] ||
	    like 'in version 1 with its own swappiness' err "own swappiness [0-9]+"
	# shellcheck disable=SC2016
	run confine -q -m 64M -- sh -c 'cat "$QS_CGROUP/cgroup.procs"; echo self $$'
	like 'the command is in the group' out "^$(sed -n 's/self //p' out)\$"
	is 'and nothing else is' "$(grep -cv self out)" 2
	is 'quiet means quiet' "$(cat err)" ''
	run confine -q -m 5000000 -- sh -c "$inside" "$(value memory.limit_in_bytes memory.max)"
	is 'a limit is rounded down to whole pages' \
	    $(($(cat out) % $(getconf PAGESIZE))) 0
	run confine -q -m 64M -P 0 -- grep Cpus_allowed_list /proc/self/status
	is 'the command is pinned' "$(cut -f 2 out)" 0
	run confine -q -m 64M -P 999 -- true
	is 'a CPU that is not there is wrong use' "$status" 2
	run confine -q -m 64M -- cat /proc/self/oom_score_adj
	is 'the command is the preferred victim' "$(cat out)" 500
	case $version in
	1)
		run confine -m 64M -B 50M -- true
		is 'a brake is skipped in cgroup version 1' "$status" 77
		like 'with the remedy' err 'no memory.high: boot with'
		;;
	*)
		run confine -q -m 64M -B 50M -- sh -c "$inside" memory.high
		is 'the brake is what was asked for' "$(cat out)" 52428800
		;;
	esac
	ok 'nothing is left' nothing_left
}

statuses() {
	run confine -q -m 64M -- sh -c 'exit 7'
	is 'the status of the command is passed on' "$status" 7
	run confine -q -m 64M -- sh -c 'kill -KILL $$'
	is 'that of a killed one, too' "$status" 137
	run confine -q -m 64M -- nosuchcommand
	is 'a command that is not there is 127' "$status" 127
	run confine -q -m 64M -- "$work"
	is 'one that cannot be run is 126' "$status" 126
	echo hello | confine -q -m 64M -- cat >out
	is 'the command reads standard input' "$(cat out)" hello
	confine -q -m 64M -- echo x <&- >out
	is 'a closed standard input is no fault' "$? $(cat out)" '0 x'
	run confine -q -m 64M -- sh -c 'ls -l /proc/self/fd'
	unlike 'no pipe of the guard is left open in the command' out ' [89] -> '
	run confine -q -m 64M -- sh -c 'setsid sleep 600 </dev/null >/dev/null 2>&1 &
	    echo $!'
	ok 'what the command leaves running ends with it' wait_for gone "$(cat out)"
	# shellcheck disable=SC2016
	LC_ALL=tr_TR.UTF-8 confine -q -m 64M -- sh -c 'echo "$LC_ALL"' >out 2>err
	is 'the command has the locale of its user' "$(cat out)" tr_TR.UTF-8
	ok 'nothing is left after that' nothing_left
}

memory() {
	run confine -m 32M -S none -- sh -c "$eat" 67108864
	like 'without swap, more than the limit is fatal' err \
	    'out of memory: the kernel killed [1-9]'
	run confine -q -m 64M -S none -- sh -c "$eat" 16777216
	is 'less than the limit is not' "$(cat out)" 16777216
	ok 'nothing is left after an OOM kill' nothing_left
}

all_there() { [ "$(cat out)" = 67108864 ]; }

swap() {
	wait_for can_swap || {
		skip 'swap of our own' "$(cat swap_answer)"
		return
	}
	persist all_there confine -m 32M -S "file:64M:$work" -- \
	    sh -c "$eat; cat /proc/swaps >&2" 67108864
	is 'with swap, more than the limit is survived' "$(cat out)" 67108864
	like 'our swap has the highest priority' err "$work/qsb-swap.*[[:space:]]32767\$"
	like 'and is told' err '64 MiB of swap in'
	run confine -q -m 32M -S "file:16M:$work" -- sh -c "$eat" 67108864
	unlike 'but not more than limit and swap together' out 67108864
	run confine -q -m 32M -S "file:16M:$work" -- sh -c "$inside" \
	    "$(value memory.memsw.limit_in_bytes memory.swap.max)"
	is 'as the swap of the group is limited' "$(cat out)" \
	    "$(value 50331648 16777216)"
	run confine -q -m 32M -S "file:50%:$work" -- sh -c "$inside" \
	    "$(value memory.memsw.limit_in_bytes memory.swap.max)"
	is 'a percentage of swap is one of the limit' "$(cat out)" \
	    "$(value 50331648 16777216)"
	mkdir "$work/odd  name"
	run confine -q -m 32M -S "file:16M:$work/odd  name" -- true
	is 'blanks in the name of the folder are no fault' "$status" 0
	(cd "$work" && confine -q -m 32M -S 'file:16M:odd  name' -- true)
	is 'nor is a relative one' $? 0
	ok 'nothing is left of swap files' nothing_left
	confine -q -m 32M -S "file:16M:$work" -- sleep 600 2>/dev/null &
	other=$!
	wait_for grep -qF "$work" /proc/swaps
	run confine -m 32M -S "file:16M:$work" -- true
	is 'a second run with swap of its own is refused' "$status" 77
	like 'with the reason' err 'another swap area has priority 32767'
	run confine -q -m 32M -- true
	is 'without it, two may run at once' "$status" 0
	kill -TERM $other
	wait $other
	is 'the first ends by its signal' "$?" 143
	ok 'nothing is left of either' nothing_left
}

refusals() {
	run confine -m 64M -S file:16M:/dev/shm -- true
	is 'swap on tmpfs is skipped' "$status" 77
	like 'by name' err 'no swap file on tmpfs'
	run confine -m 64M -S "file:900T:$work" -- true
	is 'a swap file that does not fit is skipped' "$status" 77
	like 'with what is free' err 'beyond 80% \([0-9]+ MiB free\)'
	if command -v setpriv >/dev/null; then
		run setpriv --bounding-set=-sys_admin "$TOP/scripts/confine" \
		    -m 64M -S "file:16M:$work" -- touch "$work/ran"
		is 'without the right to swap it is skipped' "$status" 77
		like 'with the reason' err 'swapon: Operation not permitted'
		ok 'before anything runs' [ ! -e "$work/ran" ]
	else
		skip 'without the right to swap it is skipped' 'needs setpriv'
	fi
	# shellcheck disable=SC2016 # for the inner shell
	if unshare -m true 2>/dev/null; then
		run unshare -m sh -c 'mount -o bind,remount,ro "$1" 2>/dev/null ||
		    mount -o remount,ro,bind "$1" "$1" || exit 99
		    confine -m 64M -- true' sh \
		    "$(df -P "$parent" | awk 'NR == 2 { print $NF }')"
		is 'read-only groups are skipped' "$status" 77
		like 'with the remedy' err 'read-only: let the container'
	else
		skip 'read-only groups are skipped' 'needs unshare'
	fi
	ok 'nothing is left of refused runs' nothing_left
}

# A limit of a group above makes another experiment.
ancestors() {
	[ "$version" = 1 ] || {
		skip 'a lower limit above is told' 'needs cgroup version 1'
		return
	}
	mkdir "$parent/qsb-above-$$"
	echo 33554432 >"$parent/qsb-above-$$/memory.limit_in_bytes"
	run group -g "$parent/qsb-above-$$" -- "$TOP/scripts/confine" -m 64M -- true
	is 'a lower limit above is no fault' "$status" 0
	like 'but is told' err 'a group above limits memory to 32 MiB'
	run group -g "$parent/qsb-above-$$" -- "$TOP/measure/group" -m 50%
	like 'a percentage refers to it' out '^memory_bytes: 16777216$'
	wait_for rmdir "$parent/qsb-above-$$" 2>/dev/null
	ok 'nothing is left below it' [ ! -e "$parent/qsb-above-$$" ]
}

# signal NAME STATUS: confine is sent it while its command runs
signal() {
	rm -f "$work/on"
	# A background command of a shell would ignore INT.
	# shellcheck disable=SC2016 # for the inner shell
	group -I -g "$own" -- confine -q -m 64M -- sh -c \
	    'sleep 600 & echo $! >"$0.new"; mv "$0.new" "$0"; wait' "$work/on" 2>err &
	pid=$!
	wait_for test -s "$work/on"
	kill -s "$1" $pid
	wait $pid
	is "SIG$1 ends it with status $2" $? "$2"
	ok "and its command's children after SIG$1" wait_for gone "$(cat "$work/on")"
}

signals() {
	own=$(group | sed -n 's/^own: //p')
	signal TERM 143
	signal INT 130
	signal HUP 129
	# shellcheck disable=SC2016 # for the inner shell
	confine -q -m 64M -- sh -c 'trap "" TERM; echo x >"$0"
	    while :; do sleep 0.1; done' "$work/stubborn" &
	pid=$!
	wait_for test -s "$work/stubborn"
	kill -TERM $pid
	sleep 0.3
	ok 'a command that ignores the signal is waited for' kill -0 $pid
	kill -TERM $pid
	wait $pid
	is 'and killed by the second' $? 143
	# shellcheck disable=SC2016 # for the inner shell
	confine -m 64M -- sh -c 'echo x >"$0"; sleep 0.5; exit 3' "$work/third" 2>err &
	pid=$!
	wait_for test -s "$work/third"
	set -- "$QS_JOURNALS"/*
	guard_pid=${1##*/}
	kill -9 "${guard_pid%%-*}"
	wait $pid
	is 'a killed guard does not change the status' $? 3
	like 'what it had to undo is undone all the same' err '^undone: mkcgroup'
	ok 'nothing is left of interrupted runs' wait_for nothing_left
}

zram() {
	[ -e /sys/block/zram0/disksize ] || {
		skip 'swap on zram' 'no zram here'
		return
	}
	if ! wait_for can_swap || [ "$(cat /sys/block/zram0/disksize)" -ne 0 ]; then
		skip 'swap on zram' 'zram0 or swap is in use'
		return
	fi
	persist all_there confine -m 32M -S zram:64M -- \
	    sh -c "$eat; cat /proc/swaps >&2" 67108864
	is 'with swap on zram, more than the limit is survived' "$(cat out)" \
	    67108864
	like 'it has the highest priority' err '^/dev/zram0 .*[[:space:]]32767$'
	is 'the device is unused again' "$(cat /sys/block/zram0/disksize)" 0
	echo 1M >/sys/block/zram0/disksize
	run confine -m 32M -S zram:64M -- true
	case $(cat /sys/block/zram0/disksize) in
	1048576) echo 1 >/sys/block/zram0/reset ;;
	esac
	is 'a busy device is skipped' "$status" 77
	like 'by name' err '^confine: skipped: zram0 busy$'
	run confine -m 32M -S zram:64M:nosuch -- true
	is 'a compression that is not there is skipped' "$status" 77
	run confine -m 32M -S zram:900T -- true
	is 'one larger than half of the memory is refused' "$status" 125
	ok 'nothing is left of zram' nothing_left
}

# A file system on which blocks cannot be reserved, only written; and a small one.
ext2() {
	if ! { head -c 25165824 /dev/zero >img && mkfs.ext2 -q img &&
	    mkdir -p mnt && mount -o loop img mnt; } >/dev/null 2>&1; then
		skip 'swap on ext2' 'needs mkfs.ext2 and a loop device'
		return
	fi
	wait_for can_swap
	run confine -q -m 64M -S "file:8M:$SCRATCH/mnt" -- cat /proc/swaps
	like 'where blocks cannot be reserved they are written' out \
	    "^$SCRATCH/mnt/qsb-swap-"
	run confine -m 64M -S "file:20M:$SCRATCH/mnt" -- true
	is 'a disk is not filled beyond 80%' "$status" 77
	is 'nothing is left on it' "$(ls mnt)" lost+found
	umount mnt
}

# Between runs of a series: group and swap anew, the same names.
series() {
	cat >series <<-'END'
	here=$1/scripts
	set -u
	usage() { :; }
	. "$here/lib.sh"
	. "$here/confine.sh"
	confine_memory=32M confine_swap=file:64M:$2 confine_swappiness=7
	confine_plan
	trap guard_end EXIT
	confine_setup
	for run in 1 2 3; do
		"$confine_program" -g "$confine_group" -- sh -c \
		    'head -c 50331648 /dev/zero | tail -c 50331648 | wc -c'
		confine_reset_swap
		printf '%s\n' "$confine_group"
		awk -v work="$2" 'index($1, work) { print $1; print "used", $4 }' \
		    /proc/swaps
		cat "$confine_group/memory.swappiness" 2>/dev/null
	done
	END
	wait_for can_swap
	for shell in dash 'busybox sh' 'bash --posix'; do
		command -v "${shell%% *}" >/dev/null || continue
		# shellcheck disable=SC2086 # a command and its option
		run $shell series "$TOP" "$work"
		is "a series of runs has swap of its own each, with $shell" \
		    "$(grep -c '^used 0$' out) $(grep -c '^50331648$' out)" '3 3'
		is "under the same names, with $shell" \
		    "$(grep '/qsb-' out | sort -u | wc -l)" 2
		[ "$version" != 1 ] ||
		    is "with its own swappiness, with $shell" \
			"$(grep -c '^7$' out)" 3
	done
	ok 'nothing is left of the series' nothing_left
}

limits
statuses
memory
swap
refusals
ancestors
signals
zram
ext2
series
finish
