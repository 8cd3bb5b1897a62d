#!/bin/sh
# kill -9 at a random moment: a script that confines a command, with a swap file
# and two sysctls set, is killed again and again; in every second round its guard
# as well, after which undo mends.  Each time everything must be as before.
#
# QS_KILL_ROUNDS rounds (200), QS_SEED the seed (of the time, and printed).

. "${0%/*}/../shell/tap.sh"

[ "$(id -u)" -eq 0 ] || skip_all 'needs root'
rounds=${QS_KILL_ROUNDS:-200}
seed=${QS_SEED:-$(date +%s)}
mark=QS_KILL_TEST=$$
work=$SCRATCH/work
mkdir "$work"
QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS

plan=$(group -m 64M -S "file:8M:$work" 2>&1) || skip_all "needs: $plan"
parent=$(printf '%s\n' "$plan" | sed -n 's/^parent: //p')
# What is killed.  Its command has children, and more memory than the limit.
cat >victim <<'EOF2'
set -u
here=$1/scripts work=$2 first=$3 second=$4
usage() { :; }
. "$here/lib.sh"
. "$here/confine.sh"
confine_memory=64M confine_swap=file:8M:$work
confine_plan
trap guard_end EXIT
confine_setup
guard_tell set /proc/sys/vm/swappiness "$first" || exit 1
guard_tell set /proc/sys/vm/page-cluster "$second" || exit 1
guard_tell unlink "$work/made" || exit 1
: >"$work/made"
guard_tell unlink "$work/full" || exit 1
[ -z "${5-}" ] || exit 0
"$confine_program" -g "$confine_group" -- sh -c '
	sleep 600 &
	trap "" TERM
	head -c 69206016 /dev/zero | tail -c 69206016 | { read -r line; echo >"$0"; }
	echo >"$0"
	wait' "$work/full" 8>&- 9<&- &
wait
EOF2

# Processes that the victim has started, by a mark in their environment.
marked() {
	grep -lszxF "$mark" /proc/[0-9]*/environ 2>/dev/null |
	    sed 's|/proc/\([0-9]*\)/.*|\1|'
}

# Zombies have no environment; init is to bury them.
none_marked() { [ -z "$(marked)" ]; }

wait_for() {
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 2000 ] || return 1
		sleep 0.01
	done
}

# Another run with swap of its own may have to end first.
can_swap() {
	guard <in >out 2>err
	grep -q '^ok' out
}

# All that could have stayed changed.  Reading two of the files acts; and other
# runs of the suite may come and go with swap of their own, of that priority.
state() {
	for file in /proc/sys/vm/*; do
		case $file in
		*/stat_refresh | */compact_memory) ;;
		*) grep -s '' "$file" /dev/null ;;
		esac
	done
	awk -v work="$work" 'index($1, work) || $5 != 32767 {
		print $1, $2, $3, $5
	}' /proc/swaps
	find "$parent" -type d -name 'qsb-*'
	find "$work" "$QS_JOURNALS"
}

now_ms() {
	read -r now _ </proc/uptime
	now=${now%.*}${now#*.}0
}

guards() { # the marked ones that are guards
	for pid in $(marked); do
		read -r name 2>/dev/null <"/proc/$pid/comm" || continue
		[ "$name" != guard ] || printf '%s\n' "$pid"
	done
}

no_guards() { [ -z "$(guards)" ]; }

start() { # start [WORD]: the victim, its pid in $victim
	env "$mark" "${QS_SH_VICTIM:-sh}" victim "$TOP" "$work" \
	    $((swappiness == 33 ? 34 : 33)) $((cluster == 2 ? 1 : 2)) "$@" \
	    >victim.out 2>&1 4<&- &
	victim=$!
}

# The journal tells how far the victim had come.
count_changes() {
	cat "$QS_JOURNALS"/* 2>/dev/null | grep -c '^do ' >>stages
}

# No process may be needed to find the guard, or its moment would be missed; the
# name of its journal begins with its pid.
kill_with_guard() { # kill_with_guard ROUND
	set -- "$1" "$QS_JOURNALS"/*-*
	guard_pid=${2##*/}
	guard_pid=${guard_pid%%-*}
	case $guard_pid in
	*[!0-9]*) guard_pid=$victim ;;
	esac
	if [ $(($1 % 4)) -eq 1 ]; then
		kill -9 "$victim" "$guard_pid" 2>/dev/null
	else
		kill -9 "$guard_pid" "$victim" 2>/dev/null
	fi
	wait "$victim" 2>/dev/null
}

kill_round() { # kill_round ROUND DELAY
	start
	sleep "$2"
	if [ $(($1 % 2)) -eq 1 ]; then
		kill_with_guard "$1"
		wait_for no_guards
		count_changes
		undo >undo.out 2>&1 || return 1
	else
		kill -9 "$victim" 2>/dev/null
		wait "$victim" 2>/dev/null
	fi
	wait_for none_marked
}

# A round in which another run's swap kept the victim from starting is done
# again; what must be undone is the same.
round_of() { # round_of ROUND DELAY
	repeats=0
	while kill_round "$1" "$2"; do
		grep -q '^victim: skipped' victim.out || return 0
		repeats=$((repeats + 1))
		[ $repeats -lt 20 ] || return 1
		wait_for can_swap
	done
	return 1
}

printf 'check swapon %s/x 8M 32767\n' "$work" >in
wait_for can_swap || skip_all "needs swap files: $(head -n 1 out)"
swappiness=$(cat /proc/sys/vm/swappiness)
cluster=$(cat /proc/sys/vm/page-cluster)
guard </dev/null >out	# makes the folder of journals
state >before

# How long it takes to set all up, undisturbed; the moments spread over more.
now_ms
began=$now
start once
wait "$victim"
is 'a victim that nobody kills ends well' "$? $(cat victim.out)" '0 '
now_ms
full=$((now - began))
wait_for none_marked
state >after
ok 'and leaves all as it was' cmp -s before after

printf '# seed %d, %d rounds, set up and undone in %d ms\n' "$seed" "$rounds" \
    "$full"
awk -v seed="$seed" -v n="$rounds" -v full="$full" 'BEGIN {
	srand(seed)
	for (i = 1; i <= n; i++)
		printf "%d %.3f\n", i, rand() * rand() * full * 1.5 / 1000
}' >moments

bad=0
while read -r round delay <&4; do
	round_of "$round" "$delay" 4<&-
	result=$?
	state >after
	if [ $result -ne 0 ] || ! cmp -s before after; then
		bad=$((bad + 1))
		printf '# round %d, killed after %s s, result %d:\n' "$round" \
		    "$delay" $result
		diff before after | sed 's/^/# /'
		sed 's/^/# /' undo.out victim.out
		for pid in $(marked); do
			printf '# left: %s %s\n' "$pid" \
			    "$(tr '\0' ' ' <"/proc/$pid/cmdline")"
		done
	fi
	[ $bad -lt 5 ] || break
done 4<moments
is "after $rounds kills at random moments everything is as before" "$bad" 0

printf '# changes journalled when the guard was killed:'
sort -n stages | uniq -c | awk '{ printf " %s: %sx", $2, $1 } END { print "" }'
ok 'the kills hit different stages' [ "$(sort -u stages | wc -l)" -ge 3 ]
finish
