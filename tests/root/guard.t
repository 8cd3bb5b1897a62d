#!/bin/sh
# guard with root: sysctls, memory groups, swap files, zram.  Restores all that
# it changes and compares with how it was.

. "${0%/*}/../shell/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
sysctl=/proc/sys/vm/swappiness

tell() {
	printf '%s\n' "$@" >in
	guard <in >out 2>err
	status=$?
}

answers() { sed 's/:.*//' out | tr '\n' ' '; }
gone() { ! kill -0 "$1" 2>/dev/null; }
no_file() { ! [ -e "$1" ]; }

# cmp takes the sizes of files in /proc, which are 0, for theirs.
same_swaps() {
	cat /proc/swaps >swaps_now
	cmp -s swaps_before swaps_now
}

wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || return 1
		sleep 0.01
	done
}

answered() { # answered N: N answers have come
	[ -e answers ] && [ "$(wc -l <answers)" -ge "$1" ]
}

open_guard() {
	rm -f to answers
	mkfifo to
	guard <to >answers 2>errors 7>&- &
	guard_pid=$!
	exec 7>to
}

kill_guard() {
	kill -9 "$guard_pid"
	wait "$guard_pid" 2>/dev/null
	exec 7>&-
}

# Where memory groups can be made here.
parent=$(group | sed -n 's/^parent: //p')
enable=$(group | sed -n 's/^enable: //p')
name=$parent/qsb-test-$$

settings() {
	before=$(cat $sysctl)
	other=$((before == 61 ? 62 : 61))
	open_guard
	echo "set $sysctl $other" >&7
	ok 'a sysctl is set when the answer comes' wait_for answered 1
	is 'to the value' "$(cat $sysctl)" $other
	exec 7>&-
	wait "$guard_pid"
	is 'and restored when the pipe ends' "$(cat $sysctl)" "$before"
	tell "set $sysctl 100000"
	is 'a value that the kernel refuses is an error' "$(answers)" 'error done '
	like 'which names the value' out 'swappiness: 100000: Invalid argument'
	is 'and changes nothing' "$(cat $sysctl)" "$before"
	tell 'set /proc/sys/vm/compact_memory 1' 'set /proc/meminfo 1'
	is 'what cannot be read back, or is a table, is no setting' \
	    "$(answers)" 'error error done '
	grep . /proc/sys/vm/*_ratio /proc/sys/vm/*bytes >before 2>/dev/null
	for pair in 'dirty_bytes 67108864' 'dirty_ratio 33' 'overcommit_kbytes 99' \
	    'dirty_background_bytes 33554432' 'overcommit_ratio 49'; do
		tell "set /proc/sys/vm/$pair"
		is "a setting whose twin is zeroed can be made: $pair" \
		    "$(answers)" 'ok done '
		grep . /proc/sys/vm/*_ratio /proc/sys/vm/*bytes >after 2>/dev/null
		is "and both are as before: $pair" "$(cat after)" "$(cat before)"
	done
	tell 'set /proc/sys/vm/dirty_ratio 7' 'set /proc/sys/vm/dirty_bytes 67108864' \
	    'set /proc/sys/vm/dirty_ratio 8'
	grep . /proc/sys/vm/*_ratio /proc/sys/vm/*bytes >after 2>/dev/null
	is 'also when they are set in turns' "$(cat after)" "$(cat before)"
	[ -f /sys/kernel/mm/transparent_hugepage/enabled ] || {
		skip 'a choice of sysfs' 'no transparent huge pages here'
		return
	}
	thp=/sys/kernel/mm/transparent_hugepage/enabled
	before=$(cat $thp)
	case $before in
	*'[never]'*) other=madvise ;;
	*) other=never ;;
	esac
	open_guard
	printf 'set %s %s\nset %s nonsense\n' $thp $other $thp >&7
	wait_for answered 2
	like 'a choice of sysfs is set' $thp "\\[$other\\]"
	is 'a word that is no choice is refused' "$(sed -n '2s/:.*//p' answers)" error
	exec 7>&-
	wait "$guard_pid"
	is 'and its old choice restored' "$(cat $thp)" "$before"
}

memory_groups() {
	[ -n "$parent" ] || {
		skip 'memory groups' "$(group 2>&1)"
		return
	}
	[ "$enable" = - ] || set -- "enable $parent $enable"
	open_guard
	printf '%s\n' "$@" "mkcgroup $name" >&7
	wait_for answered $(($# + 1))
	ok 'a memory group is made' test -d "$name"
	mkdir "$name/below" "$name/below/more"
	(
		echo 0 >"$name/below/more/cgroup.procs" || exit
		trap '' HUP TERM INT
		while :; do sleep 1; done
	) 7>&- &
	member=$!
	group -g "$name" -- sh -c 'sleep 600 & sleep 600' 7>&- &
	wait_for grep -q . "$name/cgroup.procs"
	wait_for grep -q . "$name/below/more/cgroup.procs"
	exec 7>&-
	wait "$guard_pid"
	is 'guard undoes it' "$?" 0
	ok 'the group is removed, with those below it' no_file "$name"
	ok 'its members are dead, also those that ignore signals' \
	    wait_for gone "$member"
	wait
	mkdir "$name"
	tell "mkcgroup $name" "rmcgroup $name" "mkcgroup $SCRATCH/x" \
	    "rmcgroup /" "rmcgroup $SCRATCH" 'mkcgroup qsb-x' "put $name/x 1"
	is 'a group that is there already, or no group, is refused' \
	    "$(answers)" 'error error error error error error error done '
	ok 'a group of others is not removed' test -d "$name"
	rmdir "$name"
	tell "rmcgroup $name"
	is 'a group that was never made needs no undoing' "$status" 0
	open_guard
	printf '%s\n' "$@" "mkcgroup $name" >&7
	wait_for answered $(($# + 1))
	kill_guard
	rmdir "$name"
	mkdir "$name"
	run undo
	is 'another group by the same name is left alone by undo' "$status" 1
	like 'and named' err 'another one by now'
	ok 'it is still there' rmdir "$name"
}

# The free space matters here, too: a few MiB.
swap_files() {
	cat /proc/swaps >swaps_before
	file=$SCRATCH/a\ swap
	told=$(printf '%s' "$file" | sed 's/ /\\040/g')
	tell "check swapon $told 4M 32767"
	case $(answers) in
	ok*) ;;
	*)
		skip 'swap files' "$(head -n 1 out)"
		return
		;;
	esac
	ok 'checking makes nothing' no_file "$file"
	open_guard
	printf "swapon %s 4M 32767\n" "$told" >&7
	wait_for answered 1
	like 'a swap file is on, with the priority asked for' /proc/swaps \
	    'a\\040swap +file.*[[:space:]]32767$'
	is 'nobody else can read it' "$(stat -c %a "$file")" 600
	printf 'swapon %s 4M 32767\n' "$SCRATCH/second" >&7
	wait_for answered 2
	like 'another of the same priority is refused' answers \
	    '^skip: .*priority 32767'
	ok 'and not left there' no_file "$SCRATCH/second"
	printf 'swapoff %s\n' "$told" >&7
	wait_for answered 3
	like 'what is on already is not to be switched off' answers \
	    '^error: .*swapped on already'
	exec 7>&-
	wait "$guard_pid"
	is 'guard undoes it' "$?" 0
	ok 'the file is removed' no_file "$file"
	ok 'and the swap areas are as before' same_swaps
	open_guard
	printf "swapon %s 4M 32767\n" "$told" >&7
	wait_for answered 1
	kill_guard
	run undo
	is 'undo switches off and removes it after kill -9' "$status" 0
	ok 'the file too' no_file "$file"
	ok 'all swap areas are as before' same_swaps
	: >"$file"
	tell "swapon $told 4M 5" "swapon $SCRATCH/x 1K 5" \
	    "swapon $SCRATCH/x 4M 32768" "swapon $SCRATCH/none/x 4M 5" \
	    'swapon x 4M 5' "swapon $SCRATCH/x 9000P 5" "swapon $SCRATCH/x 900T 5"
	is 'a name that is taken, and wrong sizes, are refused' "$(answers)" \
	    'error error error error error skip skip done '
	like 'a file that would fill the disk is refused before it is written' \
	    out 'would fill the disk beyond 80%'
	tell "swapon /dev/shm/qsb-test-$$ 4M 5"
	like 'a swap file on tmpfs is refused by name' out \
	    '^skip: /dev/shm/: no swap file on tmpfs'
	tell "swapoff $SCRATCH/never"
	is 'what was never switched on needs no undoing' "$status" 0
}

zram() {
	[ -e /sys/block/zram0/disksize ] || {
		skip 'swap on zram' 'no zram here'
		return
	}
	[ "$(cat /sys/block/zram0/disksize)" -eq 0 ] || {
		skip 'swap on zram' 'zram0 is in use'
		return
	}
	before=$(cat /sys/block/zram0/comp_algorithm)
	cat /proc/swaps >swaps_before
	algorithm=$(echo "$before" | tr -d '[]' | awk '{ print $NF }')
	open_guard
	echo "zram setup 0 16M $algorithm 32767" >&7
	wait_for answered 1
	case $(cat answers) in
	skip*)
		skip 'swap on zram' "$(cat answers)"
		exec 7>&-
		wait "$guard_pid"
		return
		;;
	esac
	like 'zram0 is swap with the priority asked for' /proc/swaps \
	    '^/dev/zram0 .*[[:space:]]32767$'
	is 'of the size' "$(cat /sys/block/zram0/disksize)" 16777216
	like 'and the compression' /sys/block/zram0/comp_algorithm \
	    "\\[$algorithm\\]"
	tell 'zram setup 0 16M - 32766' 'zram reset 0'
	is 'a busy device is no failure but a skip' "$(answers)" \
	    'skip skip done '
	exec 7>&-
	wait "$guard_pid"
	is 'guard undoes it' "$?" 0
	is 'the device is unused again' "$(cat /sys/block/zram0/disksize)" 0
	is 'with its compression of before' \
	    "$(cat /sys/block/zram0/comp_algorithm)" "$before"
	ok 'the swap areas are as before' same_swaps
	open_guard
	echo 'zram setup 0 16M - 32767' >&7
	wait_for answered 1
	kill_guard
	run undo
	is 'undo resets it after kill -9' \
	    "$status $(cat /sys/block/zram0/disksize)" '0 0'
	tell 'zram setup 0 16M nosuch 5' 'zram setup 9999 16M - 5' \
	    'zram setup x 16M - 5' 'zram setup 0 1K - 5' 'zram setup 0 900T - 5'
	is 'wrong devices, sizes and compressions are refused' "$(answers)" \
	    'skip skip error error error done '
}

settings
memory_groups
swap_files
zram
ok 'no journal is left' rmdir "$QS_JOURNALS"
finish
