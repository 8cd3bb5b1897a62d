# shellcheck shell=sh
# lib: what the scripts share.  Sourced first thing, by a script that lies in the
# same folder:
#
#	set -u
#	case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
#	. "$here/lib.sh"
#
# Sets: prog (the script's name), home (the top folder, in the source tree and
# where it is installed alike), LC_ALL=C (the one place), PATH with the loads in
# front so that they are found by name, and the exit statuses EXIT_*.  The script
# provides usage(), which prints the synopsis.
#
# Changes nothing on the system; make_result_folder makes folders.

# The measured command keeps the user's locale (run_as_user); an empty LC_ALL is
# the same as none.
QS_LOCALE=${QS_LOCALE-${LC_ALL-}}
LC_ALL=C
export QS_LOCALE LC_ALL
unset CDPATH

# shellcheck disable=SC2034 # each script uses some of them
EXIT_FAILED=1 EXIT_USAGE=2 EXIT_SKIPPED=77 EXIT_TIMEOUT=124 EXIT_OWN_FAULT=125
# shellcheck disable=SC2034
EXIT_NOT_EXECUTABLE=126 EXIT_NOT_FOUND=127
fault=$EXIT_FAILED	# what die ends with; wrappers say EXIT_OWN_FAULT

prog=${0##*/}
# shellcheck disable=SC2154 # here comes from the script
home=$(cd -- "$here/.." && pwd -P) || exit "$EXIT_FAILED"
case :$PATH: in
*:"$home/qsbench":*) ;;
*)
	PATH=$home/qsbench:$home/memhog:$home/fileio:$PATH
	export PATH
	;;
esac

warn() { # warn TEXT...
	printf '%s: %s\n' "$prog" "$*" >&2
}

die() { # die TEXT...: ends the script as failed
	warn "$@"
	exit "$fault"
}

wrong_use() { # wrong_use TEXT...: one line with the reason, then the synopsis
	warn "$@"
	usage >&2
	exit "$EXIT_USAGE"
}

# bad_option OPT: what to do in the `*)` branch of getopts with a leading colon.
bad_option() {
	case $1 in
	:) wrong_use "-$OPTARG: needs a value" ;;
	*) wrong_use "-$OPTARG: unknown option" ;;
	esac
}

show_version() {
	IFS= read -r version <"$home/VERSION" || die "$home/VERSION: not there"
	print_all printf '%s %s\n' "$prog" "$version"
}

# print_all COMMAND...: prints all that it prints, and returns its status; ends
# the script with one clear line when it cannot be written.
print_all() {
	printed=$("$@")
	printed_status=$?
	# What the shell would say of it names a line of this file.
	{ printf '%s\n' "$printed"; } 2>/dev/null ||
	    die 'standard output: cannot write'
	return "$printed_status"
}

# program_path NAME: prints where a program or script of the suite is.
program_path() {
	for folder in measure scripts qsbench memhog fileio; do
		if [ -f "$home/$folder/$1" ] && [ -x "$home/$folder/$1" ]; then
			printf '%s\n' "$home/$folder/$1"
			return 0
		fi
	done
	if [ -e "$home/Makefile" ]; then
		die "$1: not built, run make"
	fi
	die "$1: not installed below $home"
}

# check_count OPTION TEXT: ends with a usage fault unless it is a whole number from
# 1 to 999999; leading zeros would be octal in arithmetic.
check_count() {
	case $2 in
	'' | *[!0-9]* | 0* | ???????*)
		wrong_use "$1 $2: not a whole number from 1 to 999999" ;;
	esac
}

# check_seed OPTION TEXT: the same for a seed, from 0 to 999999999.
check_seed() {
	case $2 in
	0) ;;
	'' | *[!0-9]* | 0* | ??????????*)
		wrong_use "$1 $2: not a whole number from 0 to 999999999" ;;
	esac
}

# shuffled SEED N: the numbers 1 to N in an order that depends on the seed alone,
# a line each.  awk has a generator of its own everywhere, so this is the minimal
# standard one (Park and Miller, CACM 1988), exact in doubles.
shuffled() {
	awk -v seed="$1" -v n="$2" 'BEGIN {
		state = seed % 2147483646 + 1
		for (i = 0; i < 10; i++)	# small seeds start alike
			state = state * 16807 % 2147483647
		for (i = 1; i <= n; i++)
			item[i] = i
		for (i = n; i > 1; i--) {
			state = state * 16807 % 2147483647
			j = int(state * i / 2147483647) + 1
			t = item[i]
			item[i] = item[j]
			item[j] = t
		}
		for (i = 1; i <= n; i++)
			print item[i]
	}'
}

# file_name TEXT: sets $file_name to it, with what a name of a file should not
# hold replaced by "_", and cut to 64 characters.
file_name() {
	file_name=
	rest=$1
	while [ -n "$rest" ] && [ ${#file_name} -lt 64 ]; do
		character=${rest%"${rest#?}"}
		rest=${rest#?}
		case $character in
		[A-Za-z0-9.+=_,-]) ;;
		*) character=_ ;;
		esac
		file_name=$file_name$character
	done
	case $file_name in
	'' | [.-]*) file_name=_$file_name ;;
	esac
}

# quote WORD...: sets $quoted to the words as one would type them to a shell.
quote() {
	quoted=
	for word; do
		case $word in
		'' | *[!A-Za-z0-9_./:=@%+,-]*) quote_word "$word" ;;
		esac
		quoted=$quoted${quoted:+ }$word
	done
}

quote_word() {
	word=
	rest=$1
	while :; do
		case $rest in
		*\'*) ;;
		*) break ;;
		esac
		word="$word${rest%%\'*}'\\''"
		rest=${rest#*\'}
	done
	word="'$word$rest'"
}

# uptime_cs: sets $uptime to hundredths of a second since boot, without a fork.
# shellcheck disable=SC2034 # the scripts read it
uptime_cs() {
	IFS=' .' read -r uptime hundredths _ </proc/uptime || return
	# 08 would be octal
	uptime=$((uptime * 100 + ${hundredths#0}))
}

# make_result_folder PARENT NAME: a fresh folder PARENT/DATE-HOST-NAME[-N], its
# path in $folder.  mkdir without -p makes it ours alone: one that is there,
# also when it appeared this very moment, is never used again.
make_result_folder() {
	mkdir -p -- "$1" || die "$1: cannot make it; -o names another folder"
	file_name "$(uname -n)"
	stem=$1/$(date +%Y-%m-%d)-${file_name%%.*}
	file_name "$2"
	stem=$stem-$file_name
	folder=$stem
	number=1
	while ! mkdir -- "$folder" 2>/dev/null; do
		[ -e "$folder" ] || [ -h "$folder" ] ||
		    mkdir -- "$folder" || die "$folder: cannot make it"
		number=$((number + 1))
		[ "$number" -lt 10000 ] || die "$stem: too many of them"
		folder=$stem-$number
	done
}

# Where fresh result folders go: results/ of the tree when one stands in it,
# else qsb-results/ of where one is.
results_parent() {
	if [ "$(pwd -P)" = "$home" ] && [ -e "$home/Makefile" ]; then
		printf 'results\n'
	else
		printf 'qsb-results\n'
	fi
}
