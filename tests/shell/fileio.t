#!/bin/sh
# fileio: modes, options, output, exit statuses, and that nothing is left.
. "${0%/*}/tap.sh"

mkdir work tree tree/a
printf one >tree/one
printf two >tree/a/two

empty() { # empty DIR
	[ -z "$(ls -A "$1")" ]
}

case $(stat -f -c %T work 2>/dev/null) in
tmpfs | ramfs) ram=-R ;;
*) ram= ;;
esac

small() { # small MODE OPTION...: on 256 KiB in the work directory
	mode=$1
	shift
	# shellcheck disable=SC2086 # -R or nothing
	run fileio "$mode" $ram -d work -m 256K -b 4K "$@"
}

for mode in rewrite read; do
	for options in '' '-c' '-c -a random' '-c -y mmap' '-c -Z dontneed' \
	    '-c -C same' '-c -C zero' '-c -C 3 -s 7'; do
		# shellcheck disable=SC2086 # several words
		small $mode -n 3 $options
		is "$mode $options does 3 passes" "$status $(tail -n 1 out)" \
		    '0 loads 3.000'
	done
done
for options in '-X -c' '-Q pass' '-Q data:pass' '-Q 5' '-Q never'; do
	# shellcheck disable=SC2086
	small rewrite -n 2 $options
	is "rewrite $options does 2 passes" "$status $(tail -n 1 out)" \
	    '0 loads 2.000'
done
small rewrite -n 2 -Q 16 -v
like '-Q 16 of 64 blocks flushes 4 times a pass' out '^flushes: 8$'
small rewrite -n 2 -F tsv
is '-F tsv counts operations and bytes' \
    "$(awk -F '\t' 'NR == 2 { print $1, $2, $3, $4 }' out)" \
    'rewrite 2 128 524288'
small rewrite -n 1 -q
is '-q prints the loads only' "$(cat out)" 'loads 1.000'
ok 'the work directory is empty after them' empty work

small read -n 1 -c -K -f work/kept
is '-K keeps the file' "$status $(wc -c <work/kept)" '0 262144'
small read -n 1 -c -f work/kept
is 'a kept file is found good' "$status" 0
cp work/kept work/flipped
printf '\377' | dd of=work/flipped bs=1 seek=8300 conv=notrunc 2>/dev/null
small read -n 1 -c -f work/flipped
is 'flipped bits give status 3' "$status" 3
like 'flipped bits are told with block and kind' err 'block 2: .*flip'
cp work/kept work/misplaced
dd if=work/kept of=work/misplaced bs=4096 skip=9 seek=5 count=1 \
    conv=notrunc 2>/dev/null
small read -n 1 -c -f work/misplaced
like 'a misplaced block is told' err 'block 5: .*misplaced'
small rewrite -n 3 -K -c -f work/later
small read -n 1 -c -f work/later
like 'a block of another pass is told as stale' err 'block 0: .*stale'
cp work/kept work/torn
dd if=work/later of=work/torn bs=512 skip=56 seek=56 count=4 \
    conv=notrunc 2>/dev/null
small read -n 1 -c -f work/torn
is 'a torn block gives status 3' "$status" 3
like 'a torn block is told' err 'block 7: .*torn'
small rewrite -n 1 -K -f work/kept
is 'an existing file is not overwritten' "$status" 1
small read -n 1 -m 1M -f work/kept
is 'a file that is too short is refused' "$status" 1
rm -f work/*

run fileio list -d tree -n 2 -F tsv
is 'list looks at each entry once a pass' \
    "$(awk -F '\t' 'NR == 2 { print $2, $3 }' out)" '2 6'
run fileio checksum -d tree -n 2 -f list -K
is 'checksum makes a list' "$status $(wc -l <list)" '0 2'
run fileio checksum -d tree -n 2 -f list
is 'checksum finds the files good' "$status $(tail -n 1 out)" '0 loads 2.000'
printf onf >tree/one
run fileio checksum -d tree -n 2 -f list
is 'checksum finds a changed file' "$status" 3
like 'the changed file is named' err 'tree/one: CRC-32C'
printf 'no list\n' >list
run fileio checksum -d tree -f list
like 'a line that is no checksum is refused' err 'line 1 is not a checksum'

# shellcheck disable=SC2086
run fileio tree $ram -d work -f tree -n 3
is 'tree copies and reads again' "$status $(tail -n 1 out)" '0 loads 3.000'
# shellcheck disable=SC2086
run fileio mix $ram -d work -p 3 -n 4 -c
is 'mix does 4 rounds by each client' "$status $(tail -n 1 out)" \
    '0 loads 4.000'
like 'mix tells the slowest of a kind' out '^rename: 12, slowest '
ok 'the work directory is empty after them, too' empty work

run fileio
is 'no mode is wrong use' "$status" 2
for words in 'copy' 'read -b 100' 'read -X' 'list -m 1M' 'rewrite -Q 0' \
    'read -m 0' 'read -a up' 'read -y fast' 'read -F xml' 'read -Z now' \
    'mix -p 0' 'read -C 99' 'rewrite -X -y mmap' 'tree' 'rewrite -f x' \
    'read -n x' 'read -t 0' 'read more'; do
	# shellcheck disable=SC2086
	run fileio $words
	is "fileio $words is wrong use" "$status" 2
done
small rewrite -n 1 -m 8P
is 'a file larger than the disk is refused' "$status" 1
like 'the refusal says what is wanted' err 'not enough space'
small rewrite -n 1 -d work/none
is 'a work directory that is not there fails' "$status" 1
small read -t 50ms
is '-t ends it well' "$status" 0

# N rounds: SIGTERM after 10 to 20 ms.
bad=0
i=0
while [ "$i" -lt 25 ]; do
	for mode in 'rewrite -Q 64' 'read -b 4K' 'tree -f tree' 'mix -p 2'; do
		# shellcheck disable=SC2086
		fileio $mode $ram -d work >"term.$i" 2>err &
		pid=$!
		sleep "0.01$((i % 10))"
		kill -s TERM "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
		is=$?
		# before it catches signals, it dies of them
		case $is in
		0) grep -q '^loads [0-9]*\.[0-9]*$' "term.$i" || bad=1 ;;
		143) ;;
		*) bad=1 ;;
		esac
		empty work || bad=1
	done
	i=$((i + 1))
done
is '100 SIGTERMs leave the loads and an empty directory' "$bad" 0
finish
