#!/bin/sh
# timed: runs a command, prints what a person would have pasted, keeps the rows.
# shellcheck disable=SC2016 # what stands in single quotes is for another shell
. "${0%/*}/tap.sh"

# talk_of FILE: its lines without how many runs were pressed, slack or disturbed,
# which is up to the machine.
talk_of() {
	sed -E 's/, [0-9]+ (pressed|slack|disturbed)//g' "$1"
}

# calm FILE: without what is said of the machine's noise, which comes and goes.
calm() {
	sed -e '/^record: disturbed: /d' -e 's/record: disturbed: .*//' \
	    -e 's/, [0-9]* pressed//' -e 's/, [0-9]* slack//' \
	    -e 's/, [0-9]* disturbed//' "$1" >calmed
	cat calmed >"$1"
}

run() {
	"$@" >out 2>err </dev/null
	status=$?
	calm out
	calm err
}

# shape FILE: the text with every number as N, and whatever memory was like.
shape() {
	sed -e 's/[0-9][0-9.]*/N/g' -e 's/"*pressed"*/PRESSURE/' \
	    -e 's/"*slack"*/PRESSURE/' -e 's/"*disturbed"*/PRESSURE/' "$1"
}

# column FOLDER NAME: that column of its rows, on one line.
column() {
	# ./: to awk an operand of the form a=b is no file
	awk -F '\t' -v name="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
	NR > 1 { printf "%s%s", (NR > 2 ? " " : ""), $c }' "./$1/runs.tsv"
}

await_file() { # await_file FILE: at most 20 s
	tries=0
	until [ -s "$1" ] || [ $((tries += 1)) -gt 200 ]; do
		sleep 0.1
	done
	[ -s "$1" ]
}

the_log_of_a_run() {
	run timed -- sh -c 'echo "it is"; echo an error >&2'
	is 'a good command gives 0' "$status" 0
	release=$(uname -r)
	is 'a run is shown as it looked' "$(sed 's/[0-9]*\.[0-9]*u .*/TIME/' out)" \
"Linux-$release:
\$ sh -c 'echo \"it is\"; echo an error >&2'
it is
an error
TIME"
	like 'the time is that of tcsh' out \
	    "^[0-9]+\.[0-9]{3}u [0-9]+\.[0-9]{3}s 0:0[0-9]\.[0-9]{2} [0-9]+\.[0-9]%	0\+0k [0-9]+\+[0-9]+io [0-9]+pf\+0w$"
	folder=$(echo qsb-results/*)
	host=$(uname -n | sed 's/\..*//; s/[^A-Za-z0-9.+=_,-]/_/g')
	is 'the result folder is called DATE-HOST-JOB' "$folder" \
	    "qsb-results/$(date +%Y-%m-%d)-$host-sh"
	calm "$folder/log"
	is 'the log is what was printed' "$(cat "$folder/log")" "$(cat out)"
	is 'the last line on stderr says where it is' "$(talk_of err)" \
	    "timed: 1 of 1 ok: $folder"
	is 'the folder has rows, log and machine, no more' \
	    "$(cd "$folder" && echo *)" 'log machine.txt runs.tsv'
	is 'the machine is the one of this run' \
	    "$(sed -n 's/^kernel_release: //p' "$folder/machine.txt")" "$release"
	like '... and says whose counters the rows have' \
	    "$folder/machine.txt" '^counters: whole machine$'
	is 'the label is the release of the kernel' "$(column "$folder" label)" \
	    "$release"
	is 'the job is the name of the command' "$(column "$folder" job)" sh
	is 'without a load it is unknown' "$(column "$folder" load)" -
	run timed sh -c 'echo "it is"; echo an error >&2'
	is 'no folder is used twice' \
	    "$(find qsb-results -name runs.tsv | wc -l | tr -d ' ')" 2
	ok '... the second has a number' test -s "$folder-2/runs.tsv"
}

output_of_all_kinds() {
	run timed -o newline printf 'no newline'
	is 'an output without a newline ends before the time' \
	    "$(sed -n 3p out)" 'no newline'
	run timed -o words sh -c : "it's" '' 'a b' '$x' plain-1.0=ok
	is 'the command line can be pasted' "$(sed -n 2p out)" \
	    "\$ sh -c : 'it'\\''s' '' 'a b' '\$x' plain-1.0=ok"
	run timed -o zero printf 'a\0b\0'
	is 'a zero byte is no harm' "$status $(tr -d '\000' <out | sed -n 3p)" \
	    '0 ab'
	run timed -o long awk 'BEGIN { for (i = 0; i < 20000; i++) print i }'
	is 'a long output is whole' "$(wc -l <out | tr -d ' ')" 20003
	echo 'from a file' >input
	timed -o input.d cat <input >out 2>err
	is 'the command reads our input' "$(grep -c '^from a file$' out)" 1
	timed -o closed sh -c 'read x; echo "<$x>"' <&- >out 2>err
	is 'a closed input is an empty one' "$? $(grep '^<' out)" '0 <>'
	timed -o full echo >/dev/full 2>err
	is 'a full standard output is our own fault' $? 125
	like '... and said' err '^timed: standard output: cannot write$'
	ok '... and the result is marked' test -s full/incomplete
}

repeats() {
	run timed -r 3 -L 'swappiness=60' -o three sh -c 'echo "run $QS_RUN"'
	is 'a command is repeated' "$(column three run)" '1 2 3'
	is 'a block a run, parted by an empty line' \
	    "$(sed 's/^[0-9].*/TIME/; s/^\$ .*/COMMAND/' out)" \
'swappiness=60:
COMMAND
run 1
TIME

COMMAND
run 2
TIME

COMMAND
run 3
TIME'
	is 'the label is in the rows' "$(column three label)" \
	    'swappiness=60 swappiness=60 swappiness=60'
	unlike 'nothing of the progress is in a pipe' err 'of 3,|elapsed'
	is 'stderr has one line' "$(talk_of err)" 'timed: 3 of 3 ok: three'
	run timed -q -r 2 -o quiet sh -c 'echo not this'
	is '-q prints the times alone' \
	    "$(sed 's/^[0-9].*0w$/TIME/' out; cat err)" 'TIME
TIME'
	like '... but the log has all' quiet/log '^not this$'
}

names_from_above() {
	export QS_LABEL=above QS_LOAD=io_load QS_JOB='a job'
	run timed -o above true
	is 'label, load and job can come from above' \
	    "$(column above label) $(column above load) $(column above job)" \
	    'above io_load a job'
	run timed -o above2 -L mine true
	is '-L wins over QS_LABEL' "$(column above2 label)" mine
	run timed true
	ok 'the job names the folder, as a file name' \
	    test -d "$(echo qsb-results/*-a_job)"
	unset QS_LABEL QS_LOAD QS_JOB
	QS_RESULTS=given run timed -r 2 true
	QS_RESULTS=given run timed false
	is 'a result folder from above is added to' "$(column given job)" \
	    'true true false'
	is '... and described once' "$(echo given/machine*)" given/machine.txt
	is '... its log has both' "$(grep -c '^\$' given/log)" 3
	is '... each is printed once' "$(grep -c '^\$' out)" 1
	sed 's/^boot_id: .*/boot_id: another/' given/machine.txt >changed
	cp changed given/machine.txt
	QS_RESULTS=given run timed true
	QS_RESULTS=given run timed true
	is 'another boot is described beside the first' \
	    "$(echo given/machine*)" 'given/machine-2.txt given/machine.txt'
	ok '... which stays' cmp -s changed given/machine.txt
	run timed -o nested timed true
	is 'one timed in another adds to its folder' \
	    "$(column nested command)" 'true timed true'
	is '... and is in its log once' "$(grep -c '^\$' nested/log)" 2
}

folders_refused() {
	mkdir home && echo mine >home/notes
	run timed -o home true
	is 'a folder of other things is refused' "$status" 125
	is '... and left alone' "$(ls home)" notes
	run timed -o input true
	is 'a file is no folder' "$status" 125
	run timed -o swappiness=60 true
	is 'a folder may have "=" in its name' \
	    "$status $(column swappiness=60 job) $(talk_of err)" \
	    '0 true timed: 1 of 1 ok: swappiness=60'
	mkdir empty
	run timed -o empty true
	is 'an empty folder will do' "$status $(column empty job)" '0 true'
}

exit_statuses() {
	run timed -o s1 sh -c 'exit 5'
	is 'the status is the one of the command' "$status" 5
	is '... and in the row' "$(column s1 outcome)" exit:5
	run timed -O 3,4 -o s2 sh -c 'exit 3'
	is '-O: a status that is success gives 0' "$status" 0
	is '... and a good row' "$(column s2 outcome)" ok
	run timed -r 4 -o s3 sh -c '[ $QS_RUN = 4 ] || exit $QS_RUN'
	is 'the status is the one of the last run that failed' "$status" 3
	like '... which is told' err \
	    '^timed: 3 of 4 runs failed, the last one was run 3, exit status 3$'
	like '... in the log, too' s3/log '3 of 4 runs failed'
	is 'a failed series is complete' "$(echo s3/incomplete*)" \
	    's3/incomplete*'
	run timed -o s4 sh -c 'kill -9 $$'
	is 'killed by a signal is 128 and its number' "$status" 137
	is '... and in the row' "$(column s4 outcome)" signal:9
	run timed -t 0.2 -r 2 -o s5 sleep 10
	is 'the time limit is 124' "$status" 124
	is '... and in the rows' "$(column s5 outcome)" 'timeout timeout'
	rm -rf qsb-results
	run timed -r 3 ./no-such-command
	is 'a command that is not there is 127' "$status" 127
	like '... named' out 'no-such-command: '
	is '... not tried again, and no folder is left' \
	    "$(grep -c '^\$' out) $(ls qsb-results)" '1 '
	run timed ./input
	is 'a file that cannot be executed is 126' "$status" 126
	printf '#!/bin/sh\nrm gone\n' >gone && chmod +x gone
	run timed -r 9 -o s7 ./gone
	is 'a command that is gone in the second run stops the series' \
	    "$status $(column s7 outcome) $(grep -c '^\$' out)" '127 ok 2'
	run timed -r 2 -o s6 sh -c 'exit 127'
	is 'a 127 of the command itself is a failed run' \
	    "$status $(column s6 outcome)" '127 exit:127 exit:127'
}

wrong_use() {
	rm -rf qsb-results
	for bad in '-r 0' '-r 03' '-r x' '-r 1000000' '-F unknown' '-t 5x' \
	    '-k 1y' '-O 0,x' '-P none' '-x' '-r'; do
		# shellcheck disable=SC2086 # an option and its value
		run timed $bad true
		is "$bad is wrong use" "$status" 2
		like '... the first line names it' err "^timed: .*${bad#* }"
		like '... the synopsis follows' err '^usage: timed '
	done
	run timed
	is 'no command is wrong use' "$status" 2
	run timed -L 'two
lines' true
	is 'a label of two lines is wrong use' "$status" 2
	is 'wrong use leaves no folder behind' "$(echo qsb*)" 'qsb*'
	run timed -h
	is '-h is help' "$status $(sed -n 1p err)" '0 '
	run timed -V
	is '-V is the version' "$(cat out)" "timed $(cat "$TOP/VERSION")"
}

formats() {
	for format in tcsh gnu gnu-v posix bash ksh zsh busybox json tsv; do
		run timed -q -F "$format" -o "f-$format" sleep 0.01
		timed_shape=$(shape out)
		QS_LABEL=$release QS_JOB=sleep QS_RUN=1 run record \
		    -F "$format" sleep 0.01
		is "-F $format prints as record does" "$timed_shape" \
		    "$(shape err)"
	done
	run timed -q -r 3 -F tsv -o f3 true
	is 'TSV has one header line' "$(grep -c ^started out)" 1
	is '... and a line a run' "$(wc -l <out | tr -d ' ')" 4
}

# The helper that starts a command with SIGINT as a terminal would have it.
build_helper() {
	# shellcheck disable=SC2086 # CC may be two words
	${CC:-cc} -o foreground "$TOP/tests/tools/foreground.c" >err 2>&1
}

# interrupt SIGNAL FOLDER: sends it to timed in run 3 of 5.
interrupt() {
	rm -f running
	./foreground timed -r 5 -o "$2" sh -c \
	    '[ $QS_RUN -lt 3 ] || { echo $$ >running; exec sleep 30; }' \
	    >out 2>err &
	pid=$!
	await_file running
	kill -s "$1" $pid
	wait $pid
	status=$?
}

# To timed while it is printing the first of three runs: nobody reads yet.
interrupt_between() {
	mkfifo pipe
	exec 9<>pipe
	./foreground timed -r 3 -o between \
	    awk 'BEGIN { for (i = 0; i < 30000; i++) print i }' \
	    >&9 2>err 9>&- &
	pid=$!
	tries=0
	until grep -q awk between/runs.tsv 2>/dev/null ||
	    [ $((tries += 1)) -gt 200 ]; do
		sleep 0.1
	done
	sleep 0.3
	kill -s INT $pid
	cat <&9 >/dev/null 9>&- &
	reader=$!
	wait $pid
	status=$?
	kill $reader
	exec 9>&-
}

interruptions() {
	if ! command -v "${CC:-cc}" >/dev/null; then
		skip 'an interrupted series keeps its runs' 'no C compiler'
		return
	fi
	ok 'the helper compiles' build_helper
	interrupt INT int
	is 'an interrupted series ends with 130' "$status" 130
	is '... at once, with the command' \
	    "$(kill -0 "$(cat running)" 2>&1 | grep -c 'o such')" 1
	is '... the runs before are kept, and that it ended so' \
	    "$(column int outcome)" 'ok ok signal:2'
	like '... the result is marked, with run and status' int/incomplete \
	    'ended with status 130 in run 3 of 5: '
	like '... the log tells it' int/log \
	    '^timed: interrupted by SIGINT in run 3 of 5, exit status 130$'
	like '... and so does stderr' err 'interrupted by SIGINT'
	like 'how many were good is said of all' err 'timed: 2 of 5 ok'
	interrupt_between
	is 'interrupted between two runs, a series ends as well' \
	    "$status $(column between outcome)" '130 ok'
	like '... and says so' between/log \
	    '^timed: interrupted by SIGINT before run 2 of 3, exit status 130$'
	interrupt TERM term
	is 'SIGTERM ends it with 143' "$status $(column term outcome)" \
	    '143 ok ok signal:15'
	interrupt HUP hup
	is 'SIGHUP ends it with 129' "$status $(column hup outcome)" \
	    '129 ok ok signal:1'
	interrupt KILL dead 2>/dev/null
	is 'after SIGKILL the runs before are there' \
	    "$status $(column dead outcome)" '137 ok ok'
	ok '... and the mark that runs are missing' test -s dead/incomplete
	kill "$(cat running)" 2>/dev/null	# gone with timed by now
	QS_RESULTS=dead run timed true
	ok 'a later series does not take that mark away' test -s dead/incomplete
}

# The time comes from record alone: neither time(1) nor date is asked.
without_time() {
	mkdir bin
	for tool in sh awk cat cmp getconf grep mkdir mktemp rm rmdir sed \
	    tail tr uname env busybox bash; do
		ln -s "$(command -v "$tool")" "bin/$tool" 2>/dev/null
	done
	cat >bin/date <<'EOF'
#!/bin/sh
echo "$*" >>"$DATES"
echo '1515526452.%-N'
EOF
	chmod +x bin/date
	DATES=$PWD/dates PATH=$SCRATCH/.by:$PWD/bin:$TOP/scripts run timed -o bare awk \
	    'BEGIN { while (i < 3000000) i++ }'
	is 'a system without time(1) is measured, too' "$status" 0
	like '... and its clock is not that of date' out ' 0:[0-9]{2}\.[0-9]{2} '
	unlike 'date is never asked for a time' dates '%[sN]'
	like 'when it began does not come from date' bare/runs.tsv \
	    '^20[0-9][0-9]-[01][0-9]-[0-3][0-9]T'
}

the_users_locale() {
	run env LC_ALL=xx_XX.UTF-8 timed -o l1 sh -c 'echo "<${LC_ALL-none}>"'
	like 'the command has the locale of the user' out '^<xx_XX.UTF-8>$'
	(unset LC_ALL; timed -o l2 sh -c 'echo "<${LC_ALL-none}>"') >out 2>err
	like '... and none when there is none' out '^<none>$'
	like '... and nothing of ours' out '^<'
	run timed -o l3 sh -c 'echo "<${QS_LOCALE-none}>"'
	like '... without a trace' out '^<none>$'
}

# The layout of the source tree, and that of what is installed.
where_results_go() {
	rm -rf qsb-results
	for _ in 1 2 3 4; do
		timed -q true >>out 2>>err &
	done
	wait
	is 'four that start at once have a folder each' \
	    "$(find qsb-results -name runs.tsv | wc -l | tr -d ' ')" 4
	mkdir -p tree/measure
	cp -R "$TOP/scripts" "$TOP/VERSION" tree
	cp "$TOP/measure/record" tree/measure
	(cd tree && scripts/timed true) >out 2>err
	ok 'what is installed writes below qsb-results' test -d tree/qsb-results
	: >tree/Makefile
	(cd tree && scripts/timed true) >out 2>err
	is 'the source tree has a folder for results' \
	    "$(cd tree && echo results/*/runs.tsv | wc -w | tr -d ' ')" 1
	mkdir tree/elsewhere
	(cd tree/elsewhere && ../scripts/timed true) >out 2>err
	ok '... which is not for other folders' \
	    test -d tree/elsewhere/qsb-results
	(cd tree/scripts && sh timed true) >out 2>err
	is 'it may be started as "sh timed"' $? 0
	rm tree/measure/record
	(cd tree && scripts/timed true) >out 2>err
	is 'without record it is its own fault' $? 125
	like '... and says what to do' err '^timed: record: not built, run make$'
}

on_a_terminal() {
	if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
		skip 'progress is shown on a terminal' 'no script(1) here'
		return
	fi
	script -qec 'timed -r 2 -o t1 true' /dev/null >out 2>err </dev/null
	like 'progress is shown on a terminal' out 'timed: run 1 of 2'
	like '... with an estimate' out \
	    'run 2 of 2, [0-9]+ s elapsed, about [0-9]+ s left'
	script -qec 'timed -q -r 2 -o t2 true' /dev/null >out 2>err </dev/null
	unlike '-q: but not when it is to be quiet' out 'run 1 of 2'
}

# -U: as many runs as the median needs.
until_sure() {
	run timed -q -U 99% -r 40 -o sure -- sleep 0.2
	is 'with -U a series that is sure enough ends well' "$status" 0
	ok '... before its most runs' [ "$(wc -l <sure/runs.tsv)" -lt 41 ]
	ok '... after as many as an interval of 95% needs' \
	    [ "$(wc -l <sure/runs.tsv)" -ge 7 ]
	ok '... and is complete' [ ! -e sure/incomplete ]
	run timed -q -U 0.001% -r 7 -o unsure -- sleep 0.01
	is 'one that is never sure ends after its most runs' \
	    "$(wc -l <unsure/runs.tsv | tr -d ' ')" 8
	like '... and says so' err \
	    '^timed: after 7 runs the median is not sure within 0\.001%'
	run timed -q -U x -o no -- true
	is 'a margin that is none is wrong use' "$status" 2
	ok '... and makes no folder' [ ! -e no ]
}

main() {
	# One that is killed by SIGKILL leaves its temporary files.
	export TMPDIR="$SCRATCH"
	the_log_of_a_run
	output_of_all_kinds
	repeats
	names_from_above
	folders_refused
	exit_statuses
	wrong_use
	formats
	interruptions
	without_time
	the_users_locale
	where_results_go
	on_a_terminal
	until_sure
	finish
}

main "$@"
