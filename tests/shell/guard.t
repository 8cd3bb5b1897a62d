#!/bin/sh
# guard and undo, as far as they need no root: files, folders, process groups,
# settings in ordinary files, journals.

. "${0%/*}/tap.sh"

QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
newline='
'

# tell LINE...: one guard that is given these lines; answers in out
tell() {
	printf '%s\n' "$@" >in
	guard <in >out 2>err
	status=$?
}

# wait_for COMMAND...: until it succeeds, for at most ten seconds
wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 1000 ] || return 1
		sleep 0.01
	done
}

gone() { ! kill -0 "$1" 2>/dev/null; }
line_is() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }
no_journals() { [ -z "$(ls "$QS_JOURNALS")" ]; }
no_file() { ! [ -e "$1" ] && ! [ -h "$1" ]; }

# A guard whose pipe stays open: guard_pid, fd 7 to write to it.
open_guard() {
	rm -f to answers
	mkfifo to
	guard <to >answers 2>errors 7>&- &
	guard_pid=$!
	exec 7>to
}

kill_guard() {
	kill -9 "$guard_pid"
	wait "$guard_pid" 2>/dev/null
	exec 7>&-
}

# A shell may note in its own words that a guard was killed.
answered() { # answered N: N answers have come
	[ -e answers ] && [ "$(wc -l <answers)" -ge "$1" ]
}

usage_and_status() {
	run guard -x
	is 'wrong use of guard exits 2' "$status" 2
	like 'wrong use of guard shows usage on stderr' err '^usage: guard'
	run guard for
	is 'guard for without a pid is wrong use' "$status" 2
	run guard for 1x
	is 'guard for a pid that is none is wrong use' "$status" 2
	# shellcheck disable=SC2016 # the pid of that shell
	run sh -c 'guard for $$; exit'
	is 'a guard beside a script says its pid' "$status" 0
	like 'and nothing else' out '^[0-9]+$'
	ok 'it ends with the script' wait_for no_journals
	run guard -N
	is '-N without mend is wrong use' "$status" 2
	run guard -h
	is 'help exits 0' "$status" 0
	like 'help is on stdout' out '^usage: guard'
	run undo -x
	is 'wrong use of undo exits 2' "$status" 2
	run undo "$SCRATCH/none"
	is 'undo in a folder that is not there exits 2' "$status" 2
	QS_JOURNALS=relative run guard
	is 'a relative folder of journals is refused' "$status" 2
}

answers() {
	echo 60 >value
	tell "set $SCRATCH/value 10" 'format /dev/sda' 'unlink' 'unlink a' '' \
	    'unlink /x\q' 'put /etc/x 1' 'back x' 'check unlink /x' 'check'
	is 'each line has its answer, and the last says that all is done' \
	    "$(sed 's/:.*//' out | tr '\n' ' ')" \
	    'ok error error error error error error error ok error done '
	is 'a guard with faulty lines ends well' "$status" 0
	like 'an unknown action is named' out '^error: no such action: format$'
	is 'the setting is restored at the end' "$(cat value)" 60
	printf 'set %s 10' "$SCRATCH/value" | guard >out
	is 'a last line without its newline is not done' "$(cat out)" 'done'
	printf 'unlink /a\000b\n' | guard >out
	like 'a NUL byte is refused' out '^error: a NUL byte'
	{ head -c 40000 /dev/zero | tr '\0' a; echo; } | guard >out
	like 'a line that is too long is refused' out '^error: line too long'
	guard </dev/null >&- 2>err
	is 'a closed stdout is no reason to fail' "$?" 0
}

settings() {
	printf '60\n' >s1
	printf 'always [madvise] never\n' >s2
	printf 'a\nb\n' >lines
	ln -s s1 link
	tell "set $SCRATCH/s1 10" "set $SCRATCH/s1 20" "set $SCRATCH/s2 never" \
	    "set $SCRATCH/lines 1" "set $SCRATCH/link 1" "set $SCRATCH/no 1" \
	    "set $SCRATCH 1" "set $SCRATCH/s1 a\\nb"
	is 'what is no setting is refused' "$(sed 's/:.*//' out | tr '\n' ' ')" \
	    'ok ok ok error error error error error done '
	is 'a setting made twice gets its first value again' "$(cat s1)" 60
	is 'of a choice the chosen word is restored' "$(cat s2)" madvise
	is 'a refused file is untouched' "$(cat lines)" "a${newline}b"
	open_guard
	echo "set $SCRATCH/s1 10" >&7
	wait_for answered 1
	is 'the value is there when the answer comes' "$(cat s1)" 10
	echo 77 >s1
	exec 7>&-
	wait "$guard_pid"
	is 'a setting that was changed since makes guard exit 1' "$?" 1
	is 'and is left as it is' "$(cat s1)" 77
	like 'and that is told' errors 'is 77 by now, was set to 10, before that 60'
	ok 'but its journal does not stay' no_journals
}

files() {
	mkdir 'a folder' full
	: >'one file'
	: >full/x
	ln -s full/x symlink
	name="new${newline}line	tab\\"
	: >"$name"
	tell "unlink $SCRATCH/one\\040file" "rmdir $SCRATCH/a\\040folder" \
	    "unlink $SCRATCH/new\\nline\\ttab\\\\" "unlink $SCRATCH/symlink" \
	    "unlink $SCRATCH/full" "rmdir $SCRATCH/full/x" "unlink $SCRATCH/later"
	is 'folders are no files, nor files folders' \
	    "$(sed 's/:.*//' out | tr '\n' ' ')" 'ok ok ok ok error error ok done '
	ok 'a file with a blank in its name is removed' no_file 'one file'
	ok 'a folder is removed' no_file 'a folder'
	ok 'any byte may be in a name' no_file "$name"
	ok 'a symbolic link is removed' no_file symlink
	ok 'but not what it points to' test -f full/x
	tell "rmdir $SCRATCH/full"
	is 'a folder that is not empty makes guard exit 1' "$status" 1
	like 'and is named' err 'not undone: rmdir .*/full: .*not empty'
	run undo -N
	like 'its journal stays, and undo -N shows it' out 'rmdir .*/full$'
	rm full/x
	run undo
	is 'undo tries again' "$status" 0
	ok 'and removes it now' no_file full
	ok 'and the journal' no_journals
	: >same
	: >other
	open_guard
	echo "unlink $SCRATCH/same" >&7
	wait_for answered 1
	mv other same
	exec 7>&-
	wait "$guard_pid"
	is 'another file by the same name is left alone' "$?" 1
	ok 'it is still there' test -f same
}

groups() {
	setsid sh -c 'trap "" HUP; sleep 600 & echo $$ >leader; wait' &
	wait_for test -s leader
	leader=$(cat leader)
	tell "killgroup $leader" 'killgroup 1' 'killgroup 0' 'killgroup x' \
	    'killgroup 2147483647'
	is 'what is no process group is refused' \
	    "$(sed 's/:.*//' out | tr '\n' ' ')" 'ok error error error error done '
	ok 'the leader of the process group has ended' wait_for gone "$leader"
	wait 2>/dev/null
	setsid sh -c 'trap "" TERM; (trap "" TERM; echo x >there; while :; do sleep 1; done) &
	    echo $$ >stubborn; wait' &
	wait_for test -s stubborn
	wait_for test -s there
	tell "killgroup $(cat stubborn)"
	is 'a process group that ignores SIGTERM is ended too' "$status" 0
	ok 'all of it' wait_for gone "$(cat stubborn)"
	wait 2>/dev/null
}

marks() {
	echo 1 >m
	tell "set $SCRATCH/m 2" 'mark a' "set $SCRATCH/m 3" 'mark b' \
	    "set $SCRATCH/m 4" 'back a' 'back b' 'check set /x 1'
	is 'back undoes all since the mark, and later marks are gone' \
	    "$(sed 's/:.*//' out | tr '\n' ' ')" 'ok ok ok ok ok ok error error done '
	open_guard
	printf '%s\n' "set $SCRATCH/m 2" 'mark a' "set $SCRATCH/m 3" 'back a' >&7
	wait_for answered 4
	is 'what was done before the mark stays' "$(cat m)" 2
	exec 7>&-
	wait "$guard_pid"
	is 'and is undone in the end' "$(cat m)" 1
}

killed() {
	echo 60 >k
	: >kfile
	open_guard
	printf '%s\n' "set $SCRATCH/k 10" "unlink $SCRATCH/kfile" >&7
	wait_for answered 2
	run undo
	is 'undo leaves a living guard alone' "$(cat k) $status" '10 0'
	for signal in INT TERM HUP QUIT; do kill -$signal "$guard_pid"; done
	echo "set $SCRATCH/k 20" >&7
	ok 'a guard takes no notice of signals' wait_for answered 3
	kill_guard
	is 'after kill -9 nothing is undone yet' "$(cat k)" 20
	run undo -N
	is 'undo -N exits 0' "$status" 0
	like 'undo -N shows what was set, and the old value' out \
	    "set $SCRATCH/k 10, was 60"
	is 'and changes nothing' "$(cat k)" 20
	guard </dev/null >out 2>err
	like 'the next guard says that there is something to mend' err \
	    '1 earlier run left changes behind'
	printf 'do 9 - unlink %s/k' "$SCRATCH" >>"$(echo "$QS_JOURNALS"/*)"
	run undo
	is 'undo mends what a killed guard left, in spite of a torn line' \
	    "$(cat k) $status" '60 0'
	ok 'files too' no_file kfile
	like 'and says what it did' out "^undone: unlink $SCRATCH/kfile"
	ok 'and no journal is left' no_journals
	run undo
	is 'a second undo has nothing to do' "$status$(cat out)" 0
}

killed_half_way() {
	echo 60 >h
	: >hfile
	mkdir hdir
	: >hdir/x
	open_guard
	printf '%s\n' "rmdir $SCRATCH/hdir" "set $SCRATCH/h 10" >&7
	wait_for answered 2
	kill_guard
	run undo
	is 'undo exits 1 when something cannot be undone' "$status" 1
	is 'but does the rest' "$(cat h)" 60
	echo 10 >h
	rm hdir/x
	run undo
	is 'what was undone once is not undone again' "$(cat h) $status" '10 0'
	ok 'what was not is tried again' no_file hdir
	open_guard
	echo "set $SCRATCH/h 30" >&7
	wait_for answered 1
	kill_guard
	echo 33 >h
	run undo
	is 'undo leaves a setting that was changed since' "$(cat h) $status" '33 1'
	like 'and says so' err 'is 33 by now, was set to 30, before that 10'
	run undo
	is 'it says so once' "$status" 0
}

folders() {
	chmod 755 "$QS_JOURNALS"
	tell "unlink $SCRATCH/x"
	is 'a folder of journals that others may read is refused' "$status" 1
	like 'with the reason' err 'not private to this user'
	run undo
	is 'by undo too' "$status" 1
	chmod 700 "$QS_JOURNALS"
	mkdir -m 700 real
	ln -s real linked
	QS_JOURNALS=$SCRATCH/linked tell "unlink $SCRATCH/x"
	is 'a folder of journals that is a link is refused' "$status" 1
	echo '#!/bin/sh' >"$QS_JOURNALS/1999999999-5-00000000"
	echo hello >"$QS_JOURNALS/README"
	run undo
	is 'a file that is no journal is not touched' \
	    "$status $(cat "$QS_JOURNALS"/1*) $(cat "$QS_JOURNALS/README")" \
	    '1 #!/bin/sh hello'
	rm -f "$QS_JOURNALS"/*
	: >old
	cat >"$QS_JOURNALS/1999999999-5-00000001" <<-END
	qsb-journal 1 1999999999 5 00000000-0000-0000-0000-000000000000
	do 1 60 set $SCRATCH/h 33
	do 2 - unlink $SCRATCH/old
	END
	run undo
	is 'of a journal from before a reboot only files are undone' \
	    "$(cat h) $status" '33 0'
	ok 'these are removed' no_file old
	head -c 8192 /dev/zero >qsb-swap-1
	run undo "$SCRATCH"
	ok 'a file that only has the name of a swap file is left' test -f qsb-swap-1
}

# A script that sets a value, then ends as told.
cat >script <<'EOF2'
guard_program=$1
. "$2/guard.sh"
guard_start || exit 9
guard_tell set "$3" 10 || exit 8
guard_tell unlink "$4" || exit 7
guard_tell format x && exit 6
case $5 in
kill) kill -9 $$ ;;
term) kill -TERM $$ ;;
leave) exit 0 ;;
guard) kill -9 "$guard_pid" ;;
child) sleep 600 & echo $! >child; kill -9 $$ ;;
exec) exec sleep 0.2 ;;
esac
guard_tell mark a
answer=$guard_answer
guard_end || exit 5
[ "$answer" = ok ]
EOF2

# beside SHELL...: the ways a script may end, under that shell
beside() {
	shown=$*
	name="odd  name${newline}with	all\\"
	for how in end kill term leave guard child exec; do
		echo 60 >b
		: >"$name"
		"$@" script "$TOP/measure/guard" "$TOP/scripts" "$SCRATCH/b" \
		    "$SCRATCH/$name" $how >out 2>err
		status=$?
		ok "with $shown, all is undone after: $how" wait_for line_is b 60
		ok "with $shown, the file has gone after: $how" \
		    wait_for no_file "$name"
		case $how in
		end) is "with $shown, a script sees that all is well" $status 0 ;;
		guard) is "with $shown, a script outlives its guard" $status 1 ;;
		child) kill "$(cat child)" ;;
		esac
	done
	ok "with $shown, no journal is left" wait_for no_journals
}

usage_and_status
answers
settings
files
groups
marks
killed
killed_half_way
folders
for shell in dash 'busybox sh' 'bash --posix' ksh; do
	if command -v "${shell%% *}" >/dev/null; then
		# shellcheck disable=SC2086 # a command and its option
		beside $shell
	else
		skip "a guard beside a script of $shell" "${shell%% *} is not here"
	fi
done
finish
