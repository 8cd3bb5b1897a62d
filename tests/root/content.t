#!/bin/sh
# What zram makes of memhog's contents: the ratio asked for, with every
# algorithm that the kernel offers, and nothing lost.  Takes zram0, if it is
# unused, for swap of the highest priority, and gives it back.

. "${0%/*}/../shell/tap.sh"
. "$TOP/scripts/guard.sh"

SIZE=33554432
STAT=/sys/block/zram0/mm_stat

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
[ -e "$STAT" ] || skip_all 'needs zram (modprobe zram)'
QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
guard_program=$TOP/measure/guard
hog=
trap '[ -z "$hog" ] || kill "$hog" 2>/dev/null; guard_end; rm -rf "$SCRATCH"' EXIT
before=$(cat /sys/block/zram0/comp_algorithm /sys/block/zram0/disksize)

# column N: a column of mm_stat; orig_data_size 1, compr_data_size 2,
# same_pages 6 (Documentation/admin-guide/blockdev/zram.rst).
column() {
	awk -v n="$1" '{ print $n }' "$STAT"
}

# await COMMAND...: try it each 0.1 s until it succeeds, 30 s at most.
await() {
	tries=300
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# What is out is compressed; one page in a hundred may have been kept.
is_out() { [ "$(column 1)" -ge $((SIZE * 99 / 100)) ]; }
is_empty() { [ "$(column 1)" -le $((SIZE / 100)) ]; }

# Same-filled pages are in none of the two sizes.
is_same() { [ "$(column 6)" -ge $((SIZE * 99 / 409600)) ]; }

# hold OPTION...: memhog in the background, told to page out at once.
hold() {
	memhog -q -Z pageout -t 120 "$@" $SIZE >out 2>err 8>&- 9<&- &
	hog=$!
}

release() {
	kill "$hog"
	wait "$hog" 2>/dev/null
	hog=
	await is_empty
}

# within_tenth: whether orig / compr of mm_stat is within 10% of $ratio.
within_tenth() {
	awk -v want="$ratio" '{
		got = $1 / $2
		printf "# %d bytes to %d: %.3f, same pages %d\n", $1, $2, got, $6
		exit !(got > want * 0.9 && got < want * 1.1)
	}' stat
}

ratio_of() { # ratio_of ALGORITHM
	for ratio in 1 2 3 4; do
		hold -C "$ratio"
		if ! await is_out; then
			result 1 "$1: $SIZE bytes at $ratio:1 go out"
			release
			continue
		fi
		cat "$STAT" >stat
		ok "$1 compresses contents of $ratio:1 so, within 10%" \
		    within_tenth
		# shellcheck disable=SC2016 # the $6 is awk's
		ok "$1: of $ratio:1, less than a page in 1000 is of one value" \
		    awk -v size=$SIZE '{ exit $6 * 4096 >= size / 1000 }' stat
		release
	done
}

# Whatever goes out comes back as it was.
survive() { # survive ALGORITHM
	run memhog -c -a random -r 4 -Z pageout -F tsv $SIZE
	is "$1: pages that were out three times are what they were" "$status" 0
	like "$1: and all of them were checked" out "$(printf '\t32768\t1\trandom')"
}

# Another run with swap of its own may have to end first.
setup() { # setup ALGORITHM
	tries=20
	until guard_tell zram setup 0 128M "$1" 32767; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 1
	done
}

with_algorithm() { # with_algorithm ALGORITHM
	guard_start || exit 1
	if ! setup "$1"; then
		skip "the contents on zram with $1" "$guard_answer"
		guard_end
		return
	fi
	ratio_of "$1"
	survive "$1"
	if [ "$1" = "${algorithms%% *}" ]; then
		hold -C same
		ok '-C same makes pages that zram stores as one value' \
		    await is_same
		release
	fi
	ok "the guard undoes all of $1" guard_end
}

main() {
	algorithms=$(tr -d '[]' <"${STAT%/*}/comp_algorithm")
	# shellcheck disable=SC2086 # words
	set -- $algorithms
	run memhog -Z pageout -q 1M
	[ "$status" -eq 0 ] || skip_all "needs MADV_PAGEOUT (Linux 5.4): $(cat err)"
	for algorithm; do
		with_algorithm "$algorithm"
	done
	is 'zram0 is as it was' "$(cat /sys/block/zram0/comp_algorithm \
	    /sys/block/zram0/disksize)" "$before"
	finish
}

main
