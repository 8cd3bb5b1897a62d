#!/bin/sh
# memhog: options, output, every exit status, and what is left behind.
. "${0%/*}/tap.sh"

# value COLUMN: of the row that -F tsv printed.
value() {
	awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
	NR == 2 { print c[name] ? $c[name] : "no column" }' out
}

# await N COMMAND...: try the command each 0.1 s until it succeeds, N times.
await() {
	tries=$1
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# children PID: the pids of its children, on one line.
children() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/(.*)/()/' |
	    awk -v parent="$1" '$4 == parent && $3 != "Z" { printf "%s ", $1 }'
}

all_gone() { # all_gone PID...
	for pid; do
		if kill -0 "$pid" 2>/dev/null; then return 1; fi
	done
}

holds() { # holds KIB PID: that much of it is resident, at least
	kib=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' \
	    "/proc/$2/status" 2>/dev/null)
	[ "${kib:-0}" -ge "$1" ]
}

# start KIB OPTION...: memhog in the background, until its only process holds so
# much; the pid of that in $worker, its own in $main.
start() {
	need=$1
	shift
	memhog "$@" >out 2>err </dev/null &
	main=$!
	await 100 has_worker
	await 100 holds "$need" "$worker"
}

has_worker() {
	worker=$(children "$main")
	worker=${worker% }
	[ -n "$worker" ]
}

end() { # end SIGNAL PID: send it, and wait for memhog to end
	kill -s "$1" "$2"
	wait "$main" 2>/dev/null	# where sh says that it was killed
	status=$?
}

# refused STATUS TEXT ARGUMENT...: told in one line with the text.
refused() {
	want=$1 text=$2
	shift 2
	run memhog "$@"
	is "memhog $* exits $want" "$status" "$want"
	is "memhog $* prints one line" "$(wc -l <err)" 1
	ok "memhog $* names $text" grep -Fq -e "$text" err
	is "memhog $* prints no result" "$(cat out)" ''
}

options() {
	run memhog
	is 'without arguments it exits 2' "$status" 2
	like 'without arguments it prints the usage on stderr' err \
	    '^usage: memhog '
	run memhog -q
	is 'without a size it exits 2' "$status" 2
	like 'without a size it says so' err 'no size'
	run memhog -h
	is '-h exits 0' "$status" 0
	for pattern in seq reverse random stride zipf hot chase hold contest; do
		like "-h lists $pattern" out "^  $pattern +[^ ]"
	done
	run memhog -V
	is '-V prints the versions of suite and workload' "$(cat out)" \
	    "memhog $(cat "$TOP/VERSION"), workload 1"
	run memhog -w 1m
	is 'an unknown option exits 2' "$status" 2
	like 'an unknown option is named' err 'unknown option -w'
}

wrong_use() {
	refused 2 'size 0' 0
	refused 2 'size -1' -1
	refused 2 1Q 1Q
	refused 2 101% 101%
	refused 2 'can address' 8191P
	refused 2 99999999999999999999 99999999999999999999
	refused 2 'too small' -p 1000000 1m
	refused 2 -r -r 0 1m
	refused 2 -p -p 0 1m
	refused 2 -t -t 0 1m
	refused 2 -s -s -1 1m
	refused 2 -a -a nosuch 1m
	refused 2 hot -a hot:90/0 1m
	refused 2 -C -C 0.5 1m
	refused 2 -C -C 2,twins=200% 1m
	refused 2 -D -D 5x 1m
	refused 2 '-j needs -G' -j 1m 1m
	refused 2 -G -G 0 1m
	refused 2 -F -F json 1m
	refused 2 -y -y swap 1m
	refused 2 -Z -Z willneed 1m
	refused 2 -Y -Y 101% -r 2 1m
	refused 2 '-H and -T' -H -T 1m
	refused 2 '-f and -y' -f file -y anon 1m
	refused 2 chase -a chase -C zero -r 2 1m
	refused 2 contest -a contest -K 1m 8m
	refused 2 nosuch 1m nosuch
	refused 2 'needs nodes' 1m interleave
	refused 2 'takes no nodes' 1m local 0
	refused 2 extra 1m membind 0 extra
	run memhog -r
	is 'an option without its value exits 2' "$status" 2
	refused 1 /nonexistent/file -f /nonexistent/file 1m
	refused 1 'not a regular file' -f /dev/null 1m
	refused 1 . -f . 1m
	ok 'a refused file is not made' [ ! -e file ]
}

sizes() {
	run memhog 8m
	is 'filling exits 0' "$status" 0
	like 'the sizes are printed' out \
	    '^asked 8 MiB, mapped 8 MiB, resident [^,]+, swapped [^,]+$'
	run memhog -q 8m
	is '-q prints nothing' "$(cat out err)" ''
	run memhog -F tsv 32m
	is '-F tsv prints a header and a row' "$(wc -l <out)" 2
	is 'the row has as many columns as the header' \
	    "$(awk -F '\t' '{ print NF }' out | uniq | wc -l)" 1
	is 'asked is what was asked' "$(value asked_bytes)" 33554432
	is 'mapped is what was asked' "$(value mapped_bytes)" 33554432
	is 'filled is what was asked' "$(value filled_bytes)" 33554432
	ok 'resident and swapped are within 0.5% of it' \
	    awk -v n=$(($(value resident_bytes) + $(value swapped_bytes))) \
	    'BEGIN { exit !(n >= 33554432 * 0.995 && n <= 33554432 * 1.005) }'
	is 'there was one round' "$(value loads)" 1.00
	run memhog -F tsv -p 3 10m
	is 'processes share the size' "$(value mapped_bytes)" 10485760
	run memhog -F tsv -p 3 1
	is 'too few pages for all processes exit 2' "$status" 2
	for size in 8M 8mib 8192k 8388608; do
		run memhog -F tsv "$size"
		is "$size is 8 MiB" "$(value asked_bytes)" 8388608
	done
	run memhog -v -q 8m
	like '-v says what is done' err '8 MiB in 1 process, content 2'
}

# The command lines of numactl's, in all their orders.
numactl() {
	rm -f map
	run memhog -r6 8M -fmap
	is 'options may stand behind the size' "$status" 0
	is 'the file has the size' "$(wc -c <map)" 8388608
	run memhog -F tsv -r3 8m
	is '-r3 are three rounds' "$(value loads)" 3.00
	is 'each of which writes all pages' "$(value written_pages)" \
	    $((3 * 8388608 / $(getconf PAGESIZE)))
	run memhog -H 8m
	is '-H is taken' "$status" 0
	run memhog 8m default
	if [ "$status" -ne 0 ]; then
		like 'without NUMA a policy is refused and named' err NUMA
		return
	fi
	for policy in 'default' 'local' 'preferred 0' 'interleave 0' 'membind 0' \
	    'bind 0' '--membind 0' 'interleave all'; do
		# shellcheck disable=SC2086 # words
		run memhog -q 8m $policy
		is "the policy $policy is taken" "$status" 0
	done
	run memhog -r6 8m --membind 0 -fmap
	is 'a policy may stand between size and options' "$status" 0
	run memhog 8m membind 1023
	is 'a node that is not there exits 1' "$status" 1
	like 'and is told' err 'NUMA policy'
}

touching() {
	pages=$((4194304 / $(getconf PAGESIZE)))
	for pattern in seq reverse random stride:7 zipf zipf:0.5 hot:80/20 \
	    chase; do
		run memhog -c -F tsv -a "$pattern" -r 4 4m
		is "$pattern is right in each round" "$status:$(value loads)" \
		    0:4.00
		is "$pattern checks each touch, and all at the end" \
		    "$(value checked_pages)" $((4 * pages))
		run memhog -c -X -Y 40% -q -a "$pattern" -r 4 -p 2 4m
		is "$pattern is right with whole pages, reads, processes" \
		    "$status" 0
	done
	run memhog -F tsv -Y 0 -r 3 4m
	is '-Y 0 only reads' "$(value read_pages):$(value written_pages)" \
	    "$((2 * pages)):$pages"
	run memhog -F tsv -K 1m -r 3 4m
	is '-K touches that much' "$(value written_pages)" $((pages + pages / 2))
	for content in 1 2 3.5 64 2,twins=50% same zero; do
		run memhog -c -q -C "$content" -a random -r 3 4m
		is "contents of $content are right" "$status" 0
		run memhog -c -q -X -C "$content" -a random -r 3 4m
		is "contents of $content are right made anew" "$status" 0
	done
	run memhog -c -F tsv -J -a random -r 3 4m
	is '-J fills and touches in each round' \
	    "$(value loads):$(value written_pages)" "3.00:$((6 * pages))"
	run memhog -c -q -u -p 3 -a random -r 3 -R 1G -G 1G -j 1m 4m
	is 'rates, jumps and orders of their own go together' "$status" 0
}

contest() {
	for size in 2m 5m 8m; do
		run memhog -c -a contest -r 3 "$size"
		is "contest is right with $size" "$status" 0
		is "contest counts its loads with $size" "$(sed 1q out)" \
		    'loads 3.00'
	done
	run memhog -q -c -a contest -t 0.3 -p 2 8m
	is 'contest ends by time' "$status" 0
	like 'with a part of a load' out '^loads [0-9]+\.[0-9][0-9]$'
}

kinds() {
	for kind in anon shared memfd; do
		run memhog -c -F tsv -y "$kind" -r 3 4m
		is "memory of the kind $kind is right" \
		    "$status:$(value resident_bytes)" 0:4194304
	done
	if [ "$(cat /proc/sys/vm/nr_hugepages 2>/dev/null || echo 1)" = 0 ] &&
	    [ "$(cat /proc/sys/vm/nr_overcommit_hugepages)" = 0 ]; then
		run memhog -y huge 4m
		is 'huge pages that are not there exit 4' "$status" 4
		like 'and are named' err 'vm.nr_hugepages'
	else
		skip 'huge pages that are not there exit 4' \
		    'needs vm.nr_hugepages to be 0'
	fi
	run memhog -E -c -q -r 2 4m
	is '-E populates' "$status" 0
	run memhog -l -F tsv 60k
	is '-l locks' "$(value locked_bytes)" 61440
	for advice in cold pageout; do
		run memhog -c -q -Z "$advice" -r 3 4m
		if grep -q 'Invalid argument' err; then
			skip "-Z $advice keeps the data" 'needs Linux 5.4'
		else
			is "-Z $advice keeps the data" "$status" 0
		fi
	done
	run memhog -T -c -q -r 2 4m
	case $(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null) in
	*'[never]'*) is '-T is refused where they are off' "$status" 1 ;;
	*always*) is '-T takes transparent huge pages' "$status" 0 ;;
	*) is '-T is refused where there are none' "$status" 1 ;;
	esac
}

limits() {
	# shellcheck disable=SC3045 # dash, busybox and bash have it
	if (ulimit -v 60000) 2>/dev/null; then
		run sh -c 'ulimit -v 60000; exec memhog 100m'
		is 'no address space exits 4' "$status" 4
		like 'and is named, with the limit' err \
		    'cannot map 100 MiB: .*ulimit -v is 60000 KiB'
	fi
	if [ "$(id -u)" -eq 0 ]; then
		command -v setpriv >/dev/null &&
		    run setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock \
		    sh -c 'ulimit -l 64; exec memhog -l 1g'
	else
		run sh -c 'ulimit -l 64; exec memhog -l 1g'
	fi
	if grep -q locked err; then
		is 'too low a limit of locked memory exits 4' "$status" 4
		like 'and is named' err 'locked 0 of 1 GiB: .*ulimit -l'
	else
		skip 'too low a limit of locked memory exits 4' \
		    'needs no CAP_IPC_LOCK'
	fi
	run memhog -F tsv -D 1023P 8m
	is '-D stops before memory gets short' "$status:$(value filled_bytes)" 0:0
	like '-D says where it stopped' err 'stopped at 0 B of 8 MiB'
	like '-D says how much is available' err 'available'
	if [ -w /dev/full ]; then
		memhog 1m >/dev/full 2>err
		is 'a full disk exits 1' "$?" 1
		like 'a full disk is told' err 'stdout: '
	fi
	memhog 1m >&- 2>err
	is 'a closed stdout exits 1' "$?" 1
}

signals() {
	start 16384 -C 1 -t 60 16m
	is 'the process is the first that would be killed' \
	    "$(cat "/proc/$worker/oom_score_adj")" 1000
	end TERM "$main"
	is 'SIGTERM exits 0' "$status" 0
	is 'SIGTERM prints the loads first' "$(sed 1q out)" 'loads 1.00'
	ok 'SIGTERM leaves no process behind' await 50 all_gone "$worker"
	start 1000 -G 1m -q 16m
	end TERM "$main"
	is 'SIGTERM exits 0 while it grows' "$status" 0
	like 'SIGTERM prints a part of a load' out '^loads 0\.[0-9][0-9]$'
	start 1000 -q -a contest 16m
	end TERM "$main"
	is 'SIGTERM exits 0 in contest' "$status" 0
	like 'SIGTERM prints the loads of contest' out \
	    '^loads [0-9]+\.[0-9][0-9]$'
	start 4000 -t 60 4m
	end KILL "$worker"
	is 'a killed process exits 4' "$status" 4
	like 'a killed process is told' err 'killed by signal 9'
	start 4000 -t 60 4m
	end TERM "$worker"
	is 'a process that others stopped exits 1' "$status" 1
	start 4000 -t 60 4m
	end HUP "$main"
	is 'SIGHUP ends it by that signal' "$status" 129
}

# Write into the file that is mapped, while it is held.
corruption() {
	rm -f map
	start 2048 -c -C 1 -f map -t 3 2m
	printf 'x' | dd of=map bs=1 seek=1000000 conv=notrunc 2>/dev/null
	wait "$main"
	status=$?
	is 'a changed byte exits 3' "$status" 3
	like 'a changed byte is told with place and values' err \
	    'address 0x[0-9a-f]+, offset 1000000: 0x[0-9a-f]{16} instead of 0x[0-9a-f]{16} \(flipped'
	is 'a changed byte prints no sizes' "$(cat out)" ''
	start 2048 -c -C 1 -f map -a reverse -p 1 -t 60 2m
	dd if=map of=map bs=4096 skip=7 seek=9 count=1 conv=notrunc 2>/dev/null
	await 100 all_gone "$main"
	wait "$main"
	is 'a moved block exits 3 at the next touch' "$?" 3
	like 'a moved block is told from others' err \
	    '(misplaced|stale|torn|damaged)'
	rm -f map
}

main() {
	options
	wrong_use
	sizes
	numactl
	touching
	contest
	kinds
	limits
	signals
	corruption
	finish
}

main
