#!/bin/sh
# README, NEWS and CONTRIBUTING: what they name is there, and the two commands
# are two.
. "${0%/*}/tap.sh"

# commands_of_block: the lines of the first block of README.md.
awk '/^```/ { if (inside) exit; inside = 1; next } inside' "$TOP/README.md" >two
is 'README starts with exactly two commands' "$(wc -l <two | tr -d ' ')" 2
is 'the first installs what is needed and runs the main job' \
    "$(sed -n 1p two)" 'scripts/deps && make bench'
is 'the second runs the tests' "$(sed -n 2p two)" 'make check'
is 'what the suite answers stands before them' \
    "$(awk '/^```/ { exit } /\?\*\*/ { n++ } END { print n + 0 }' \
    "$TOP/README.md")" 1

# Words in back quotes or code blocks that look like ours: make targets, paths.
for text in README.md CONTRIBUTING.md; do
	# as a command: in back quotes, in a block, after another one
	grep -Eo '(^    |`|&& |^)make [a-z][a-z-]*' "$TOP/$text" |
	    sed 's/.*make //' | sort -u |
	while read -r target; do
		grep -Eq "^##$target:" "$TOP/Makefile" || printf '%s\n' "$target"
	done >missing
	is "every make target that $text names is one" "$(cat missing)" ''
	grep -Eo '(scripts|measure|qsbench|memhog|fileio|tests|lib|results)/[A-Za-z0-9_./-]+' \
	    "$TOP/$text" | grep -v '[A-Z]' | sed 's/[.]$//' | sort -u |
	while read -r path; do
		[ -e "$TOP/$path" ] || printf '%s\n' "$path"
	done >missing
	is "every path that $text names is there" "$(cat missing)" ''
done

# The table of commands.
run "$TOP/scripts/qsb" help
sed -n 's/^  \([a-z][^ ]*\) .*/\1/p' out >commands
# shellcheck disable=SC2016 # a back quote of Markdown
sed -n 's/^| `\([a-z]*\)` | .*/\1/p' "$TOP/README.md" | sort >rows
is 'README says what every command does' "$(diff rows commands)" ''

# The help of make is its list of targets.
run make -C "$TOP" -s help
sed -n 's/^\([a-z][a-z-]*\) .*/\1/p' out >helped
sed -n 's/^\.PHONY: \(.*\)/\1/p' "$TOP/Makefile" | tr ' ' '\n' |
    grep -v '^FORCE$' | sort >targets
is 'make help shows every target with its line' "$(diff helped targets)" ''
for target in all bench deps check check-root lint install uninstall dist \
    clean help; do
	ok "make has the target $target" grep -qx "$target" helped
done
like 'the version has three numbers' "$TOP/VERSION" '^[0-9]+\.[0-9]+\.[0-9]+$'
ok 'NEWS speaks of this version' grep -q "^## $(cat "$TOP/VERSION")" \
    "$TOP/NEWS.md"

finish
