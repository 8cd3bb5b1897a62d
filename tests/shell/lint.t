#!/bin/sh
# lint: what it must find, and that a missing tool is no pass.
. "${0%/*}/tap.sh"

mkdir -p src/tests src/lib src/scripts
cp "$TOP/tests/lint" src/tests/lint

finds() { # finds PART TOOL WHAT REGEX: lint of that part says so and fails
	if [ "$2" != awk ] && ! command -v "$2" >/dev/null; then
		skip "$3" "needs $2"
		return
	fi
	run src/tests/lint "$1"
	cat out >>err
	if [ "$status" -eq 1 ]; then
		like "$3" err "$4"
	else
		is "$3" "$status" 1
	fi
}

run src/tests/lint text
is 'a clean source exits 0' "$status" 0

printf 'int x; \n' >src/lib/a.c
finds text awk 'blanks at the end of a line are found' '^lib/a.c:1: blanks at'
printf 'int\n        y;\n' >src/lib/a.c
finds text awk 'indentation by blanks is found' '^lib/a.c:2: not indented by tabs'
rm src/lib/a.c
printf '\t\t\t\t\t\t\t\t\t/* abcdefg */\n' >'src/lib/a b.c'
finds text awk 'a line that tabs make too wide is found' \
    '^lib/a b.c:1: more than 80 columns'
rm 'src/lib/a b.c'
printf 'int f(void);\nint f(void)\n{\n\tint a[2] = { 0 };\n\treturn a[2];\n}\n' \
    >src/lib/a.c
finds c cppcheck 'a fault in C is found' 'a.c:5:.*out of bounds'
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\ncd $1\n' >src/scripts/nosuffix
finds sh shellcheck 'a fault in a script without a suffix is found' \
    'scripts/nosuffix line 2'
printf '.Dd December 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nq x\n' >src/lib/a.1
finds man mandoc 'a fault in a manual is found' 'lib/a.1:5:'

mkdir tools
for tool in sh find sed head grep awk cat mktemp rm; do
	ln -s "$(command -v "$tool")" tools/
done
for pair in sh:shellcheck c:cppcheck man:mandoc; do
	PATH=$SCRATCH/tools run src/tests/lint "${pair%:*}"
	is "without ${pair#*:} lint fails and names it" "$status $(cat err)" \
	    "1 lint: ${pair#*:} is missing: install it, nothing was checked by it"
done
run src/tests/lint sch
is 'an unknown part exits 2' "$status" 2

finish
