#!/bin/sh
# record: every option, every way in which a command ends, and that nothing of
# it is left behind.
#
# Changes nothing.

. "${0%/*}/tap.sh"

cell() { # cell COLUMN [FILE]: the last row's cell
	awk -F'\t' -v name="$1" '
		/^started\t/ { for (i = 1; i <= NF; i++) if ($i == name) col = i }
		END { print $col }' "${2:-err}"
}

alive() { # alive SECONDS...: how many processes sleep for that long
	for seconds; do
		# a process may end while we look
		cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' |
		    grep -c "^$seconds\$"
	done | tr '\n' ' '
}

wait_for() { # wait_for COUNT SECONDS: until so many such sleeps are there
	tries=0
	while [ "$(alive "$2")" != "$1 " ] && [ "$tries" -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
}

# A script that leaves four behind that detach themselves, two of them in a
# session of its own where nobody listens to TERM, and then does as it is told.
orphans() { # orphans SHELL-COMMANDS
	cat >orphans.sh <<-E
	(setsid sh -c 'trap "" TERM; sleep $a & sleep $a' &)
	(sleep $a & sleep $a &)
	while [ "\$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' |
	    grep -c "^$a\\$")" -lt 4 ]; do
		sleep 0.1
	done
	$1
	E
}

test_line() {
	run record true
	is 'a command that succeeds gives 0' "$status" 0
	like 'the line is tcsh'\''s by default' err \
	    '^[0-9.]+u [0-9.]+s 0:0[0-9.]+ [0-9.]+%	0\+0k [0-9]+\+[0-9]+io [0-9]+pf\+0w$'
	is 'the line does not come on standard output' "$(cat out)" ''
	run record -q true
	is '-q prints no line' "$(cat err)" ''
	run record -F posix true
	like '-F chooses the format' err '^real 0\.0'
	run record -F nonsense true
	is 'an unknown format is wrong use' "$status" 2
	like 'and the known ones are named' err 'not one of tcsh, gnu'
	run record -f line sh -c 'echo talk >&2'
	run record -f line sh -c 'echo talk >&2'
	is '-f keeps the line out of standard error' "$(cat err)" talk
	is '-f appends' "$(grep -c 'pf+0w$' line)" 2
	run record -f none/line true
	is 'a file that cannot be opened is our own fault' "$status" 125
	record true 2>&-
	is 'so is one on a closed standard error' $? 125
	mkdir closed
	record -q -o closed sh -c 'ls -l /proc/self/fd/2' 2>&- >out
	is 'what is closed stays so, and the row is whole' \
	    "$(cat out) $(cell outcome closed/runs.tsv)" ' exit:2'
	run record -f /dev/full true
	is 'a line that cannot be written is our own fault' "$status" 125
	like 'and said' err '^record: /dev/full: No space left'
}

test_status() {
	run record sh -c 'exit 7'
	is 'the status of the command is passed on' "$status" 7
	run record sh -c 'kill -9 $$'
	is 'a command killed by SIGKILL gives 137' "$status" 137
	like 'and the signal is said' err '^record: sh: killed by signal 9 \(Killed\)$'
	like 'and the line is printed' err 'pf\+0w$'
	# a folder of PATH that may not be searched would be denied permission
	run env PATH="$TOP/measure:/usr/bin:/bin" record no-such-command
	is 'a command that is not found gives 127' "$status" 127
	is 'and says so in one line' "$(cat err)" \
	    'record: no-such-command: No such file or directory'
	: >plain
	run record ./plain
	is 'a file that is not executable gives 126' "$status" 126
	run record sh -c 'exit 127'
	is 'a command may give 127 itself' "$status" 127
	unlike 'and is not called missing' err 'No such file'
	run record
	is 'no command is wrong use' "$status" 2
	like 'and usage is shown' err '^usage: record '
	run record -Z true
	is 'an unknown option is wrong use' "$status" 2
	run record -h
	is '-h succeeds' "$status" 0
	like '-h prints the usage on standard output' out '^usage: record '
	run record -V
	like '-V prints the version' out '^record [0-9]'
	run record -- sh -c 'printf "%s-" "$@"' sh -F a
	is 'options after the command are the command'\''s' "$(cat out)" '-F-a-'
	run record -P 0 sh -c 'cat /proc/self/status'
	is '-P pins the command' "$(sed -n 's/^Cpus_allowed_list:	//p' out)" 0
	run record -P 3-1 true
	is 'a CPU list that makes no sense is wrong use' "$status" 2
	run record -P 1023 true
	is 'CPUs that are not there are our own fault' "$status" 125
}

test_row() {
	run record -F tsv sh -c 'exit 0'
	is 'a row has as many cells as the header' \
	    "$(awk -F'\t' 'NF > 1 { print NF }' err | sort -u | wc -l)" 1
	is 'a run that succeeds is ok' "$(cell outcome)" ok
	is 'the command stands in the row as a shell would read it' \
	    "$(cell command)" "sh -c 'exit 0'"
	run record -F tsv sh -c 'exit 5'
	is 'another exit status is the outcome' "$(cell outcome)" exit:5
	run record -F tsv sh -c 'exit 3'
	is 'exit status 3 is corrupt data' "$(cell outcome)" corrupt
	run record -F tsv sh -c 'exit 4'
	is 'exit status 4 is want of memory' "$(cell outcome)" enomem
	run record -F tsv sh -c 'kill -11 $$'
	is 'a signal is the outcome' "$(cell outcome)" signal:11
	run record -F tsv -O 1,5 sh -c 'exit 5'
	is '-O makes a status a success' "$(cell outcome)" ok
	is 'but passes it on' "$status" 5
	run record -F tsv -O 1,5 true
	is 'and 0 is none then unless it is named' "$(cell outcome)" exit:0
	run record -O 256 true
	is 'a status above 255 is wrong use' "$status" 2
	run record -O 1,,2 true
	is 'a list with a hole is wrong use' "$status" 2
	run record -F json sh -c 'exit 0' "a	b\"c"
	like 'the row is printed as JSON' err \
	    '^\{"started": "20.*"outcome": "ok".*"maxrss_kib": [0-9]+,.*"loads": null'
	like 'JSON has its own escapes' err 'a\\u0009b\\"c'
	mkdir rows
	QS_LOAD=mem QS_JOB=sort QS_RUN=3 run record -q -L base -o rows true
	QS_RESULTS=rows QS_LABEL=new run record -q false
	is 'a failing command fails with a row as well' "$status" 1
	is '-o and QS_RESULTS append to runs.tsv' \
	    "$(awk 'END { print NR }' rows/runs.tsv)" 3
	is 'label, load, job and run come from -L and the environment' \
	    "$(awk -F'\t' 'NR > 1 { print $2, $3, $4, $5 }' rows/runs.tsv)" \
	    'base mem sort 3
new - - -'
	run record -o nowhere touch started
	is 'a folder that is not there is our own fault' "$status" 125
	ok 'and the command is not started then' test ! -e started
	ln -s /dev/full rows/full
	mkdir full && ln -s /dev/full full/runs.tsv
	run record -o full true
	is 'a row that cannot be written is our own fault' "$status" 125
	like 'and said' err 'full/runs.tsv: the row of this run is lost'
}

test_peak() {
	cat >fat.sh <<-'E'
	fat=$(head -c 64000000 /dev/zero | tr '\0' x)
	record -F tsv -f peak true
	[ "${#fat}" -eq 64000000 ]
	E
	run sh fat.sh
	is 'the peak does not come from the parent of record' \
	    "$status $([ "$(cell maxrss_kib peak)" -lt 10240 ] && echo small)" \
	    '0 small'
	# shellcheck disable=SC2016 # for the command's shell
	run record -F tsv sh -c 'fat=$(head -c 16000000 /dev/zero | tr "\0" x)'
	ok 'the peak is the command'\''s' \
	    test "$(cell maxrss_kib)" -gt 15625
}

test_limit() {
	run record -t 0.2 -F tsv sleep $d
	is 'a time limit gives 124' "$status" 124
	like 'and is said' err '^record: sleep: time limit of 0.2 s passed$'
	is 'a row comes all the same' "$(cell outcome)" timeout
	is 'the limited command is gone' "$(alive $d)" "0 "
	# shellcheck disable=SC2016 # for the command's shell
	run record -t 2 -k 0.2 -F tsv sh -c 'trap "" TERM
	    fat=$(head -c 16000000 /dev/zero | tr "\0" x)
	    while :; do sleep 0.05; done'
	is 'a command that ignores TERM is killed after the grace' "$status" 124
	like 'and that is said' err '^record: sh: time limit .* passed, killed$'
	ok 'the peak of a limited command is kept' \
	    test "$(cell maxrss_kib)" -gt 15625
	run record -t 0.2 sh -c 'kill -STOP $$'
	is 'a stopped command meets its limit too' "$status" 124
	run record -t soon true
	is 'a limit that is no duration is wrong use' "$status" 2
	run record -k -1 true
	is 'a grace that is no duration is wrong use' "$status" 2
}

test_orphans() {
	if ! command -v setsid >setsid.path; then
		skip 'nothing is left behind' 'setsid'
		return
	fi
	orphans 'exit 6'
	run record -k 0.3 sh orphans.sh
	is 'the status does not depend on what is left' "$status" 6
	is 'nothing is left, however it detached itself' "$(alive $a)" '0 '
	like 'what was left is said' err 'sh: left [0-9]+ processes behind, ended now'

	orphans "sleep $b"
	run record -t 1.5 -k 0.3 sh orphans.sh
	is 'nor is anything after a time limit' \
	    "$status $(alive $a $b)" '124 0 0 '

	record -q sh orphans.sh 2>err &
	pid=$!
	wait_for 1 $b
	kill -9 "$pid"
	wait "$pid" 2>killed
	wait_for 0 $a
	is 'nor is anything after record was killed by SIGKILL' \
	    "$(alive $a $b)" '0 0 '

	record -k 0.3 sh orphans.sh 2>err &
	pid=$!
	wait_for 1 $b
	kill -9 "$(child_of "$pid")"
	wait "$pid"
	is 'nor is anything after its keeper was killed' \
	    "$? $(alive $a $b)" '125 0 0 '
}

child_of() { # child_of PID: record has one child, the keeper
	for f in /proc/[0-9]*/stat; do
		read -r child _ _ parent _ 2>/dev/null <"$f" || continue
		[ "$parent" = "$1" ] && echo "$child"
	done
}

# The command tells record, its grandparent.  (A shell's background would have
# INT and QUIT ignored.)
test_condition() {
	run record -w 'available<0' -W 0.1 -F tsv touch started
	is 'a condition that does not hold in time skips the run' "$status" 77
	ok 'and the command is not started' test ! -e started
	is 'and the outcome says why' "$(cell outcome)" \
	    'skipped:available<0 did not hold within 0.1 s'
	is 'and there is no time' "$(cell elapsed_s)" -
	mkdir late
	run record -q -o late -w 'available<0' -W 0 true
	is 'a run that is skipped leaves its row' \
	    "$(cell outcome late/runs.tsv) $(cell command late/runs.tsv)" \
	    'skipped:available<0 did not hold within 0 s true'
	run record -w 'free>0' -F tsv true
	is 'a condition that holds starts the command' \
	    "$status $(cell outcome)" '0 ok'
	run record -w 'swap=0' true
	is 'a condition that makes no sense is wrong use' "$status" 2
	like 'and what is wrong is said' err '^record: -w swap=0: not NAME>VALUE'
	run record -W x true
	is 'a limit on waiting that is no duration is wrong use' "$status" 2
	if [ -r /proc/pressure/memory ] && cat /proc/pressure/memory >psi 2>err
	then
		run record -w 'psi.full>100%' -W 0 true
	else
		run record -w 'psi.full>0' true
	fi
	is 'a condition on PSI skips, by its limit or for want of PSI' \
	    "$status" 77
}

test_samples() {
	mkdir sampled
	run record -q -o sampled -i 20ms sleep 0.3
	file=sampled/$(cell samples sampled/runs.tsv)
	is 'samples are where the row says' "$(head -n 1 "$file" | cut -f 1-4)" \
	    'time_us	late_us	mem_free_kib	mem_available_kib'
	is 'every sample has all cells' "$(awk -F'\t' '!/^#/ { print NF }' "$file" |
	    sort -u)" 14
	like 'the share of missed ticks is stated' "$file" \
	    '^# ticks [0-9]+, missed [0-9]+ \([0-9.]+%\), .* major faults'
	is 'ticks and missed ones make up the time' \
	    "$(awk '/^#/ { print ($3 + $5 >= 15) }' FS='[ ,]+' "$file")" 1
	is 'their maxima are in the row' "$(cell mem_peak_kib sampled/runs.tsv |
	    grep -c '[0-9]')$(cell late_max_ms sampled/runs.tsv |
	    grep -c '^[0-9]*\.[0-9]*$')" 11
	run record -F tsv -i 20ms sleep 0.1
	is 'without a folder there are maxima alone' "$status $(cell samples)" \
	    '0 -'
	run record -i 20ms true
	is 'samples without a row are wrong use' "$status" 2
	run record -F tsv -i 999us true
	is 'an interval below 1 ms is wrong use' "$status" 2
	mkdir unwritable && : >unwritable/samples
	run record -o unwritable -i 20ms touch started
	is 'samples that cannot be written are our own fault, at once' \
	    "$status $(ls started 2>ls.err)" '125 '
	run record -q -o sampled -i 20ms ./no-such-command
	is 'a command that is not found leaves neither row nor samples' \
	    "$status $(find sampled/samples -type f | wc -l) $(awk 'END { print NR }' \
	    sampled/runs.tsv)" '127 1 2'
}

test_counters() {
	run record -F tsv true
	like 'the speed of the CPUs is measured' err '	[0-9]+\.[0-9]{3}	[0-9,-]+	true'
	is 'the CPU time of others is known' \
	    "$(cell foreign_cpu_pct | grep -c '^[0-9]*\.[0-9][0-9]$')" 1
	run record -P 0 -F tsv true
	is 'the CPUs of the command are in the row' "$(cell cpus)" 0
	run record -F tsv sleep 0.1
	like 'a run has a verdict' err '	ok	(slack|pressed|disturbed)	'
	run record -g "$SCRATCH" -F tsv touch started
	is 'a folder that is no memory group is our own fault' "$status" 125
	like 'and said' err '^record: .*: cannot enter: No such file'
	QS_CGROUP=/no/such/group run record touch started
	is 'so is one that is not there' "$status" 125
	ok 'and the command is not started' test ! -e started
	QS_LOAD=mem run record -F json true
	like 'the row is complete in JSON too' err '"calib_ms": [0-9.]+, "cpus": "'
}

test_signals() {
	cat >teller.sh <<-E
	read -r _ _ _ record _ <"/proc/\$PPID/stat"
	trap 'echo told; exit 0' "\$1"
	kill -s "\$1" "\$record"
	sleep $c &
	wait
	E
	for signal in TERM:15 HUP:1 INT:2 QUIT:3; do
		rm -f told
		run record -F tsv -f told sh teller.sh "${signal%:*}"
		is "${signal%:*} is handed on, and ends record thereafter" \
		    "$(cat out) $((status - ${signal#*:})) $(alive $c)" \
		    'told 128 0 '
		is "the row of ${signal%:*} is written" \
		    "$(cell outcome told)" "signal:${signal#*:}"
	done
	cat >ignored.sh <<-'E'
	trap '' INT
	record -F tsv -f ignored sh -c '
	    read -r _ _ _ record _ <"/proc/$PPID/stat"
	    kill -s INT "$record"; kill -s INT $$'
	E
	run sh ignored.sh
	is 'what was ignored when record started stays so' \
	    "$status $(cell outcome ignored)" '0 ok'
	sed 's/record -F/record -I -F/; s/ignored/heeded/' ignored.sh >heeded.sh
	run sh heeded.sh
	is '-I: INT is handed on though it was ignored' \
	    "$status $(cell outcome heeded)" '130 signal:2'
}

# A command on a terminal of its own; what it shows comes to the file screen.
# INT is ignored there since this shell runs it in the background: record -I.
on_terminal() { # on_terminal COMMAND
	rm -f keys
	mkfifo keys
	script -qec "$1" /dev/null <keys >screen 2>&1 &
	pid=$!
	exec 9>keys
}

type_after() { # type_after REGEX KEYS: once a line of the screen matches
	tries=0
	until grep -Eq "$1" screen || [ "$tries" -ge 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	# a key that comes before the program waits for it may be thrown away
	sleep 0.2
	# shellcheck disable=SC2059 # keys have escapes
	printf "$2" >&9
}

leave_terminal() {
	tries=0
	while kill -0 "$pid" 2>gone && [ "$tries" -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	exec 9>&-
	kill "$pid" 2>gone
	wait "$pid" 2>gone
}

test_terminal() {
	if ! script -qec true /dev/null >out 2>err </dev/null; then
		skip 'a command works on the terminal' 'script, of util-linux'
		return
	fi
	# shellcheck disable=SC2016 # for the command's shell
	on_terminal 'record -q sh -c "echo ready; read -r x; echo got-\$x"'
	type_after ready 'abc\n'
	leave_terminal
	like 'a command can read the terminal' screen got-abc

	on_terminal "record -I -F tsv -f key sh -c 'echo ready; sleep $c'"
	type_after ready '\003'
	leave_terminal
	is '^C reaches a command that does not read' "$(cell outcome key)" signal:2

	on_terminal 'record -I -F tsv -f reader sh -c "echo ready; read -r x"'
	type_after ready '\003'
	leave_terminal
	is '^C reaches one that reads' "$(cell outcome reader)" signal:2

	on_terminal 'sh -i'
	# shellcheck disable=SC2016 # for the command's shell
	type_after . 'record -q sh -c "echo rea\"\"dy; read -r x; echo got-\\$x"\n'
	type_after '^ready' '\032'
	type_after 'Stopped|Suspended' 'fg\n'
	type_after '^fg|[#$] fg' 'def\n'
	type_after 'got-def' 'exit\n'
	leave_terminal
	like '^Z stops it and record, and both go on in the foreground' screen \
	    got-def
}

main() {
	# Durations that tell our sleeps from those of others.
	a=$((100000 + $$)) b=$((a + 10000000)) c=$((a + 20000000))
	d=$((a + 30000000))
	test_line
	test_status
	test_row
	test_peak
	test_limit
	test_orphans
	test_condition
	test_samples
	test_counters
	test_signals
	test_terminal
	finish
}

main "$@"
