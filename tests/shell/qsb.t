#!/bin/sh
# qsb: one word in front of all programs and scripts.
. "${0%/*}/tap.sh"

# A suite of our own, so that every answer is known.
suite=$SCRATCH/suite
mkdir -p "$suite/scripts/loads" "$suite/measure" "$suite/qsbench" \
    "$suite/memhog" "$suite/fileio" bin
cp "$TOP/scripts/qsb" "$suite/scripts/qsb"
echo 9.8.7 >"$suite/VERSION"

program() { # program FILE LINE...: an executable script
	file=$1
	shift
	printf '%s\n' '#!/bin/sh' "$@" >"$file"
	chmod +x "$file"
}

manual() { # manual FILE DESCRIPTION
	name=${1##*/}
	printf '.Dd December 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm %s\n' \
	    "${name%.1}" >"$1"
	printf '.Nd %s\n.Sh DESCRIPTION\nIt is used in tests.\n' "$2" >>"$1"
}

# shellcheck disable=SC2016 # for the program
program "$suite/scripts/timed" '# timed: time a command by the clock' \
    'printf "%s\n" "timed" "$@"' 'exit 7'
# shellcheck disable=SC2016 # for the program
program "$suite/measure/record" 'exec "$@"'
program "$suite/qsbench/qsbench" 'echo our qsbench'
program "$suite/scripts/loads/noload" 'echo never to be run'
program "$suite/scripts/lib.sh" 'echo never to be run'
program bin/qsbench 'echo the wrong qsbench'
: >"$suite/memhog/memhog.c"
manual "$suite/memhog/memhog.1" 'take memory'
manual "$suite/measure/record.1" 'record what a command costs'
manual "$suite/qsbench/qsbench.1" 'sort int arrays\&'
PATH=$SCRATCH/bin:$PATH
qsb=$suite/scripts/qsb

run "$qsb" timed -x 'a  b' '*'
is 'a script is run by its name, its arguments as they are' "$(cat out)" \
    "$(printf '%s\n' timed -x 'a  b' '*')"
is 'the exit status is that of the command' "$status" 7

run "$qsb" record qsbench
is 'what it runs finds qsbench by name before any other' "$(cat out)" \
    'our qsbench'

# shellcheck disable=SC2016 # for the inner shell
{ run "$qsb" record sh -c 'kill -TERM $$'; } 2>/dev/null
is 'the command takes its place, so that a signal is seen as one' "$status" 143

ln -s suite/scripts/qsb link
run ./link qsbench
is 'it finds the suite through a symbolic link' "$(cat out)" 'our qsbench'
PATH=$suite/scripts:$PATH run qsb qsbench
is 'it finds the suite when it is called by name alone' "$(cat out)" \
    'our qsbench'
(cd "$suite/scripts" && CDPATH=/tmp run sh qsb qsbench)
is 'it finds the suite when a shell is given its file' \
    "$(cat "$suite/scripts/out")" 'our qsbench'

run "$qsb" help
is 'help exits 0' "$status" 0
like 'help takes a line from the NAME section of a manual' out \
    '^  record +record what a command costs$'
like 'help takes a line from the header comment of a script' out \
    '^  timed +time a command by the clock$'
like 'help shows no formatting escape of a manual' out \
    '^  qsbench +sort int arrays$'
like 'help says what is not built yet' out \
    '^  memhog +take memory \(not built: run make\)$'
unlike 'help lists no sourced file' out 'lib'
unlike 'help does not list itself' out '^  qsb '
run "$qsb" -h
like '-h lists the commands too' out '^  record '

run "$qsb" -V
is '-V prints the version of the suite' "$(cat out)" 'qsb 9.8.7'

run "$qsb"
is 'without a command it exits 2' "$status" 2
is 'without a command it prints nothing on stdout' "$(cat out)" ''
like 'without a command it shows its usage on stderr' err '^usage: qsb '
run "$qsb" -x
is 'an unknown option exits 2' "$status" 2
like 'an unknown option is named' err '^qsb: -x: unknown option$'

run "$qsb" recrod
is 'an unknown command exits 2' "$status" 2
is 'an unknown command gives one line with what was meant' "$(cat err)" \
    'qsb: recrod: unknown command (did you mean: record?), "qsb help" lists them'
run "$qsb" xylophone
is 'no suggestion where nothing is near' "$(cat err)" \
    'qsb: xylophone: unknown command, "qsb help" lists them'
run "$qsb" help xylophone
is 'help for an unknown command exits 2' "$status" 2

for name in ./timed loads/noload lib.sh .. . '' ../bin/qsbench 'timed;id' \
    "$suite/scripts/timed"; do
	run "$qsb" "$name"
	is "the name '$name' is refused" "$status $(cat out)" '2 '
done
run "$qsb" qsb -V
is 'it does not run itself' "$status" 2
run "$qsb" memhog 1G
is 'what is not built exits 1' "$status" 1
is 'what is not built is said so' "$(cat err)" 'qsb: memhog: not built, run make'

# Manuals: with a formatter and without.
if command -v mandoc >/dev/null; then
	run "$qsb" help record
	is 'help for a command exits 0' "$status" 0
	like 'help for a command shows its manual' out \
	    'record.*record what a command costs'
	unlike 'the manual holds no overstriking where nobody sees it' out \
	    "$(printf '\b')"
else
	skip 'help for a command exits 0' 'needs mandoc'
	skip 'help for a command shows its manual' 'needs mandoc'
	skip 'the manual holds no overstriking' 'needs mandoc'
fi
mkdir tools
for tool in sh cat sed awk sort grep readlink; do
	ln -s "$(command -v "$tool")" tools/
done
program "$suite/measure/record" 'echo "help of record: $*"'
PATH=$SCRATCH/tools run "$qsb" help record
is 'without man and mandoc help shows what -h says' "$(cat out)" \
    'help of record: -h'
is 'it says that man and mandoc are missing' "$(cat err)" \
    'qsb: neither man nor mandoc is here; record -h says:'
program tools/man 'printf "man %s\n" "$*"'
PATH=$SCRATCH/tools run "$qsb" help record
is 'help uses man where there is no mandoc' "$(cat out)" \
    "man -l $suite/measure/record.1"

run "$TOP/scripts/qsb" help
unlike 'every command of the suite has its line' out '^  [^ ]+ *$'
is 'the line of each names it once' "$(awk '/^  [a-z]/ { print $1 }' out | sort |
    uniq -d)" ''

# Completion, as bash would ask for it.
if command -v bash >/dev/null; then
	# shellcheck disable=SC2016 # for the program
	program "$suite/scripts/timed" '# timed: time a command' \
	    'printf "usage: timed [-r n] -- command\n"' \
	    'printf "  -h, -V  help\n  -r n  repeats -x\n"'
	cat >complete.bash <<-END
	. '$TOP/scripts/qsb.bash-completion'
	COMP_WORDS=("\$@") COMP_CWORD=\$((\$# - 1))
	_qsb "\$1" "\${COMP_WORDS[COMP_CWORD]}"
	printf '%s\n' "\${COMPREPLY[@]}"
	END
	run bash complete.bash "$qsb" 're'
	is 'bash completes a command' "$(cat out)" record
	run bash complete.bash "$qsb" help 'ti'
	is 'bash completes a command after help' "$(cat out)" timed
	run bash complete.bash "$qsb" timed '-'
	is 'bash completes the options that -h lists' "$(cat out)" \
	    "$(printf '%s\n' -h -V -r)"
	run bash complete.bash "$qsb" timed -- '-'
	is 'bash completes no option of ours after --' "$(cat out)" ''
else
	for what in command 'command after help' option 'nothing after --'; do
		skip "bash completes: $what" 'needs bash'
	done
fi

finish
