#!/bin/sh
# The commands on hard ground: outputs that cannot be written, odd folders, a
# script that is killed.  Nothing here needs root.
# shellcheck disable=SC2016 # what stands in single quotes is for another shell
. "${0%/*}/tap.sh"

# One line, from the command itself and not from the shell or a tool it uses.
says_so() { # says_so COMMAND
	[ "$(wc -l <err)" -eq 1 ] && grep -Eq "^$1: (stdout|standard output): " err
}

commands='compare confine deps doctor group guard machine qsb qsbench record
reproduce runstat timed undo'

unwritable_help() {
	for command in $commands; do
		for option in -h -V; do
			"$command" "$option" >/dev/full 2>err &&
			    printf '%s %s passes\n' "$command" "$option"
			says_so "$command" || printf '%s %s: %s\n' "$command" \
			    "$option" "$(cat err)"
			"$command" "$option" >&- 2>err &&
			    printf '%s %s, closed, passes\n' "$command" "$option"
		done
	done >wrong
	is 'no command prints its help or version into nothing as if it could' \
	    "$(cat wrong)" ''
}

unwritable_report() {
	for command in doctor machine 'qsb help'; do
		$command >/dev/full 2>err
		is "$command to a full disk fails" $? 1
		ok '... and says so once' says_so "${command%% *}"
	done
}

no_scratch() {
	mkdir -- ./-t
	run env TMPDIR=-t timed -q -o dashed true
	is 'a TMPDIR that begins with a dash is a folder' "$status" 0
	run env TMPDIR="$SCRATCH/none" timed -q true
	is 'a TMPDIR that is not there is our own fault' "$status" 125
}

what_readers_leave() {
	mkdir scratch
	TMPDIR=$SCRATCH/scratch timed -q -r 9 -o short true 2>err | :
	TMPDIR=$SCRATCH/scratch reproduce -N 2>err | :
	tries=0
	while [ -n "$(ls scratch)" ] && [ "$tries" -lt 50 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	is 'who reads no further leaves no temporary files' "$(ls scratch)" ''
}

odd_folders() {
	for name in incomplete log runs.tsv; do
		mkdir "f-$name" "d-$name"
		: >"f-$name/machine.txt"
		: >"d-$name/machine.txt"
		mkfifo "f-$name/$name"
		mkdir "d-$name/$name"
		run timeout 20 "$TOP/scripts/timed" -o "f-$name" true
		is "a result folder whose $name is a pipe is refused" \
		    "$status $(cat err)" \
		    "125 timed: f-$name/$name: not a regular file"
		run timed -o "d-$name" true
		is "... or a folder" "$status $(cat err)" \
		    "125 timed: d-$name/$name: not a regular file"
	done
}

quiet_faults() {
	run timed -q -- ./nonexistent
	is 'with -q a command that is not there gives 127' "$status" 127
	is '... and is named' "$(cat err)" \
	    'record: ./nonexistent: No such file or directory'
}

bad_input() {
	run reproduce -N -S file:./nonexistent
	is 'reproduce: a folder for swap that is not there is wrong use' \
	    "$status" 2
	run reproduce -N -x 1/2000
	is 'reproduce: a scale that leaves too little memory is wrong use' \
	    "$status" 2
	run group -S file:x
	like 'a bad size of swap is shown as given' err '^group: -S file:x: '
	run undo -Z
	like 'undo names the option that it does not know' err \
	    '^undo: -Z: unknown option'
	run machine -d nonexistent
	is 'machine names the folder that is not there' "$(cat err)" \
	    'machine: -d nonexistent: cannot go there'
}

# Where sudo to an ordinary user often begins.
closed_folder() {
	what='a current folder that may not be entered can be described'
	mkdir closed
	(cd closed && chmod 0 . && {
		if [ "$(id -u)" -eq 0 ]; then
			set -- setpriv --reuid=65534 --regid=65534 --clear-groups
		fi
		"$@" "$TOP/scripts/machine"
	}) >out 2>err
	status=$?
	if [ "$status" -eq 127 ]; then
		skip "$what" 'needs setpriv, or not to be root'
	else
		is "$what" "$status $(cat err)" '0 '
	fi
	chmod 755 closed
}

killed_script() {
	timed -o dead sh -c 'echo $$ >pid; exec sleep 60' >out 2>err &
	timed=$!
	tries=0
	until [ -s pid ] || [ "$tries" -gt 200 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -9 "$timed"
	wait "$timed" 2>/dev/null
	tries=0
	while kill -0 "$(cat pid)" 2>/dev/null && [ "$tries" -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	ok 'kill -9 of timed ends its command' test "$tries" -lt 100
	kill -9 "$(cat pid)" 2>/dev/null
	ok '... and the folder is marked' test -s dead/incomplete
}

# The groups' file system lies below another one, as in some containers.
hidden_groups() {
	hide='mount --make-rprivate / && mount -t tmpfs none /sys/fs/cgroup'
	if unshare -m sh -c "$hide" 2>/dev/null; then
		run unshare -m sh -c "$hide"'; exec "$0" -m 64M -- true' \
		    "$TOP/scripts/confine"
		is 'without groups to be seen nothing can be confined' \
		    "$status" 77
		unlike '... and root is not told to be root' err 'run as root'
	else
		skip 'without groups to be seen nothing can be confined' \
		    'needs root and unshare'
	fi
}

if [ -c /dev/full ]; then
	unwritable_help
	unwritable_report
else
	skip 'output that cannot be written' 'needs /dev/full'
fi
no_scratch
what_readers_leave
odd_folders
quiet_faults
bad_input
closed_folder
hidden_groups
killed_script
finish
