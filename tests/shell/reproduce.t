#!/bin/sh
# reproduce: its plan, its table, wrong use; the real runs are tests/root's.
. "${0%/*}/tap.sh"

reported=$TOP/results/reported/qsbench.tsv
tab=$(printf '\t')

plan_of() { # plan_of ARGUMENT...: the plan alone, whatever the machine allows
	run "$TOP/scripts/reproduce" -N -s 1 "$@"
	grep ' times: ' out >plan
	sed 's/.* -- \(.*\)   (.*/\1/' plan >commands
}

# the plan

plan_of
is 'a plan exits 0' "$status" 0
is 'the plan has every reported invocation at a quarter' "$(cat commands)" \
    'qsbench -n 22500000 -p 1 -s 140175100
qsbench -n 2250000 -p 10 -s 140175100
qsbench -n 11250000 -p 2 -s 140175100
qsbench -p 4 -m 24576K
qsbench -m 89600K'
like 'the reported memory is scaled' out '^memory 255984 KiB -> 63936 KiB'
if grep -q 'NOT LIMITED' out; then
	skip 'memory and swap are scaled alike' 'memory cannot be limited here'
else
	like 'memory and swap are scaled alike' plan \
	    'timed -m 63936K -S file:48832K -- qsbench -n 22500000 '
	like 'a later report has the later swap' plan \
	    'timed -m 63936K -S file:97600K -- qsbench -m 89600K '
fi
plan_of -x 1
is 'the true size is the reported one' "$(cat commands)" \
    'qsbench -n 90000000 -p 1 -s 140175100
qsbench -n 9000000 -p 10 -s 140175100
qsbench -n 45000000 -p 2 -s 140175100
qsbench -p 4 -m 98304K
qsbench -m 358400K'
plan_of -r 7
like 'the plan tells how often each runs' plan '^7 times: '
ok 'a plan makes no result folder' [ ! -e qsb-results ]

# wrong use

while read -r options; do
	# shellcheck disable=SC2086 # words of our own
	run "$TOP/scripts/reproduce" $options
	is "reproduce $options is wrong use" "$status" 2
	like "reproduce $options says what is wrong" err "^reproduce: $options"
	is "reproduce $options prints no result" "$(cat out)" ''
done <<'END'
-x 2
-x 0
-x 1/0
-x 1/2/3
-x a
-x 1/9999999
-r 0
-r 1x
-s -1
-S tape
-S file:
-Z
END
run "$TOP/scripts/reproduce" -N extra
is 'an operand is wrong use' "$status" 2

# the table, of figures made up here

printf -- '-n 100 -p 1\t-n 25 -p 1\t300.0\t75.0\t25600\n' >cells
printf '#id\tkernel\tmem_kb\tswap_kb\targs\toutcome\telapsed_s\tuser_s\tsys_s\tmajflt\n' >mail
one() { # one KERNEL MEM OUTCOME ELAPSED USER SYS MAJFLT
	printf 'r1\t%s\t%s\t102400\t-n 100 -p 1\t%s\t%s\t%s\t%s\t%s\n' "$@"
}
{
	one 1.0 204800 ok 30 8 2 1000
	one 1.0 204800 ok 20 8 2 2000
	one 1.0 204800 oom - - - -
	one 1.0 204800 ok 40 8 2 3000
	one 2.0 - ok 10 - - -
	one 3.0 999999 ok 10 1 1 1
} >>mail
printf 'job\toutcome\tpressure\telapsed_s\tuser_s\tsys_s\tmajflt\n' >runs
printf 'q1\tok\tpressed\t6\t2\t1\t500\nq1\toom\tpressed\t1\t1\t0\t1\n' >>runs
table() { # table AWK...
	LC_ALL=C "$@" -f "$TOP/scripts/reproduce.awk" cells=cells mail=mail \
	    ram=204800 own_ram=51200 self=here cells mail runs
}
squeeze() { tr -s ' ' <"$1"; }

run table awk
squeeze out >table
like 'a reported kernel has medians over its good runs' table \
    '^1\.0 100 3/4 30\.00 33\.3 2000 2\.00 20 0$'
like 'what a report does not state is a dash' table \
    '^2\.0 100 1/1 10\.00 - - - - -$'
unlike 'a machine of another size is not in the table' table '^3\.0'
like 'this kernel is in the same table' table \
    '^here 25 1/2 6\.00 50\.0 500 1\.00 20 -$'
like 'the outcomes of this kernel are told one by one' table \
    'run by run: ok oom \(pressed pressed\)'
awk 'NR > 1' runs >rest
head -n 1 runs >header
cp header runs
run table awk
squeeze out >table
like 'without any run this kernel has 0 of 0 and no figure' table \
    '^here - 0/0 - - - - - -$'
cat header rest >runs

table awk >want
for other in mawk gawk 'busybox awk'; do
	if command -v "${other%% *}" >/dev/null; then
		# shellcheck disable=SC2086 # two words
		table $other >got
		ok "$other prints the same table" cmp -s want got
	else
		skip "$other prints the same table" "no ${other%% *} here"
	fi
done

printf -- '-n 90000000 -p 1 -s 140175100\t-n 1 -p 1\t343.3\t85.8\t0\n' >cells
LC_ALL=C awk -f "$TOP/scripts/reproduce.awk" cells=cells mail="$reported" \
    ram=255984 own_ram=0 self=here cells "$reported" runs >out
squeeze out >table
like 'the mail of 2001-10-31 is in the table: 2.4.13-ac4' table \
    '^2\.4\.13-ac4 200 3/3 184\.15 40\.3 '
like 'a kernel whose runs were all killed has no figure' table \
    '^2\.4\.14-pre6 200 0/3 - - - - - -$'
ok 'no line is wider than 80 columns' awk 'length > 80 { exit 1 }' out

# the drawn order

. "$TOP/tests/shell/scripts.sh"
is 'the order depends on the seed alone' "$(with_lib shuffled 5 12 | tr '\n' ' ')" \
    '5 8 12 7 6 1 9 3 11 10 2 4 '
is 'every number is drawn once' "$(with_lib shuffled 77 500 | sort -n)" \
    "$(awk 'BEGIN { for (i = 1; i <= 500; i++) print i }')"
ok 'all orders of three come up' [ "$(i=0; while [ $i -lt 60 ]; do
	with_lib shuffled $i 3 | tr '\n' "$tab"; echo; i=$((i + 1))
done | sort -u | wc -l)" -eq 6 ]

finish
