# shellcheck shell=sh
# Sourced by the test files under tests/shell and tests/root: TAP output, a
# scratch folder of the file's own, and what the tested programs printed.
#
#   run COMMAND...          run it; its status in $status, output in out and err
#   persist CHECK COMMAND... run it until CHECK, a function, succeeds; at most 20
#                           times: what some kernels do at times, such as an
#                           OOM kill in a group that has swap left, is no fault
#   is WHAT GOT WANT        one test: two strings are equal
#   like WHAT FILE REGEX    one test: a line of the file matches (grep -E)
#   unlike WHAT FILE REGEX  one test: no line matches
#   ok WHAT COMMAND...      one test: the command succeeds
#   skip WHAT REASON        one test, not run here
#   skip_all REASON         the whole file cannot run here
#   finish                  last line of every file
#
# The tested program is never piped; its output is saved, then looked at.

set -u
LC_ALL=C
export LC_ALL
unset QS_RESULTS QS_LABEL QS_LOAD QS_JOB QS_RUN QS_CGROUP
TOP=$(cd "${0%/*}/../.." && pwd)
tests=0
failures=0
status=0
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/qs-test.XXXXXX") || exit 1
trap 'rm -rf "$SCRATCH"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$SCRATCH" || exit 1
PATH=$TOP/qsbench:$TOP/memhog:$TOP/fileio:$TOP/measure:$TOP/scripts:$PATH

# QS_SH runs the scripts, too, not only the tests of them.
if [ -n "${QS_SH-}" ]; then
	mkdir "$SCRATCH/.by" || exit 1
	for script in "$TOP/scripts"/*; do
		[ -f "$script" ] || continue
		[ -x "$script" ] || continue
		printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$QS_SH" "$script" \
		    >"$SCRATCH/.by/${script##*/}"
		chmod +x "$SCRATCH/.by/${script##*/}"
	done
	PATH=$SCRATCH/.by:$PATH
fi

run() {
	"$@" >out 2>err </dev/null
	# shellcheck disable=SC2034 # the test files look at it
	status=$?
}

persist() {
	check=$1
	shift
	for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		run "$@"
		"$check" && return
		printf '# attempt %d: status %d\n' "$attempt" "$status"
	done
}

result() { # result 0|1 WHAT
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tests" "$2"
	else
		failures=$((failures + 1))
		printf 'not ok %d - %s\n' "$tests" "$2"
	fi
}

show() { # show FILE: its first lines as TAP comments
	[ -f "$1" ] && sed 's/^/# /;20q' "$1"
}

is() {
	if [ "$2" = "$3" ]; then
		result 0 "$1"
	else
		result 1 "$1"
		printf '# got:  %s\n# want: %s\n' "$2" "$3" | sed '2,$s/^\([^#]\)/# \1/'
		show err
	fi
}

like() {
	if grep -Eq -e "$3" "$2"; then
		result 0 "$1"
	else
		result 1 "$1"
		printf '# no line matches: %s\n' "$3"
		show "$2"
	fi
}

unlike() {
	if grep -Eq -e "$3" "$2"; then
		result 1 "$1"
		printf '# a line matches: %s\n' "$3"
		show "$2"
	else
		result 0 "$1"
	fi
}

ok() {
	what=$1
	shift
	if "$@"; then result 0 "$what"; else result 1 "$what"; fi
}

skip() {
	tests=$((tests + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tests" "$1" "$2"
}

skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

finish() {
	printf '1..%d\n' "$tests"
	[ "$failures" -eq 0 ]
	exit
}
