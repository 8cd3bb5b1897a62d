# shellcheck shell=sh
# Sourced, after lib.sh: a memory group and swap of our own for the commands of
# the script that sources this.  Sources guard.sh.
#
#   confine_memory confine_brake confine_swap confine_cpus   the texts of -m, -B,
#                       -S and -P, set by the script's options; empty: not given
#   confine_swappiness  optional: the group's own swappiness (cgroup v1)
#   confine_given OPT VALUE  in the getopts loop: refuses them with empty values
#   confine_asked       0 when a limit or swap was asked for
#   confine_plan        decides whether it can be done, before anything changes;
#                       ends the script (2 wrong use, 77 impossible here) if not
#   confine_scope WORD...  as an ordinary user without a group of its own: runs
#                       the script anew, with these words, in a systemd scope
#   confine_try         asks the guard about it all, changes nothing, and prints
#                       what would be made; ends the script as confine_setup
#   confine_setup       starts the guard, makes swap and group: $confine_group
#                       is the group's folder, also in QS_CGROUP for record
#   confine_reset_swap  between runs: swap and group anew, under the same names
#   confine_told        prints what was made, one line
#   guard_end           (of guard.sh) undoes it all
#
# A command enters by `record -g "$confine_group"` or by
# `group -g "$confine_group" command`; the script itself stays outside.
# Changes: makes a memory group, a swap file or a swap area on zram.

# shellcheck source=scripts/guard.sh disable=SC2154 # here comes from the script
. "$here/guard.sh"

confine_memory='' confine_brake='' confine_swap='' confine_cpus=''
confine_swappiness='' confine_group=''
confine_priority=32767	# the highest that there is

confine_program=	# group, found when it is first needed

# Only a script that confines needs these programs.
confine_programs() {
	[ -z "$confine_program" ] || return 0
	guard_program=$(program_path guard) || exit
	confine_program=$(program_path group) || exit
}

# confine_given LETTER VALUE: in a getopts loop; an empty value, as of a variable
# that a caller never set, must not pass for no limit.
confine_given() {
	case $1${2-} in
	[BmPS]) wrong_use "-$1: needs a value" ;;
	esac
}

confine_asked() {
	[ -n "$confine_memory$confine_brake$confine_swap" ]
}

# The plan of group(1) as variables.
confine_plan() {
	confine_programs
	set --
	[ -z "$confine_memory" ] || set -- "$@" -m "$confine_memory"
	[ -z "$confine_brake" ] || set -- "$@" -B "$confine_brake"
	[ -z "$confine_swap" ] || set -- "$@" -S "$confine_swap"
	[ -z "$confine_cpus" ] || set -- "$@" -P "$confine_cpus"
	confine_text=$("$confine_program" "$@" 2>&1)
	confine_status=$?
	case $confine_status in
	0) ;;
	"$EXIT_USAGE") wrong_use "${confine_text#group: }" ;;
	"$EXIT_SKIPPED") confine_skip "${confine_text#group: }" ;;
	*) die "${confine_text#group: }" ;;
	esac
	while IFS= read -r confine_line; do
		confine_value=${confine_line#*: }
		case $confine_line in
		version:*) confine_version=$confine_value ;;
		own:*) confine_own=$confine_value ;;
		parent:*) confine_parent=$confine_value ;;
		enable:*) confine_enable=$confine_value ;;
		memory_bytes:*) confine_memory_bytes=$confine_value ;;
		brake_bytes:*) confine_brake_bytes=$confine_value ;;
		swap:*) confine_kind=$confine_value ;;
		swap_bytes:*) confine_swap_bytes=$confine_value ;;
		swap_folder:*) confine_folder=$confine_value ;;
		swap_algorithm:*) confine_algorithm=$confine_value ;;
		swap_limit:*) confine_swap_limit=$confine_value ;;
		esac
	done <<END
$confine_text
END
}

confine_skip() { # confine_skip REASON: it cannot be done here, or not now
	warn "skipped: $*"
	exit "$EXIT_SKIPPED"
}

# confine_scope WORD...: where an ordinary user has no group to make groups in,
# the user's own systemd can give one: the script starts anew inside a scope.
confine_scope() {
	[ "$(id -u)" -ne 0 ] && [ -z "${QS_SCOPE-}" ] || return 0
	confine_programs
	"$confine_program" >/dev/null 2>&1
	[ $? -eq "$EXIT_SKIPPED" ] || return 0
	command -v systemd-run >/dev/null 2>&1 || return 0
	systemd-run --user --scope --quiet -p Delegate=yes -- true \
	    >/dev/null 2>&1 || return 0
	exec systemd-run --user --scope --quiet -p Delegate=yes -- \
	    env QS_SCOPE=1 "$@"
}

# Our scope holds ourselves; only when it is empty may groups below it have
# limits.  It ends, with all below it, when its last process does.
confine_leave_scope() {
	[ -n "${QS_SCOPE-}" ] || return 0
	unset QS_SCOPE
	confine_own=$(awk -F: '$1 == "0" { print $3 }' /proc/self/cgroup)
	confine_own=$(awk 'index($0, " - cgroup2 ") { print $5; exit }' \
	    /proc/self/mountinfo)$confine_own
	case $confine_own in
	*.scope) ;;
	*) return 0 ;;
	esac
	if mkdir "$confine_own/qsb-harness" &&
	    printf '%s\n' $$ >"$confine_own/qsb-harness/cgroup.procs"; then
		return 0
	fi
	die "$confine_own: cannot be used for memory groups"
}

# confine_do ACTION...: the guard does it, or the script ends, all undone.
confine_do() {
	guard_tell "$@" && return
	confine_fail $? "$guard_answer"
}

confine_fail() { # confine_fail STATUS ANSWER
	guard_end
	confine_group=
	case $1 in
	"$EXIT_SKIPPED") confine_skip "${2#skip: }" ;;
	esac
	die "${2#error: }"
}

confine_try() {
	guard_start || die 'no guard, so nothing could be changed'
	confine_check
	guard_end
	confine_sizes
	printf '%s\n' "$confine_words"
}

confine_setup() {
	guard_start || die 'no guard, so nothing is changed'
	confine_check
	confine_do mark confine
	confine_make
}

# Again everything that may fail is asked for before the first change.
confine_check() {
	case $confine_kind in
	file)
		confine_name qsb-swap- "$confine_folder"
		confine_do check swapon "$confine_new" "$confine_swap_bytes" \
		    "$confine_priority"
		;;
	zram)
		confine_find_zram
		confine_do check zram setup "$confine_zram" \
		    "$confine_swap_bytes" "$confine_algorithm" \
		    "$confine_priority"
		;;
	esac
	confine_name qsb- "$confine_parent"
	confine_do check mkcgroup "$confine_new"
}

# confine_name PREFIX FOLDER: a name of our own that is not taken: $confine_new.
confine_name() {
	confine_number=1
	while confine_new=$2/$1$$-$confine_number && [ -e "$confine_new" ]; do
		confine_number=$((confine_number + 1))
	done
}

# The first unused zram device; the first of all when none is, as it may become
# free while guard tries.
confine_find_zram() {
	confine_zram=0
	for confine_file in /sys/block/zram*/disksize; do
		[ -r "$confine_file" ] || continue
		read -r confine_line <"$confine_file"
		[ "$confine_line" -eq 0 ] || continue
		confine_zram=${confine_file#/sys/block/zram}
		confine_zram=${confine_zram%/disksize}
		return
	done
}

# Swap first: it is undone last, when the group's members are dead.
confine_make() {
	case $confine_kind in
	file)
		confine_name qsb-swap- "$confine_folder"
		confine_do swapon "$confine_new" "$confine_swap_bytes" \
		    "$confine_priority"
		;;
	zram)
		confine_do zram setup "$confine_zram" "$confine_swap_bytes" \
		    "$confine_algorithm" "$confine_priority"
		;;
	esac
	[ "$confine_enable" = - ] ||
	    confine_do enable "$confine_parent" "$confine_enable"
	confine_name qsb- "$confine_parent"
	confine_do mkcgroup "$confine_new"
	confine_group=$confine_new
	QS_CGROUP=$confine_group
	export QS_CGROUP
	confine_limit
}

confine_put() { # confine_put NAME VALUE: a file of the group
	confine_do put "$confine_group/$1" "$2"
}

# The swap of the group: as much as our own swap has, none, or no limit (-).
confine_limit() {
	case $confine_kind in
	asis) confine_most=- ;;
	none) confine_most=0 ;;
	*) confine_most=$confine_swap_bytes ;;
	esac
	# Where it cannot be limited, no other swap is on (see group(1)).
	[ "$confine_swap_limit" = yes ] || confine_most=-
	if [ "$confine_version" = 1 ]; then
		confine_limit_v1
	else
		confine_limit_v2
	fi
}

# In version 1 the limit of memory and swap together cannot be below that of
# memory, so without -m a limit of swap alone has no meaning: none swaps.
confine_limit_v1() {
	if [ "$confine_memory_bytes" != - ]; then
		confine_put memory.limit_in_bytes "$confine_memory_bytes"
		[ "$confine_most" = - ] ||
		    confine_put memory.memsw.limit_in_bytes \
		    $((confine_memory_bytes + confine_most))
	elif [ "$confine_most" = 0 ]; then
		confine_put memory.swappiness 0
	fi
	[ -z "$confine_swappiness" ] ||
	    confine_put memory.swappiness "$confine_swappiness"
}

confine_limit_v2() {
	[ "$confine_memory_bytes" = - ] ||
	    confine_put memory.max "$confine_memory_bytes"
	[ "$confine_brake_bytes" = - ] ||
	    confine_put memory.high "$confine_brake_bytes"
	[ "$confine_most" = - ] ||
	    confine_put memory.swap.max "$confine_most"
}

confine_reset_swap() {
	confine_do back confine
	confine_do mark confine
	confine_make
}

# confine_mib BYTES: sets $confine_size to it for people.
confine_mib() {
	confine_size="$(($1 / 1048576)) MiB"
	[ $(($1 % 1048576)) -eq 0 ] || confine_size="$(($1 / 1024)) KiB"
}

# confine_value_of KEY: of what group(1) shows of the group, into $confine_value.
confine_value_of() {
	confine_value=$("$confine_program" -g "$confine_group" 2>/dev/null |
	    sed -n "s/^$1: //p")
	[ -n "$confine_value" ] || confine_value=-
}

# An ancestor's limit below the one asked for makes another experiment.
confine_warn_least() {
	confine_value_of least_bytes
	[ "$confine_value" != - ] && [ "$confine_memory_bytes" != - ] || return 0
	[ "$confine_value" -lt "$confine_memory_bytes" ] || return 0
	confine_mib "$confine_value"
	confine_less=$confine_size
	confine_mib "$confine_memory_bytes"
	warn "a group above limits memory to $confine_less, less than the" \
	    "$confine_size asked for"
}

# What the plan gives, in words: $confine_words.
confine_sizes() {
	confine_words='memory not limited'
	if [ "$confine_memory_bytes" != - ]; then
		confine_mib "$confine_memory_bytes"
		confine_words="$confine_size of memory"
	fi
	if [ "$confine_brake_bytes" != - ]; then
		confine_mib "$confine_brake_bytes"
		confine_words="$confine_words, throttled above $confine_size"
	fi
	[ "$confine_swap_bytes" = - ] || confine_mib "$confine_swap_bytes"
	case $confine_kind in
	asis) confine_words="$confine_words, swap as it is" ;;
	none) confine_words="$confine_words, no swap" ;;
	file) confine_words="$confine_words, $confine_size of swap in $confine_folder" ;;
	zram) confine_words="$confine_words, $confine_size of swap on zram$confine_zram" ;;
	esac
}

confine_told() {
	confine_sizes
	confine_value_of swappiness
	if [ "$confine_value" != - ]; then
		confine_words="$confine_words, the group's own swappiness $confine_value"
	fi
	printf '%s; group %s\n' "$confine_words" "$confine_group"
}
