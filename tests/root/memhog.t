#!/bin/sh
# memhog where a setting of the machine decides: strict accounting of memory,
# and huge pages that are really there.  Both settings are changed through the
# guard for the time of a run, and are as before in the end.

. "${0%/*}/../shell/tap.sh"
. "$TOP/scripts/guard.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
guard_program=$TOP/measure/guard
trap 'guard_end; rm -rf "$SCRATCH"' EXIT
overcommit=/proc/sys/vm/overcommit_memory
pages=/proc/sys/vm/nr_hugepages

meminfo() { # meminfo KEY: in KiB
	awk -v key="$1:" '$1 == key { print $2 }' /proc/meminfo
}

# with_setting FILE VALUE COMMAND...: run it while the file holds the value;
# fails, with the reason in $guard_answer, when that cannot be.
with_setting() {
	file=$1
	value=$2
	shift 2
	before=$(cat "$file")
	guard_start || return
	if guard_tell set "$file" "$value"; then
		run "$@"
		guard_end
		is "$file is as before" "$(cat "$file")" "$before"
		return 0
	fi
	guard_end
	return 1
}

# What others have committed must stay far from the limit that then holds.
strict() {
	limit=$(meminfo CommitLimit)
	if [ "$(cat "$overcommit")" -ne 0 ] ||
	    [ $(($(meminfo Committed_AS) * 4)) -gt $((limit * 3)) ]; then
		skip 'strict accounting refuses' 'too much is committed here'
		return
	fi
	if with_setting "$overcommit" 2 memhog -q "${limit}K"; then
		is 'memory that strict accounting refuses exits 4' "$status" 4
		like 'and is not taken for an OOM kill' err \
		    '^memhog: .*Cannot allocate memory.*overcommit_memory'
	else
		skip 'strict accounting refuses' "$guard_answer"
	fi
}

huge() {
	size=$(meminfo Hugepagesize)
	if [ ! -e "$pages" ] || [ "$(cat "$pages")" -ne 0 ]; then
		skip 'huge pages are used' 'needs huge pages that nobody else uses'
		return
	fi
	run memhog -y huge $((size * 8))K
	is 'without huge pages none are used' "$status" 4
	with_setting "$pages" 8 memhog -c -r 2 -F tsv -y huge $((size * 8))K || {
		skip 'huge pages are used' "$guard_answer"
		return
	}
	is 'huge pages are filled, touched and checked' "$status" 0
	show out
}

strict
huge

finish
