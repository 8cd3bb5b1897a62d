#!/bin/sh
# machine: what a machine and its settings are, also where much of it is missing.
. "${0%/*}/tap.sh"

# value KEY: of that line in out.
value() {
	sed -n "s/^$1: //p" out
}

of_tree() { # of_tree TREE: describe that machine
	QS_ROOT=$1 run machine
}

put() { # put FILE TEXT: in a tree of our own
	mkdir -p "tree${1%/*}"
	printf '%b\n' "$2" >"tree$1"
}

this_machine() {
	run machine
	is 'this machine is described' "$status" 0
	is '... without a complaint' "$(cat err)" ''
	is '... its kernel' "$(value kernel_release)" "$(uname -r)"
	is '... its memory' "$(value mem_total_kib)" \
	    "$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)"
	is '... a setting of several digits, whole' \
	    "$(value vm.dirty_expire_centisecs)" \
	    "$(cat /proc/sys/vm/dirty_expire_centisecs)"
	find /proc/sys/vm -type f ! -name stat_refresh ! -name compact_memory \
	    ! -name drop_caches | sed 's|.*/||' | sort >want
	sed -n 's/^vm\.\([^:]*\): .*/\1/p' out | sort >got
	is '... every vm setting, also those that only root may read' \
	    "$(cat got)" "$(cat want)"
	is '... every line has a key and a value' \
	    "$(grep -Evc '^[A-Za-z0-9_.-]+: .' out)" 0
	is '... no key is there twice' "$(sed 's/: .*//' out | sort | uniq -d)" ''
	is '... its work directory' "$(value work_directory)" "$(pwd -P)"
}

fixture_trees() {
	tree=$TOP/tests/fixtures
	of_tree "$tree/linux-2.6.32"
	is 'version 1: a limit set above counts where memory is summed' \
	    "$(value mem_limit_kib) $(value mem_limit_by)" \
	    '131072 /cgroup/memory/lab'
	is 'PSI that is not built is not off' "$(value psi)" 'not built'
	is 'what an old kernel has not is a dash' "$(value mglru_enabled)" -
	is 'DAMON that is not there is a dash' "$(value damon)" -
	of_tree "$tree/linux-3.10"
	is 'the mount of a container is its own group' \
	    "$(value mem_limit_kib) $(value cgroup_swappiness)" '262144 30'
	of_tree "$tree/linux-4.19"
	is 'hybrid: version 1 has the memory controller' \
	    "$(value cgroup) $(value cgroup_memory)" 'hybrid v1'
	of_tree "$tree/linux-5.10"
	is 'version 2: the least limit on the way up is the effective one' \
	    "$(value mem_limit_kib) $(value mem_limit_by)" \
	    '3145728 /sys/fs/cgroup/user.slice/user-1000.slice'
	is '... and the least brake' "$(value mem_high_kib)" 786432
	of_tree "$tree/linux-6.1"
	is 'no swap is said' "$(value swap)" none
	is 'a limit of no swap at all is 0' "$(value swap_limit_kib)" 0
	of_tree "$tree/linux-6.1-pi"
	is 'without a memory controller the limit is the memory' \
	    "$(value cgroup_memory) $(value mem_limit_by)" 'none MemTotal'
	of_tree "$tree/linux-6.12"
	is 'swaps are listed with kind, size and priority' "$(value swap_1)" \
	    '/dev/zram0 kind=zram size_kib=16777212 priority=100'
	is '... names with blanks as they are' "$(value swap_3)" \
	    '/var/swap files/a\b kind=file size_kib=8388604 priority=-3'
}

own_tree() {
	put /proc/meminfo 'MemTotal:       4096000 kB\nSwapTotal: 0 kB'
	put /proc/cpuinfo 'processor\t: 0\nCPU implementer\t: 0x41
CPU part\t: 0xd0b\n\nprocessor\t: 1'
	put /proc/self/cgroup '3:cpu,cpuacct:/a/b\n2:memory:/a/b'
	put /proc/self/mountinfo \
'20 1 0:5 / / rw - tmpfs none rw
30 20 0:20 / /c/cpu rw - cgroup none rw,cpu,cpuacct
31 20 0:21 / /c/memory rw - cgroup none rw,memory'
	put /c/cpu/a/b/cpu.cfs_quota_us 150000
	put /c/cpu/a/b/cpu.cfs_period_us 100000
	put /c/cpu/a/cpu.cfs_quota_us 80000
	put /c/cpu/a/cpu.cfs_period_us 100000
	put /c/memory/a/b/memory.limit_in_bytes 9223372036854771712
	put /c/memory/a/b/memory.use_hierarchy 0
	put /c/memory/a/memory.limit_in_bytes 1048576
	put /c/memory/a/memory.use_hierarchy 0
	put /proc/pressure/memory ''
	put /sys/block/zram0/disksize 0
	put /sys/block/zram1/disksize 6442450944
	put /sys/block/zram1/comp_algorithm 'lzo [zstd] lz4'
	put /sys/module/zswap/parameters/enabled Y
	put /sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
	put /sys/kernel/mm/transparent_hugepage/khugepaged/defrag 1
	put /sys/kernel/mm/transparent_hugepage/khugepaged/full_scans 77
	put /proc/sys/vm/lowmem_reserve_ratio '256\t256\t32'
	put /proc/sys/vm/drop_caches 3
	put /sys/kernel/mm/damon/admin/kdamonds/0/state 'on\n'
	put /sys/kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/0/action 'pageout\n'
	put /sys/kernel/mm/damon/admin/kdamonds/0/contexts/0/schemes/1/action 'stat\n'
	of_tree tree
	is 'the schemes of DAMON that are on are named' "$(value damon)" 'pageout stat'
	put /sys/kernel/mm/damon/admin/kdamonds/0/state 'off\n'
	of_tree tree
	is 'those that are off are not' "$(value damon)" off
	is 'an ARM processor has a name' "$(value cpu)" \
	    'implementer 0x41 part 0xd0b'
	is 'processors are counted' "$(value cpus)" 2
	is 'the least CPU quota on the way up counts' "$(value cpu_limit)" 0.80
	is 'version 1: a limit set above does not count elsewhere' \
	    "$(value mem_limit_kib) $(value mem_limit_by)" '4096000 MemTotal'
	is 'PSI that is off says how to have it' "$(value psi)" \
	    'off (boot with psi=1)'
	rm tree/proc/pressure/memory
	put /proc/kallsyms '0000000000000000 T psi_task_change'
	of_tree tree
	is '... also on a kernel that shows no file then' "$(value psi)" \
	    'off (boot with psi=1)'
	is 'a zram device in use is listed, sizes beyond 2^31 whole' \
	    "$(sed -n '/^zram/p' out)" \
	    'zram1: size_kib=6291456 algorithm=zstd backing=-'
	is 'zswap is listed' "$(value zswap_enabled)" Y
	is 'huge pages are listed' "$(grep ^thp out)" \
	    'thp_enabled: always [madvise] never
thp_khugepaged_defrag: 1'
	is 'columns are parted by blanks' "$(grep '^vm\.' out)" \
	    'vm.lowmem_reserve_ratio: 256 256 32'
	mkdir empty
	of_tree empty
	is 'a machine without /proc and /sys is described, too' \
	    "$status $(value mem_total_kib) $(value swap)" '0 - none'
}

# Disks: a file system on dm-0, which is made of a partition of sda.
stacked_disks() {
	rm -rf tree
	put /proc/self/mountinfo \
"20 1 0:5 / / rw - tmpfs none rw
21 20 253:0 / $(pwd -P | sed 's/ /\\\\040/g') rw,noatime - ext4 /dev/dm-0 rw"
	put /sys/devices/sda/queue/scheduler '[bfq] none'
	put /sys/devices/sda/sda2/partition 2
	put /sys/devices/dm-0/queue/read_ahead_kb 128
	mkdir -p tree/sys/devices/dm-0/slaves tree/sys/dev/block tree/sys/block
	ln -s ../../sda/sda2 tree/sys/devices/dm-0/slaves/sda2
	ln -s ../../devices/dm-0 tree/sys/dev/block/253:0
	ln -s ../devices/dm-0 tree/sys/block/dm-0
	ln -s ../devices/sda tree/sys/block/sda
	of_tree tree
	is 'the file system of the work directory is found' \
	    "$(value work_fs_type) $(value work_device)" 'ext4 /dev/dm-0'
	is 'the disks under a device mapper are found' "$(value work_disks)" \
	    'dm-0 sda'
	is '... with the queue of each' \
	    "$(value queue_dm-0_read_ahead_kb) $(value queue_sda_scheduler)" \
	    '128 [bfq] none'
}

options() {
	mkdir elsewhere
	run machine -d elsewhere
	is '-d names the work directory' "$(value work_directory)" \
	    "$(pwd -P)/elsewhere"
	run machine -d nowhere
	is 'a directory that is not there is a failure' "$status" 1
	run machine -x
	is 'an unknown option is wrong use' "$status" 2
	like '... with the reason' err '^machine: -x: unknown option$'
	like '... and the synopsis' err '^usage: machine '
	run machine -d
	like 'a missing value is said' err '^machine: -d: needs a value$'
	run machine more
	is 'an argument is wrong use' "$status" 2
	run machine -V
	is '-V prints the version' "$(cat out)" "machine $(cat "$TOP/VERSION")"
}

main() {
	this_machine
	fixture_trees
	own_tree
	stacked_disks
	options
	finish
}

main "$@"
