#!/bin/sh
# Option letters: the usage text of every program and script against the table
# in CONTRIBUTING.md, in both directions.
. "${0%/*}/tap.sh"
. "$TOP/tests/shell/usage.sh"

# The table as "letter place" lines, a place being a command, all or any.
sed -n 's/^| -\([A-Za-z0-9]\) |.*| \([^|]*\) |$/\1 \2/p' "$TOP/CONTRIBUTING.md" |
awk '{ for (i = 2; i <= NF; i++) print $1, $i }' >table

ok 'the table has rows' [ "$(wc -l <table)" -gt 20 ]
is 'no letter has two rows' "$(sed -n 's/^| -\([A-Za-z0-9]\) |.*/\1/p' \
    "$TOP/CONTRIBUTING.md" | sort | uniq -d)" ''
is 'the rows are in the order of the letters' \
    "$(awk '{ c = tolower($1) } c < last { print $1 } { last = c }' table)" ''

for command in $(commands); do
	name=${command##*/}
	run "$TOP/$command" -h
	is "$name -h exits 0" "$status" 0
	usage_of out >usage
	letters=$(letters_of <usage)
	is "$name -h describes the options of its usage, no other" \
	    "$(described_in out)" "$letters"
	printf '%s' "$letters" | fold -w 1 | while read -r letter; do
		grep -Eq "^$letter (all|any|$name)\$" table ||
		    printf 'add %s to the row of -%s\n' "$name" "$letter"
	done >missing
	is "the table has every letter of $name" "$(cat missing)" ''
	awk -v name="$name" '$2 == name || $2 == "all" { print $1 }' table |
	while read -r letter; do
		case $letters in
		*"$letter"*) ;;
		*) printf '%s has no -%s\n' "$name" "$letter" ;;
		esac
	done >missing
	is "$name has every letter that the table gives it" "$(cat missing)" ''
done

finish
