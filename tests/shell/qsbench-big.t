#!/bin/sh
# qsbench: arrays around 4 GiB, where indices and sizes of 32 bits would wrap.
#
# Takes some minutes and 4.1 GiB of memory, so it runs only where QS_BIG is set:
#	QS_BIG=1 tests/run tests/shell/qsbench-big.t
. "${0%/*}/tap.sh"

[ -n "${QS_BIG:-}" ] ||
    skip_all 'arrays of 4 GiB: takes minutes and 5 GiB of memory; set QS_BIG=1'
available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
[ "${available:-0}" -ge 5120 ] ||
    skip_all "arrays of 4 GiB: need 5120 MiB, ${available:-?} MiB are available"
[ "$(getconf LONG_BIT)" -eq 64 ] ||
    skip_all 'arrays of 4 GiB: need a 64-bit program'

for pair in 4095M:1073479680 4096M:1073741824 4097M:1074003968; do
	run qsbench -v -a radix -m "${pair%:*}"
	is "${pair%:*} sort and verify" "$status" 0
	like "${pair%:*} are ${pair#*:} elements" err " ${pair#*:} elements"
	radix=$(sed -n 3p out | cut -f 9)
	run qsbench -v -a block -n "${pair#*:}"
	is "${pair#*:} elements sort and verify" "$status" 0
	is 'block and radix sort the same data' "$(sed -n 3p out | cut -f 9)" \
	    "$radix"
done
run qsbench -v -m 4097M
is '4097M sort and verify by quick' "$status" 0
is 'quick and radix sort the same data' "$(sed -n 3p out | cut -f 9)" "$radix"

finish
