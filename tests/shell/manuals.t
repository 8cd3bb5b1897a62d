#!/bin/sh
# Manuals: every program and script has one, and it says what the usage says.
. "${0%/*}/tap.sh"
. "$TOP/tests/shell/usage.sh"

# synopsis_of FILE: the SYNOPSIS of a manual in mdoc, as the usage would say it.
synopsis_of() {
	awk '
	/^\.Sh / { inside = $2 == "SYNOPSIS"; next }
	/^\.Nm [a-z]/ && name == "" { name = $2 }
	!inside || /^\.\\"/ { next }
	/^\.Oo/ { text = text " ["; glue = 1 }
	{
		sub(/^\./, "")
		close_it = ""
		for (i = 1; i <= NF; i++) {
			w = $i
			if (w == "Nm") {
				w = i < NF && $(i + 1) ~ /^[a-z]/ ? $(++i) : name
			} else if (w == "Op") {
				text = text (glue ? "" : " ") "["
				close_it = close_it "]"
				glue = 1
				continue
			} else if (w == "Fl") {
				w = "-" $(++i)
			} else if (w == "Oc") {
				text = text "]"
				continue
			} else if (w == "Ns") {
				glue = 1
				continue
			} else if (w == "Oo" || w == "Ar" || w == "Cm" ||
			    w == "Bk" || w == "Ek" || w == "-words") {
				continue
			}
			gsub(/\\&/, "", w)
			text = text (glue ? "" : " ") w
			glue = 0
		}
		text = text close_it
	}
	END { sub(/^ /, "", text); print text }' "$1"
}

# options_of FILE: the letters that OPTIONS describes, sorted, on one line.
options_of() {
	awk '/^\.Sh / { inside = $2 == "OPTIONS"; next }
	    inside && /^\.It Fl / {
		for (i = 2; i <= NF && $i != "Ar"; i++)
			if ($i ~ /^[A-Za-z0-9]$/)
				print $i
	    }' "$1" |
	    LC_ALL=C sort -u | tr -d '\n'
}

for command in $(commands); do
	name=${command##*/}
	page=$TOP/$command.1
	# deps is for the tree alone, before anything is built
	[ "$name" != deps ] || continue
	ok "$name has a manual" [ -f "$page" ]
	[ -f "$page" ] || continue
	run "$TOP/$command" -h
	usage_of out >usage
	is "the SYNOPSIS of $name is its usage" "$(synopsis_of "$page")" \
	    "$(cat usage)"
	is "the OPTIONS of $name are those of its usage" \
	    "$(options_of "$page")" "$(letters_of <usage)"
	for section in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES; do
		like "the manual of $name has the section $section" "$page" \
		    "^\\.Sh $section\$"
	done
done

for page in "$TOP"/*/*.1; do
	name=${page##*/}
	if command -v mandoc >/dev/null; then
		run mandoc -T lint -W warning "$page"
		is "mandoc has nothing to say about $name" "$(cat out err)" ''
	else
		skip "mandoc has nothing to say about $name" 'needs mandoc'
	fi
	like "$name gives its line for qsb help" "$page" '^\.Nd [a-z]'
done

finish
