# machine.awk: from lines FILE:LINE of /proc and /sys to "key: value" lines.
#
# Variables: root (the folder that stands for /), psi_there (the kernel
# has it), disks (names, the work directory's).  Formats: proc(5), cgroups(7),
# the kernel's admin-guide (cgroup-v1/memory, cgroup-v2, mm/transhuge, mm/zswap,
# mm/multigen_lru, blockdev/zram) and ABI/stable/sysfs-block.

function say(key, value) {
	gsub(/\t/, " ", value)
	sub(/ +$/, "", value)
	printf "%s: %s\n", key, value == "" ? "-" : value
}

# A number that is larger than 2^31 does not fit %d of every awk.
function kib(bytes) {
	return bytes == "" ? "-" : sprintf("%.0f", bytes / 1024)
}

function unescape(s) {
	gsub(/\\040/, " ", s)
	gsub(/\\011/, "\t", s)
	gsub(/\\134/, "\\", s)
	return s
}

function first_line_of(file,    line) {
	if ((getline line < file) <= 0)
		line = ""
	close(file)
	return line
}

# "lzo [zstd] lz4" is zstd.
function chosen(s) {
	if (s !~ /\[/)
		return s
	sub(/^.*\[/, "", s)
	sub(/\].*$/, "", s)
	return s
}

# The folders of a group and of its ancestors as far as they are mounted, from
# the group's own on, into folders[1..]; returns their number.
function group_folders(point, top, path,    n) {
	if (top != "/" && index(path "/", top "/") == 1)
		path = substr(path, length(top) + 1)
	else if (top != "/")
		path = ""	# mounted from outside of our view
	sub(/\/$/, "", path)
	n = 0
	while (path != "") {
		folders[++n] = point path
		sub(/\/[^\/]*$/, "", path)
	}
	folders[++n] = point
	return n
}

# Version 1: how many of the n folders count, which is as far up as the memory of
# a group counts for the one above it.
function counting(n,    i) {
	for (i = 2; i <= n; i++)
		if (first_line_of(folders[i] "/memory.use_hierarchy") == "0")
			return i - 1
	return n
}

# Keeps the lesser limit in least_value, and whose it is in least_where.
# Version 1 says "none" by a number near 2^63.
function take_limit(value, where) {
	if (value !~ /^[0-9]+$/ || value >= 4611686018427387904)
		return
	if (least_value == "" || value + 0 < least_value) {
		least_value = value + 0
		least_where = where
	}
}

# The least number in that file of the n folders; "" when none is set.
function least(n, name,    i) {
	least_value = least_where = ""
	for (i = 1; i <= n; i++)
		take_limit(first_line_of(folders[i] "/" name), folders[i])
	return least_value
}

# The same in version 1, where the kernel's own answer in memory.stat also knows
# of the groups above the mount of a container.
function least_v1(n, name, field,    line, part, file) {
	least(n, name)
	file = folders[1] "/memory.stat"
	while ((getline line < file) > 0) {
		split(line, part, " ")
		if (part[1] == field)
			take_limit(part[2], folders[1])
	}
	close(file)
	return least_value
}

# CPUs that the quota leaves, the least of the n folders.
function least_cpus(n, version,    i, quota, period, part, min) {
	min = ""
	for (i = 1; i <= n; i++) {
		if (version == "v2") {
			split(first_line_of(folders[i] "/cpu.max"), part, " ")
			quota = part[1]
			period = part[2]
		} else {
			quota = first_line_of(folders[i] "/cpu.cfs_quota_us")
			period = first_line_of(folders[i] "/cpu.cfs_period_us")
		}
		if (quota !~ /^[0-9]+$/ || period + 0 <= 0)
			continue
		if (min == "" || quota / period < min)
			min = quota / period
	}
	return min == "" ? "" : sprintf("%.2f", min)
}

# The kinds differ in what memory pressure costs.
function swap_kind(name, type) {
	if (name ~ /^\/dev\/zram/)
		return "zram"
	if (name ~ /^\/dev\/(dm-|mapper\/)/)
		return "dm"
	if (name ~ /^\/dev\/loop/)
		return "loop"
	return type
}

{
	if (root != "")
		$0 = substr($0, length(root) + 1)
	colon = index($0, ":")
	file = substr($0, 1, colon - 1)
	line = substr($0, colon + 1)
	if (!(file in value)) {
		value[file] = line
		order[++files] = file
	}
}

file == "/proc/cpuinfo" {
	at = index(line, ":")
	key = substr(line, 1, at - 1)
	sub(/[ \t]+$/, "", key)
	if (!(key in cpuinfo))
		cpuinfo[key] = substr(line, at + 2)
	if (key == "processor" || line ~ /^processor [0-9]+:/)
		processors++
}

file == "/proc/meminfo" {
	split(line, part, /[: ]+/)
	meminfo[part[1]] = part[2]
}

file == "/proc/self/status" {
	split(line, part, /:[ \t]*/)
	status[part[1]] = part[2]
}

file == "/proc/swaps" && line ~ /^\// {
	n = split(line, part, /[ \t]+/)
	swap[++swaps] = sprintf("%s kind=%s size_kib=%s priority=%s",
	    unescape(part[1]), swap_kind(part[1], part[n - 3]), part[n - 2],
	    part[n])
}

file == "/proc/self/cgroup" {
	match(line, /^[0-9]+:[^:]*:/)
	controllers = substr(line, 1, RLENGTH - 1)
	sub(/^[0-9]+:/, "", controllers)
	path = substr(line, RLENGTH + 1)
	if (controllers == "")
		path_of["v2"] = path
	else {
		n = split(controllers, part, ",")
		for (i = 1; i <= n; i++)
			path_of[part[i]] = path
	}
}

file == "/proc/self/mountinfo" {
	n = split(line, part, " ")
	for (i = 7; i < n && part[i] != "-"; i++)
		;
	type = part[i + 1]
	if (type == "cgroup2") {
		point_of["v2"] = unescape(part[5])
		top_of["v2"] = unescape(part[4])
	} else if (type == "cgroup") {
		v1_there = 1
		m = split(part[n], option, ",")
		for (i = 1; i <= m; i++) {
			point_of[option[i]] = unescape(part[5])
			top_of[option[i]] = unescape(part[4])
		}
	}
}

file ~ /^\/sys\/devices\/system\/cpu\/cpu[0-9]+\/topology\// {
	if (!(line in core)) {
		core[line] = 1
		cores++
	}
}

# The processor, whose name stands in another line on each architecture.
function about_cpu(    name) {
	name = cpuinfo["model name"]
	if (name == "")
		name = cpuinfo["cpu model"]
	if (name == "")
		name = cpuinfo["cpu"]
	if (name == "")
		name = cpuinfo["uarch"]
	if (name == "" && "CPU part" in cpuinfo)
		name = "implementer " cpuinfo["CPU implementer"] " part " \
		    cpuinfo["CPU part"]
	if (name == "")
		name = cpuinfo["vendor_id"]
	say("cpu", name)
	say("cpus", processors)
	say("cpus_online", value["/sys/devices/system/cpu/online"])
	say("cpus_allowed", status["Cpus_allowed_list"])
	say("cores", cores)
	say("cpu_governor", value["/sys/devices/system/cpu/cpu0/cpufreq/" \
	    "scaling_governor"])
	say("numa_nodes", value["/sys/devices/system/node/online"])
	say("numa_balancing", value["/proc/sys/kernel/numa_balancing"])
}

function about_memory(    i) {
	say("mem_total_kib", meminfo["MemTotal"])
	say("swap_total_kib", meminfo["SwapTotal"])
	if (swaps == 0)
		say("swap", "none")
	for (i = 1; i <= swaps; i++)
		say("swap_" i, swap[i])
	if (!psi_there)
		say("psi", "not built")
	else if (value["/proc/pressure/memory"] == "")
		say("psi", "off (boot with psi=1)")
	else
		say("psi", "on")
}

function about_groups(    which, version, point, n, limit) {
	version = ""
	if ("memory" in point_of && "memory" in path_of) {
		which = "memory"
		version = "v1"
	} else if ("v2" in point_of) {
		which = version = "v2"
		if (" " first_line_of(root point_of["v2"] \
		    "/cgroup.controllers") " " !~ / memory /)
			version = "none"
	}
	say("cgroup", !v1_there ? ("v2" in point_of ? "v2" : "none") : \
	    ("v2" in point_of ? "hybrid" : "v1"))
	say("cgroup_memory", version == "" ? "none" : version)
	limit = ""
	if (version == "v1" || version == "v2") {
		n = group_folders(root point_of[which], top_of[which],
		    path_of[which])
		say("cgroup_path", path_of[which])
		if (version == "v1") {
			n = counting(n)
			limit = least_v1(n, "memory.limit_in_bytes",
			    "hierarchical_memory_limit")
		} else
			limit = least(n, "memory.max")
	}
	about_limits(limit, n, version)
	which = version == "v2" || !("cpu" in point_of) ? "v2" : "cpu"
	if (which in point_of)
		n = group_folders(root point_of[which], top_of[which],
		    path_of[which])
	else
		n = 0
	say("cpu_limit", least_cpus(n, which == "v2" ? "v2" : "v1"))
}

# Percentages of memory mean mem_limit_kib: the least of the limits and MemTotal.
function about_limits(limit, n, version,    where, total) {
	where = substr(least_where, length(root) + 1)
	total = meminfo["MemTotal"]
	if (limit == "" || (total != "" && limit / 1024 >= total)) {
		say("mem_limit_kib", total)
		say("mem_limit_by", "MemTotal")
	} else {
		say("mem_limit_kib", kib(limit))
		say("mem_limit_by", where)
	}
	if (version == "v2") {
		say("mem_high_kib", kib(least(n, "memory.high")))
		say("swap_limit_kib", kib(least(n, "memory.swap.max")))
	} else if (version == "v1") {
		say("mem_and_swap_limit_kib",
		    kib(least_v1(n, "memory.memsw.limit_in_bytes",
		    "hierarchical_memsw_limit")))
		say("cgroup_swappiness",
		    first_line_of(folders[1] "/memory.swappiness"))
	}
}

function about_compression(    i, name, zrams, base) {
	zrams = 0
	for (i = 1; i <= files; i++) {
		if (order[i] !~ /^\/sys\/block\/zram[0-9]+\/disksize$/ ||
		    value[order[i]] + 0 == 0)
			continue
		base = order[i]
		sub(/\/disksize$/, "", base)
		name = base
		sub(/^.*\//, "", name)
		zrams++
		say(name, "size_kib=" kib(value[order[i]]) " algorithm=" \
		    chosen(value[base "/comp_algorithm"]) " backing=" \
		    (base "/backing_dev" in value ? \
		    value[base "/backing_dev"] : "-"))
	}
	if (zrams == 0)
		say("zram", "none")
	base = "/sys/module/zswap/parameters/"
	say("zswap_enabled", value[base "enabled"])
	say("zswap_compressor", value[base "compressor"])
	say("zswap_zpool", value[base "zpool"])
	say("zswap_max_pool_percent", value[base "max_pool_percent"])
	say("zswap_shrinker_enabled", value[base "shrinker_enabled"])
}

# Every file of a folder, named PREFIX and what follows of its path.
function about_folder(folder, prefix,    i, name, n) {
	n = 0
	for (i = 1; i <= files; i++) {
		if (index(order[i], folder) != 1)
			continue
		name = substr(order[i], length(folder) + 1)
		gsub(/\//, "_", name)
		say(prefix name, value[order[i]])
		n++
	}
	return n
}

# What DAMON does to memory on its own, which disturbs any run: "off", or the
# actions of the threads that are on; "-" where the kernel has none.
function about_damon(    base, thread, context, scheme, text, place) {
	base = "/sys/kernel/mm/damon/admin/kdamonds/"
	for (thread = 0; (base thread "/state") in value; thread++) {
		if (value[base thread "/state"] != "on")
			continue
		for (context = scheme = 0; ; scheme++) {
			place = base thread "/contexts/" context "/schemes/" \
			    scheme "/action"
			if (place in value)
				text = text " " value[place]
			else if (scheme == 0)
				break
			else {
				context++
				scheme = -1
			}
		}
	}
	if (thread > 0 && text == "")
		text = " off"
	say("damon", substr(text, 2))
}

function about_disks(    i, j, n, m, disk, wanted) {
	m = split("scheduler rotational read_ahead_kb nr_requests " \
	    "max_sectors_kb wbt_lat_usec write_cache", wanted, " ")
	n = split(disks, disk, " ")
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++)
			say("queue_" disk[i] "_" wanted[j], value["/sys/block/" \
			    disk[i] "/queue/" wanted[j]])
}

END {
	say("boot_id", value["/proc/sys/kernel/random/boot_id"])
	say("kernel_cmdline", value["/proc/cmdline"])
	about_cpu()
	about_memory()
	about_groups()
	about_compression()
	if (!about_folder("/sys/kernel/mm/transparent_hugepage/", "thp_"))
		say("thp_enabled", "")
	say("mglru_enabled", value["/sys/kernel/mm/lru_gen/enabled"])
	say("mglru_min_ttl_ms", value["/sys/kernel/mm/lru_gen/min_ttl_ms"])
	about_damon()
	about_disks()
	about_folder("/proc/sys/vm/", "vm.")
}
