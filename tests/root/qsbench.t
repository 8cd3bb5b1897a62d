#!/bin/sh
# qsbench in memory groups and on a full file system.  The groups and the swap
# file are made and removed by confine, the file system is in a mount namespace
# of its own, so nothing is to be restored.
. "${0%/*}/../shell/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
confined() { # confined SWAP OPTION...: qsbench in 64 MiB
	swap=$1
	shift
	run confine -q -m 64M -S "$swap" -- qsbench "$@"
}

confined none -n 1000
[ "$status" -eq 0 ] || skip_all 'needs a memory group: see qsb doctor'

confined none -m 200
is 'a process killed for memory makes it exit 4' "$status" 4
like 'a process killed for memory is named' err \
    '^qsbench: worker 1 of 1 \(pid [0-9]+\): killed by signal 9, out of memory\?$'
confined none -p 3 -m 40
is 'one of three killed for memory makes it exit 4' "$status" 4
like 'one of three killed for memory is named' err \
    '^qsbench: worker [1-3] of 3 \(pid [0-9]+\): killed by signal 9'

confined none -v -m 50% -a radix
is 'half of the memory of a group sorts' "$status" 0
like 'a percentage is one of the limit of the group' err \
    ' of 8388608 elements \(32 MiB\)'

not_killed() { [ "$status" -ne 4 ]; }

for algorithm in quick block merge; do
	size=80
	[ $algorithm != merge ] || size=45
	run qsbench -v -m $size -a block
	want=$(sed -n 3p out | cut -f 9)
	persist not_killed confine -q -m 64M -S "file:128M:$SCRATCH" -- \
	    qsbench -v -m $size -a $algorithm
	if [ "$status" -eq 77 ]; then	# others may have their own meanwhile
		skip "$algorithm sorts through swap" "$(tail -n 1 err)"
		continue
	fi
	is "$algorithm sorts through swap" "$status" 0
	is "$algorithm gets its data back from swap" \
	    "$(sed -n 3p out | cut -f 9)" "$want"
	major=$(sed -n 3p out | cut -f 7)
	ok "$algorithm had to wait for pages" [ "${major:-0}" -gt 0 ]
done

mkdir small
# shellcheck disable=SC2016 # for the inner shell
run unshare -m sh -c 'mount -t tmpfs -o size=1M qs-test small || exit 77
    exec qsbench -M -d small -m 2'
if [ "$status" -eq 77 ] || ! command -v unshare >/dev/null; then
	skip 'a full file system exits 1' 'needs unshare and tmpfs'
else
	is 'a full file system exits 1' "$status" 1
	like 'a full file system is named with the size' err \
	    '^qsbench: worker 1 of 1 .*: cannot map 2 MiB of a file in small: No space'
	is 'a full file system gets one line' "$(wc -l <err)" 1
fi

finish
