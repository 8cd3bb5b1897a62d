#!/bin/sh
# What results/README.md says of the files is what the programs write.
. "${0%/*}/tap.sh"

# The names of the X("name") lists that the programs are built from.
columns_of() {
	sed -n 's/^[[:space:]]*X([A-Z_0-9]*, "\([^"]*\)").*/\1/p' "$1"
}

# documented FILE HEADING: the names in the first column of its table.
documented() {
	awk -v heading="## $2" '
		/^## / { inside = $0 == heading }
		inside && /^\| `/ { split($0, part, "`"); print part[2] }' "$1"
}

columns_of "$TOP/lib/row.h" >wanted
documented "$TOP/results/README.md" Columns >got
ok 'row.h lists the columns' test -s wanted
is 'every column of runs.tsv is documented, in its order' \
    "$(cat got)" "$(cat wanted)"
awk -F'|' '/^\| `/ && (NF != 6 || $3 ~ /^ *$/ || $4 ~ /^ *$/ || $5 ~ /^ *$/)' \
    "$TOP/results/README.md" | awk -F'`' 'NR == FNR { name[$1]; next }
    $2 in name' wanted - >bare
is 'each has a unit, a meaning and a source' "$(cat bare)" ''

# The reported figures are data: all there, in the columns that are promised.
reported=$TOP/results/reported
for file in qsbench contest other sources; do
	rows=$(awk -F'|' -v file="$file.tsv" '{ gsub(/ /, "", $2) }
		$2 == file { print $3 + 0 }' "$reported/README.md")
	is "reported/$file.tsv has as many rows as its README says" \
	    "$(($(wc -l <"$reported/$file.tsv") - 1))" "$rows"
	is "every row of reported/$file.tsv has all columns" \
	    "$(awk -F'\t' 'NR == 1 { n = NF } NF != n' "$reported/$file.tsv")" ''
	awk -F'\t' 'NR == FNR { known[$1]; next }
		!/^#/ && !($1 in known) { print $1 }' \
	    "$reported/sources.tsv" "$reported/$file.tsv" >unknown
	is "every row of reported/$file.tsv names a known source" \
	    "$(cat unknown)" ''
done

finish
