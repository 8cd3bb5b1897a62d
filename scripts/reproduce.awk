# reproduce.awk: the table of scripts/reproduce: the reported kernels and this one.
#
# usage: awk -f reproduce.awk KEY=VALUE... CELLS REPORTED RUNS
#
# CELLS     one line an invocation: arguments as reported <TAB> arguments as run
#           <TAB> size as reported, MiB <TAB> size as run, MiB <TAB> swap as
#           run, KiB
# REPORTED  results/reported/qsbench.tsv
# RUNS      runs.tsv of this experiment; the job of invocation N is qN
# cells, mail    the names of the first two files, as given
# ram       reported memory in KiB; own_ram ours (0: not limited)
# self      the name of this kernel in the table
#
# Figures are medians over the good runs.  Prints with "." in every locale.

BEGIN {
	FS = "\t"
	form = "%-25.25s %5s %5s %8s %5s %7s %6s %6s %5s\n"
}

function median(v, n,    i, j, t) {
	for (i = 2; i <= n; i++) {
		t = v[i]
		for (j = i - 1; j >= 1 && v[j] > t; j--)
			v[j + 1] = v[j]
		v[j + 1] = t
	}
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

# A group is one row of the table: the runs of a kernel in one report.
function add_group(group, cell, label, swap_mib, ram_kib) {
	if (group in total)
		return
	order[cell, ++rows[cell]] = group
	name[group] = label
	swap[group] = swap_mib
	ram_of[group] = ram_kib
	# Set, as gawk 5.2.1 may crash on an unset element that is passed on.
	total[group] = count[group] = cpus[group] = faults[group] = 0
}

# The run in $0 into its group; only good ones give figures.
function add_run(group,    elapsed, user, sys, pf, n) {
	total[group]++
	elapsed = $col["elapsed_s"]
	user = $col["user_s"]
	sys = $col["sys_s"]
	pf = $col["majflt"]
	if ($col["outcome"] != "ok" || elapsed == "-" || elapsed + 0 == 0)
		return
	n = ++count[group]
	elapsed_of[group, n] = elapsed
	place[group, n] = total[group]
	if (user != "-" && sys != "-" && user + sys > 0) {
		n = ++cpus[group]
		cpu_of[group, n] = 100 * (user + sys) / elapsed
		stall_of[group, n] = (elapsed - user - sys) / (user + sys)
	}
	if (pf != "-")
		pf_of[group, ++faults[group]] = pf
}

function middle(array, group, n,    i, v) {
	for (i = 1; i <= n; i++)
		v[i] = array[group, i]
	return median(v, n)
}

function show(array, group, n, decimals) {
	if (n == 0)
		return "-"
	return sprintf("%." decimals "f", middle(array, group, n))
}

# The first run against the median of the later ones, in percent.  Four or more
# times in ascending order are taken for a list that its author had sorted.
function first_penalty(group,    i, v, n, first, sorted) {
	n = 0
	first = ""
	sorted = count[group] >= 4
	for (i = 2; i <= count[group]; i++)
		if (elapsed_of[group, i] < elapsed_of[group, i - 1])
			sorted = 0
	for (i = 1; i <= count[group]; i++)
		if (place[group, i] == 1)
			first = elapsed_of[group, i]
		else
			v[++n] = elapsed_of[group, i]
	if (first == "" || n == 0 || sorted)
		return "-"
	first = sprintf("%+.0f", 100 * (first / median(v, n) - 1))
	return first + 0 == 0 ? "0" : first
}

function print_group(group, size,    over, per_mib) {
	over = size - ram_of[group] / 1024
	per_mib = "-"
	if (faults[group] > 0 && ram_of[group] > 0 && over > 0)
		per_mib = sprintf("%.0f",
		    middle(pf_of, group, faults[group]) / over)
	printf form, name[group], swap[group], count[group] "/" total[group],
	    show(elapsed_of, group, count[group], 2),
	    show(cpu_of, group, cpus[group], 1),
	    show(pf_of, group, faults[group], 0),
	    show(stall_of, group, cpus[group], 2), per_mib,
	    first_penalty(group)
}

# Kibibytes as whole MiB for people; "-" stays, and so does 0 as "-".
function mib(kib) {
	return kib > 0 ? sprintf("%.0f", kib / 1024) : "-"
}

function print_cell(i,    j, group, where) {
	where = "memory that is not limited"
	if (own_ram > 0)
		where = mib(own_ram) " MiB of memory"
	printf "\nqsbench %s\n", reported[i]
	printf "  reported: %.0f MiB of data in %.0f MiB of memory\n",
	    size[i], ram / 1024
	printf "  here: qsbench %s,\n    %.0f MiB of data in %s\n", run_as[i],
	    own_size[i], where
	printf form, "kernel", "swap", "good", "elapsed", "CPU", "pf", "stall",
	    "pf per", "first"
	printf form, "", "MiB", "", "s", "%", "", "ratio", "MiB", "%"
	for (j = 1; j <= rows[i]; j++) {
		group = order[i, j]
		print_group(group, group == "self" i ? own_size[i] : size[i])
	}
	if (("self" i) in total)
		printf "  here, run by run: %s (%s)\n", outcomes[i], pressures[i]
	else
		printf form, self, "-", "0/0", "-", "-", "-", "-", "-", "-"
}

FILENAME == cells {
	reported[++n_cells] = $1
	run_as[n_cells] = $2
	size[n_cells] = $3
	own_size[n_cells] = $4
	own_swap[n_cells] = own_ram > 0 ? $5 : 0
	number[$1] = n_cells
	number["q" n_cells] = n_cells
	next
}

# The header of a file gives the columns' places.
FNR == 1 {
	sub(/^#/, "")
	for (i = 1; i <= NF; i++)
		col[$i] = i
	next
}

FILENAME == mail {
	if (!($col["args"] in number))
		next
	cell = number[$col["args"]]
	kib = $col["mem_kb"] == "-" ? ram : $col["mem_kb"]
	if (kib < 0.95 * ram || kib > 1.05 * ram)
		next
	s = $col["swap_kb"]
	group = $col["id"] SUBSEP $col["kernel"] SUBSEP s SUBSEP cell
	add_group(group, cell, $col["kernel"], mib(s), kib)
	add_run(group)
	next
}

$col["job"] in number {
	cell = number[$col["job"]]
	add_group("self" cell, cell, self, mib(own_swap[cell]), own_ram)
	add_run("self" cell)
	sep = outcomes[cell] == "" ? "" : " "
	outcomes[cell] = outcomes[cell] sep $col["outcome"]
	pressures[cell] = pressures[cell] sep $col["pressure"]
}

END {
	for (i = 1; i <= n_cells; i++)
		print_cell(i)
}
