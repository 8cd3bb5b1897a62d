#!/bin/sh
# fileio on small file systems in RAM: full disks, and what is refused there.
. "${0%/*}/../shell/tap.sh"

mkdir disk
mount -t tmpfs -o size=4m none disk 2>/dev/null || skip_all 'needs mount'
trap 'umount disk; cd /; rm -rf "$SCRATCH"' EXIT

empty() {
	[ -z "$(ls -A disk)" ]
}

run fileio rewrite -d disk -m 1M -n 1
is 'a work directory in RAM is refused' "$status" 1
like 'the refusal names -R' err '-R allows it'
run fileio rewrite -R -d disk -m 1M -n 2 -c
is '-R allows it' "$status $(tail -n 1 out)" '0 loads 2.000'
run fileio rewrite -R -d disk -m 1M -n 1 -y direct
is 'O_DIRECT on tmpfs is skipped' "$status" 77
like 'the reason names file system and place' err \
    '^fileio: O_DIRECT not supported on tmpfs at disk$'
run fileio rewrite -R -d disk -m 8M -n 1
is 'too little space is seen first' "$status" 1
like 'what is wanted and free is told' err '8 MiB wanted, 4 MiB free'

# Space that goes while it is written to: 3 MiB fit at the start.
head -c 3145728 /dev/zero >disk/other
run fileio read -R -d disk -m 1M -n 1
is 'what just fits is done' "$status" 0
rm disk/other
fileio rewrite -R -d disk -m 3M -b 4K -X -t 20 >out 2>err &
pid=$!
# The check comes first; then the file takes space.
tries=0
until [ "$(df -Pk disk | awk 'END { print $3 }')" -gt 0 ] ||
    [ "$tries" -gt 100 ]; do
	sleep 0.02
	tries=$((tries + 1))
done
tries=0
# With -X the file gives its space back, so that the other one can take it.
while kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 100 ]; do
	head -c 4194304 /dev/zero >disk/other 2>/dev/null
	sleep 0.02
	tries=$((tries + 1))
done
kill -s TERM "$pid" 2>/dev/null
wait "$pid"
is 'a disk that fills up midway fails' "$?" 1
like 'it tells path, offset, wanted and written' err \
    '^fileio: disk: offset [0-9]+: 3145728 bytes wanted, [0-9]+ written: No sp'
rm -f disk/other
ok 'nothing is left on the disk' empty

finish
