#!/bin/sh
# doctor: what it says of this machine agrees with the machine.
. "${0%/*}/tap.sh"

doctor=$TOP/scripts/doctor
"$doctor" >out 2>err
status=$?
ok 'it ends with 0 or 1' [ "$status" -le 1 ]
is 'nothing goes wrong on the way' "$(cat err)" ''
verdict=$(tail -n 1 out)
case $status in
0) want='The main job can run here' ;;
*) want='The main job cannot run here' ;;
esac
is 'the last line says what the status says' \
    "$(printf '%s\n' "$verdict" | cut -c1-${#want})" "$want"
# shellcheck disable=SC2016 # a program of awk
ok 'every line but the last is of a known form' awk '
	last != "" && last !~ /^(yes|no ) +[^ ]/ && last !~ /^ +(gives|get it):/ { bad = 1 }
	{ last = $0 }
	END { exit bad }' out
ok 'whatever is missing says what it would give' awk '
	missing && !/gives: ./ { bad = 1 }
	{ missing = /^no / }
	END { exit bad }' out

if [ "$(id -u)" -eq 0 ]; then
	like 'root is told' out '^yes  root'
else
	like 'the lack of root is told' out '^no   root'
fi
if { cat /proc/pressure/memory >/dev/null; } 2>/dev/null; then
	like 'pressure stall information is told' out '^yes  PSI'
else
	like 'the lack of pressure stall information is told' out '^no   PSI'
fi
if [ "$(id -u)" -eq 0 ] || [ ! -e /proc/sys/vm/swappiness ]; then
	skip 'settings that are not writable are told' 'needs an ordinary user'
else
	like 'settings that are not writable are told' out '^no   settings'
fi

# a tree in which nothing is built

mkdir -p tree/scripts
cp "$TOP"/scripts/doctor "$TOP"/scripts/lib.sh tree/scripts
cp "$TOP/VERSION" tree
run tree/scripts/doctor
is 'without the programs the main job cannot run' "$status" 1
like 'the missing programs are named' out \
    'not built: qsbench record guard'
like 'what keeps the main job from running is named' out \
    'missing: programs, memory limit'

run "$doctor" -q
is 'with -q the verdict is all' "$(wc -l <out | tr -d ' ')" 1
run "$doctor" extra
is 'an operand is wrong use' "$status" 2
run "$doctor" -Z
is 'an unknown option is wrong use' "$status" 2

finish
