#!/bin/sh
# confine and group without root: wrong use, and where a group would be made on
# machines of many kinds (trees of invented files).

. "${0%/*}/tap.sh"

QS_JOURNALS=$SCRATCH/journals
export QS_JOURNALS
unset TMPDIR QS_SCOPE

# put FILE LINE...: below the tree $tree
put() {
	file=$tree/$1
	shift
	mkdir -p "${file%/*}"
	printf '%s\n' "$@" >"$file"
}

# A machine with 1 GiB: tree NAME OWN-GROUP-LINE MOUNT...
tree() {
	tree=$SCRATCH/$1
	put proc/meminfo 'MemTotal:        1048576 kB' 'MemFree: 900000 kB'
	put proc/swaps 'Filename Type Size Used Priority'
	put proc/self/cgroup "$2"
	shift 2
	put proc/self/mountinfo "$@"
}

v1_mount='31 23 0:35 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory'
v2_mount='31 23 0:35 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw'

v1_group() { # v1_group FOLDER [LIMIT]
	put "$1/memory.limit_in_bytes" "${2:-9223372036854771712}"
	put "$1/memory.memsw.limit_in_bytes" 9223372036854771712
	put "$1/memory.use_hierarchy" 1
	put "$1/cgroup.procs" 1
}

v2_group() { # v2_group FOLDER CONTROLLERS SUBTREE PROCS [LIMIT]
	put "$1/cgroup.controllers" "$2"
	put "$1/cgroup.subtree_control" "$3"
	if [ -n "$4" ]; then
		put "$1/cgroup.procs" "$4"
	else
		: >"$tree/$1/cgroup.procs"
	fi
	put "$1/cgroup.type" domain
	put "$1/memory.max" "${5:-max}"
	put "$1/memory.swap.max" max
}

v2_root() { # v2_root CONTROLLERS SUBTREE: the very root has no cgroup.type
	put sys/fs/cgroup/cgroup.controllers "$1"
	put sys/fs/cgroup/cgroup.subtree_control "$2"
	put sys/fs/cgroup/cgroup.procs 1
}

# plan [OPTION...]: what group says of the tree
plan() {
	QS_ROOT=$tree group "$@" >out 2>err
	status=$?
}

says() { # says KEY: the value of a line of the plan, without the tree's folder
	sed -n "s/^$1: //p" out | sed "s|^$tree||"
}

wrong_use() {
	run confine -m 64M
	is 'confine without a command is wrong use' "$status" 2
	like 'which is said' err '^confine: no command given$'
	like 'with the usage' err '^usage: confine'
	run confine true
	is 'confine without anything to confine by is wrong use' "$status" 2
	run confine -x true
	is 'an unknown option is wrong use' "$status" 2
	run confine -m
	is 'an option without its value is wrong use' "$status" 2
	for bad in -m:x '-m:1Q' '-m:3M' '-m:0' '-m:-5M' '-m:900000P' '-m:1%' \
	    -B:x '-B:1M' -S:x '-S:file' '-S:file:' '-S:file:x' '-S:file:1K' \
	    '-S:file:8M:/nowhere' '-S:zram:' '-S:zram:8M:' '-S:zram:8M:../x' \
	    '-S:zram:8M:a b' '-S:none:1M'; do
		tree bad '4:memory:/' "$v1_mount"
		v1_group sys/fs/cgroup/memory 33554432
		QS_ROOT=$tree run confine "${bad%%:*}" "${bad#*:}" true
		is "${bad%%:*} ${bad#*:} is wrong use" "$status" 2
		like "and said of ${bad#*:}" err "^confine: ${bad%%:*}"
	done
	for bad in x 3-1 '' 99999; do
		run confine -m 8M -P "$bad" true
		is "-P $bad is wrong use" "$status" 2
		like "and said of -P $bad" err '^confine: -P'
	done
	run confine -P 0 true
	is '-P alone is not confined' "$status" 2
	run group -g
	is 'group -g without a folder is wrong use' "$status" 2
	run group -g /x -m 5M
	is 'a plan for a group that is there is wrong use' "$status" 2
	run group true
	is 'a command without a group is wrong use' "$status" 2
	run group -g "$SCRATCH/nowhere" true
	is 'a group that is not there is our fault' "$status" 125
}

sizes() {
	tree sizes '4:memory:/lab' "$v1_mount"
	v1_group sys/fs/cgroup/memory
	v1_group sys/fs/cgroup/memory/lab 536870912
	plan -m 50% -S file:200%:/
	is 'a percentage is one of the least limit above' "$(says memory_bytes)" \
	    268435456
	is 'that of swap is one of the limit' "$(says swap_bytes)" 536870912
	is 'the least limit above is told' "$(says least_bytes)" 536870912
	plan -m 64M -S file:100K
	is 'a swap file goes to /var/tmp' "$(says swap_folder)" /var/tmp
	is 'and is a whole number of pages' \
	    $(($(says swap_bytes) % $(getconf PAGESIZE))) 0
	TMPDIR=$SCRATCH plan -S file:1M
	is 'or to TMPDIR' "$(says swap_folder)" "$(cd "$SCRATCH" && pwd -P)"
	mkdir 'a:b c'
	plan -S 'file:1M:a:b c'
	is 'or where one says, whatever the name' "$(says swap_folder)" \
	    "$(pwd -P)/a:b c"
	plan -S zram:64M:lz4
	is 'a compression is taken over' "$(says swap_algorithm)" lz4
	plan -m 1G
	is 'a limit as large as the machine is refused' "$status" 2
	like 'as it would limit nothing' err 'limit nothing'
}

version_1() {
	tree v1 '4:memory:/user.slice' "$v1_mount"
	v1_group sys/fs/cgroup/memory
	v1_group sys/fs/cgroup/memory/user.slice
	plan -m 64M
	is 'version 1: the group is made below our own' \
	    "$(says version) $(says parent) $(says enable)" \
	    '1 /sys/fs/cgroup/memory/user.slice -'
	plan -m 64M -B 32M
	is 'version 1: a brake is skipped' "$status" 77
	rm "$tree/sys/fs/cgroup/memory/user.slice/memory.memsw.limit_in_bytes"
	plan -m 64M -S none
	is 'version 1: swap that cannot be limited is no fault without swap' \
	    "$status $(says swap_limit)" '0 no'
	put proc/swaps 'Filename Type Size Used Priority' \
	    '/dev/sda2 partition 1000000 0 -2'
	plan -m 64M -S none
	is 'but is skipped with swap' "$status" 77
	like 'with the remedy' err 'boot with swapaccount=1'
	tree hybrid "4:memory:/lab
0::/lab" "$v1_mount" \
	    '32 23 0:36 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw'
	v1_group sys/fs/cgroup/memory
	v1_group sys/fs/cgroup/memory/lab
	put sys/fs/cgroup/unified/cgroup.controllers ''
	put sys/fs/cgroup/unified/lab/cgroup.procs 1
	plan -m 64M
	is 'hybrid: the hierarchy that has the memory controller is taken' \
	    "$(says version) $(says parent)" '1 /sys/fs/cgroup/memory/lab'
}

version_2() {
	tree v2 '0::/user.slice/session-2.scope' "$v2_mount"
	v2_root 'cpuset cpu io memory pids' 'cpu memory pids'
	v2_group sys/fs/cgroup/user.slice 'cpu memory pids' 'memory pids' ''
	v2_group sys/fs/cgroup/user.slice/session-2.scope 'memory pids' '' 4711
	plan -m 64M -B 32M
	is 'version 2: the group is made beside our own' \
	    "$(says version) $(says parent) $(says enable)" \
	    '2 /sys/fs/cgroup/user.slice -'
	is 'version 2: there is a brake' "$(says brake_bytes)" 33554432
	plan -m 64M -B 64M
	is 'which must be below the limit' "$status" 2
	put sys/fs/cgroup/user.slice/cgroup.subtree_control ''
	plan -m 64M
	is 'version 2: an empty group can be told to hand out memory' \
	    "$(says parent) $(says enable)" '/sys/fs/cgroup/user.slice memory'
	put sys/fs/cgroup/user.slice/cgroup.procs 12
	plan -m 64M
	is 'version 2: past one that holds processes to the next' \
	    "$(says parent) $(says enable)" '/sys/fs/cgroup -'
	put sys/fs/cgroup/cgroup.subtree_control 'cpu pids'
	plan -m 64M
	is 'version 2: the very root may be told though it holds processes' \
	    "$(says parent) $(says enable)" '/sys/fs/cgroup memory'
	tree scope '0::/qsb.scope' "$v2_mount"
	v2_root 'memory pids' 'memory pids'
	v2_group sys/fs/cgroup/qsb.scope 'memory pids' '' '' 536870912
	plan -m 64M
	is 'version 2: a group of our own that is empty is taken' \
	    "$(says parent) $(says enable)" '/sys/fs/cgroup/qsb.scope memory'
	is 'version 2: its limit counts' "$(says least_bytes)" 536870912
}

impossible() {
	tree container '0::/' "$v2_mount"
	v2_root 'memory pids' ''
	put sys/fs/cgroup/cgroup.type domain
	plan -m 64M
	is 'a container whose root group holds processes is skipped' "$status" 77
	tree pi '0::/user.slice' "$v2_mount"
	v2_root 'cpuset cpu io pids' 'cpu pids'
	v2_group sys/fs/cgroup/user.slice 'cpu pids' '' 1
	plan -m 64M
	is 'a kernel without the memory controller is skipped' "$status" 77
	like 'with the boot option that brings it' err \
	    'memory controller not enabled.*cgroup_enable=memory'
	QS_ROOT=$tree run confine -m 64M -- touch ran
	is 'confine passes that on' "$status" 77
	like 'as a skip' err '^confine: skipped: memory controller not enabled'
	ok 'and runs nothing' [ ! -e ran ]
	tree none '1:name=systemd:/' '24 20 0:5 / /proc rw - proc proc rw'
	plan -m 64M
	is 'a machine without groups is skipped' "$status" 77
}

# An ordinary user without a group of its own is sent to systemd; the commands
# that ask are invented, as both may be missing here.
scope() {
	mkdir bin
	printf '#!/bin/sh\necho 1000\n' >bin/id
	cat >bin/systemd-run <<-'END'
	#!/bin/sh
	[ "$*" = '--user --scope --quiet -p Delegate=yes -- true' ] || printf '<%s>' "$@"
	END
	chmod +x bin/id bin/systemd-run
	tree ordinary '1:name=systemd:/' '24 20 0:5 / /proc rw - proc proc rw'
	QS_ROOT=$tree PATH=$SCRATCH/bin:$PATH run confine -m 64M -- echo 'a b'
	is 'an ordinary user is sent into a scope of systemd' "$status" 0
	like 'with all words' out \
	    '^<--user>.*<env><QS_SCOPE=1><.*confine><-m><64M><--><echo><a b>$'
	QS_SCOPE=1 QS_ROOT=$tree PATH=$SCRATCH/bin:$PATH run confine -m 64M -- echo x
	is 'but only once' "$status" 77
	printf '#!/bin/sh\nexit 1\n' >bin/systemd-run
	QS_ROOT=$tree PATH=$SCRATCH/bin:$PATH run confine -m 64M -- echo x
	is 'where systemd has no scope it is skipped' "$status" 77
}

# What this machine has, as whoever runs the tests.
here() {
	run group
	case $status in
	0) ok 'the plan for this machine names a folder' \
	    [ -d "$(sed -n 's/^parent: //p' out)" ] ;;
	*) is 'a machine without memory groups is a skip' "$status" 77 ;;
	esac
	# shellcheck disable=SC2016 # the inner shell's
	run confine -q -m 64M -- sh -c 'echo "$QS_CGROUP"'
	case $status in
	0) ok 'a confined command finds its group' grep -q qsb- out ;;
	77) like 'or says why there is none' err '^confine: skipped: ' ;;
	*) is 'confine works or is skipped here' "$status" '0 or 77' ;;
	esac
}

wrong_use
sizes
version_1
version_2
impossible
scope
here
finish
