# shellcheck shell=sh
# Sourced: one guard (see guard(1)) beside the script that sources this.
#
#   guard_start             start it; does nothing when it runs already
#   guard_tell ACTION...    tell it one action and wait for the answer, which is
#                           left in $guard_answer; 0 ok, 77 skip, 1 error
#   guard_end               have all undone; 1 when something was not
#
# The sourcing script sets $guard_program to the path of measure/guard.  File
# descriptors 8 and 9 belong to this file; give them to no command that lives
# longer than the script: `command 8>&- 9<&-`.  However the script ends, also by
# kill -9, the guard notices and undoes.
#
# A trap on EXIT, INT, TERM and HUP should call guard_end, so that all is undone
# before the script is gone, and not just after it.

guard_program=${guard_program-}
guard_pid=
guard_answer=
guard_tab=$(printf '\t')
guard_return=$(printf '\r')
guard_newline='
'

guard_start() {
	[ -z "$guard_pid" ] || return 0
	guard_pid=$("$guard_program" for $$) || {
		guard_pid=
		return 1
	}
	exec 8>"/proc/$guard_pid/fd/4" 9<"/proc/$guard_pid/fd/5"
	guard_tell ready && return
	printf 'guard: %s\n' "$guard_answer" >&2
	return 1
}

# The escaped form of a word into $guard_escaped; see guard(1).
guard_word() {
	case $1 in
	'')
		guard_escaped='\e'
		return
		;;
	*[" \\$guard_tab$guard_return$guard_newline"]*) ;;
	*)
		guard_escaped=$1
		return
		;;
	esac
	guard_rest=$1
	guard_escaped=
	while [ -n "$guard_rest" ]; do
		guard_tail=${guard_rest#?}
		guard_char=${guard_rest%"$guard_tail"}
		guard_rest=$guard_tail
		case $guard_char in
		' ') guard_char='\040' ;;
		"$guard_tab") guard_char='\t' ;;
		"$guard_return") guard_char='\r' ;;
		"$guard_newline") guard_char='\n' ;;
		\\) guard_char="\\\\" ;;
		esac
		guard_escaped=$guard_escaped$guard_char
	done
}

# A guard that was killed must not take the script with it by SIGPIPE.
guard_send() {
	(
		trap '' PIPE
		printf '%s\n' "$1" >&8
	) 2>/dev/null
}

# A signal that the script has a trap for ends `read` as the end of the pipe
# does; then the guard is still there, and another try waits for it.
guard_read() {
	guard_tries=0
	until IFS= read -r guard_answer <&9; do
		guard_tries=$((guard_tries + 1))
		[ "$guard_tries" -lt 20 ] || return
		kill -0 "$guard_pid" 2>/dev/null || return
	done
}

guard_tell() {
	guard_line=
	for guard_arg; do
		guard_word "$guard_arg"
		guard_line="$guard_line $guard_escaped"
	done
	guard_send "${guard_line# }" && guard_read ||
	    guard_answer='error: the guard has gone'
	case $guard_answer in
	ok) return 0 ;;
	skip:*) return 77 ;;
	esac
	return 1
}

# It closes its pipes a moment before it is gone for good.
guard_await_death() { # guard_await_death PID
	guard_tries=0
	while kill -0 "$1" 2>/dev/null && [ "$guard_tries" -lt 100 ]; do
		guard_tries=$((guard_tries + 1))
		sleep 0.05 2>/dev/null || sleep 1
	done
}

guard_end() {
	[ -n "$guard_pid" ] || return 0
	guard_answer=
	guard_send end && guard_read
	exec 8>&- 9<&-
	guard_line=$guard_pid
	guard_pid=
	case $guard_answer in
	done) return 0 ;;
	error:*) return 1 ;;
	esac
	# It was killed: nobody answers, its journal tells what is to be done.
	guard_await_death "$guard_line"
	"$guard_program" mend >&2
}
