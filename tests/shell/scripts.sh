# shellcheck shell=sh
# Sourced by tests of scripts/lib.sh: calls one of its functions in a shell of
# its own.

with_lib() { # with_lib FUNCTION ARGUMENT...
	(
		set -u
		# shellcheck disable=SC2034 # lib.sh wants it
		here=$TOP/scripts
		usage() { echo usage; }
		# shellcheck source=scripts/lib.sh
		. "$TOP/scripts/lib.sh"
		"$@"
	)
}
