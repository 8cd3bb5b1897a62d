# shellcheck shell=sh
# Sourced by letters.t and manuals.t, after tap.sh: the commands of the suite and
# what their usage texts say.

# Every program and script, by its path below $TOP, one a line.
commands() {
	for folder in scripts measure qsbench memhog fileio; do
		for file in "$TOP/$folder"/*; do
			case ${file##*/} in
			*[!A-Za-z0-9_-]*) ;;
			*) [ -f "$file" ] && [ -x "$file" ] &&
			    printf '%s\n' "$folder/${file##*/}" ;;
			esac
		done
	done
}

# usage_of FILE: the usage lines of what -h printed, as one line without
# "usage: " and "scripts/".
usage_of() {
	awk '
	/^usage: / { sub(/^usage: /, ""); inside = 1 }
	inside && NF == 0 { exit }
	inside && /^  -/ { exit }
	inside {
		sub(/^ +/, "")
		sub(/^scripts\//, "")
		text = text (text == "" ? "" : " ") $0
	}
	END { print text }' "$1"
}

# letters_of: the option letters of a usage line on stdin, sorted, on one line.
letters_of() {
	tr '[]|' '   ' | tr -s ' ' '\n' | sed -n 's/^-\([A-Za-z0-9]*\)$/\1/p' |
	    fold -w 1 | LC_ALL=C sort -u | tr -d '\n'
}

# described_in FILE: the letters that have an indented line of their own in what
# -h printed ("  -a name  text" or "  -H, -T  text"), sorted, on one line.
described_in() {
	awk '/^ +-/ {
		sub(/^ +/, "")
		sub(/  .*/, "")
		for (i = 1; i <= NF; i++)
			if ($i ~ /^-[A-Za-z0-9],?$/)
				print substr($i, 2, 1)
	}' "$1" | LC_ALL=C sort -u | tr -d '\n'
}
