# The only makefile: `make help` lists the targets.
#
# `all` needs a C compiler and libc.  CC CFLAGS CPPFLAGS LDFLAGS LDLIBS AR
# PREFIX BINDIR LIBEXECDIR MANDIR DESTDIR may be set on the command line; what
# the project itself needs stays in QS_*.  O is the folder of the object files;
# with an O of its own a build keeps its programs in there too, so that builds
# by several compilers do not overwrite each other:
#
#	make O=build/clang CC=clang		makes build/clang/qsbench/qsbench

VERSION := $(shell cat VERSION)

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBEXECDIR = $(PREFIX)/libexec
MANDIR = $(PREFIX)/share/man
COMPDIR = $(PREFIX)/share/bash-completion/completions
CFLAGS = -O2 -g
O = build
B = $(if $(filter build,$(O)),,$(O)/)

QS_CPPFLAGS = -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DQS_VERSION='"$(VERSION)"' -Ilib
QS_CFLAGS = -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -pthread
QS_LDLIBS = -Wl,--as-needed -lm

# Programs.  The main file of FOLDER/NAME is FOLDER/NAME.c; NAME_SRC lists all
# its sources; lib/ is linked into each.  Add with PROGRAMS += FOLDER/NAME.
PROGRAMS = $(patsubst %.c,%,$(wildcard qsbench/qsbench.c))
qsbench_SRC = $(wildcard qsbench/*.c)
PROGRAMS += memhog/memhog
memhog_SRC = $(wildcard memhog/*.c)
PROGRAMS += fileio/fileio
fileio_SRC = $(wildcard fileio/*.c)
PROGRAMS += measure/group measure/guard measure/runstat
group_SRC = $(patsubst %,measure/%.c,group group_plan settings why cpus)
guard_SRC = $(patsubst %,measure/%.c,guard settings why) \
	$(patsubst %,measure/guard_%.c,session mend journal actions groups killgroup processes swaps swapfile zram words)
runstat_SRC = measure/runstat.c \
	$(addprefix measure/runstat_,cells.c compare.c import.c knee.c load.c machine.c more.c order.c out.c pair.c \
	rows.c summary.c tell.c texts.c) \
	$(addprefix measure/stat_,adjust.c compare.c desc.c dist.c knee.c kth.c rank.c signed.c trend.c) \
	$(addprefix measure/import_,check.c contest.c text.c time.c words.c)
timefmt_SRC = $(wildcard measure/timefmt*.c)
record_SRC = measure/record.c measure/cpus.c $(timefmt_SRC) \
	$(patsubst %,measure/record_%.c,calib counters keeper measure options prepare publish remains report run sample sampler trigger verdict)
PROGRAMS += measure/record

LIB_SRC = $(wildcard lib/*.c)
LIB_OBJ = $(LIB_SRC:%.c=$(O)/%.o)
LIB = $(O)/libqs.a

##all: build every program (needs a C compiler and libc)
.PHONY: all
all: $(PROGRAMS:%=$(B)%)

define PROGRAM_RULE
$(B)$(1): $$($(notdir $(1))_SRC:%.c=$(O)/%.o) $(LIB) $(O)/flags
	@mkdir -p $$(@D)
	$$(CC) $$(QS_CFLAGS) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$(LIB) $$(QS_LDLIBS) $$(LDLIBS)
endef
$(foreach p,$(PROGRAMS),$(eval $(call PROGRAM_RULE,$(p))))

$(LIB): $(LIB_OBJ)
	rm -f $@
	$(AR) rcs $@ $(LIB_OBJ)

# Another compiler or other flags make everything anew.
BUILT_WITH = $(CC) $(QS_CPPFLAGS) $(CPPFLAGS) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) $(QS_LDLIBS) $(LDLIBS)
$(O)/flags: FORCE
	@mkdir -p $(O)
	@printf '%s\n' "$$BUILT_WITH" | cmp -s - $@ || printf '%s\n' "$$BUILT_WITH" >$@
export BUILT_WITH
.PHONY: FORCE
FORCE:

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(CC) $(QS_CPPFLAGS) $(CPPFLAGS) $(QS_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(shell find $(O) -name '*.d' 2>/dev/null)

# Unit tests: every tests/unit/test_NAME.c is a theme; the programs are linked
# in without their main files.
UNIT_SRC = $(wildcard tests/unit/*.c)
UNIT_OF_PROGRAMS = $(sort $(filter-out $(PROGRAMS:%=%.c),$(foreach p,$(PROGRAMS),$($(notdir $(p))_SRC))) $(timefmt_SRC))
UNIT_OBJ = $(UNIT_SRC:%.c=$(O)/%.o)
CHECK_CFLAGS = $(shell pkg-config --cflags check 2>/dev/null)
CHECK_LIBS = $(shell pkg-config --libs check 2>/dev/null || echo -lcheck)

$(O)/unit: $(UNIT_OBJ) $(UNIT_OF_PROGRAMS:%.c=$(O)/%.o) $(LIB) $(O)/flags
	$(CC) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(CHECK_LIBS) $(QS_LDLIBS) $(LDLIBS)

$(UNIT_OBJ): QS_CPPFLAGS += -I. -I$(O) $(CHECK_CFLAGS)
$(UNIT_OBJ): $(O)/themes.h

THEMES = $(patsubst tests/unit/test_%.c,%,$(wildcard tests/unit/test_*.c))
THEMES_H = \#define UNIT_THEMES(X)$(foreach t,$(THEMES), X($(t)))
$(O)/themes.h: FORCE
	@mkdir -p $(O)
	@printf '%s\n' '$(THEMES_H)' | cmp -s - $@ || printf '%s\n' '$(THEMES_H)' >$@

# Programs that measure one part of lib/ alone.
$(O)/bench/rng: $(O)/tests/bench/rng.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(QS_LDLIBS) $(LDLIBS)

# What a verdict of runstat deserves: simulated here; on real runs, see the
# scripts in tests/trust.
$(O)/simulate: $(O)/tests/trust/simulate.o $(patsubst %.c,$(O)/%.o,$(filter measure/stat_%,$(runstat_SRC))) $(LIB) $(O)/flags
	$(CC) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(QS_LDLIBS) $(LDLIBS)
$(O)/tests/trust/simulate.o: QS_CPPFLAGS += -I.

TRUST_RUNS =
##trust: false alarms and power of runstat, simulated (2 minutes of CPU) and, with TRUST_RUNS=runs.tsv, on real runs
.PHONY: trust
trust: all $(O)/simulate
	$(O)/simulate
	@if [ -n '$(TRUST_RUNS)' ]; then tests/trust/real '$(TRUST_RUNS)'; else \
		echo 'real runs: tests/trust/collect FOLDER, then make trust TRUST_RUNS=FOLDER'; fi

# The parsers under libFuzzer (clang), a bounded time each, from the seeds in
# tests/fuzz/NAME; what is found along the way stays in the build folder.
FUZZ_TARGETS = import rows
FUZZ_SECONDS = 30
FUZZ_SRC = $(filter-out measure/runstat.c,$(runstat_SRC)) $(LIB_SRC)
FUZZ_CFLAGS = -O1 -g -DSTAT_FEW -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
$(FUZZ_TARGETS:%=$(O)/fuzz/%): $(O)/fuzz/%: tests/fuzz/%.c $(FUZZ_SRC) $(wildcard lib/*.h measure/*.h)
	@mkdir -p $(@D)
	clang $(QS_CPPFLAGS) -I. $(QS_CFLAGS) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^) $(QS_LDLIBS)

##fuzz: the parsers of runstat on hostile input (needs clang; FUZZ_SECONDS each)
.PHONY: fuzz
fuzz: $(FUZZ_TARGETS:%=$(O)/fuzz/%)
	for t in $(FUZZ_TARGETS); do \
		mkdir -p $(O)/fuzz/$$t.corpus && \
		$(O)/fuzz/$$t -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=10 -rss_limit_mb=900 -close_fd_mask=3 \
			-artifact_prefix=$(O)/fuzz/$$t- -print_final_stats=1 $(O)/fuzz/$$t.corpus tests/fuzz/$$t || exit 1; \
	done

$(O)/bench/touch: $(O)/tests/bench/touch.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(QS_LDLIBS) $(LDLIBS)

##check: run the tests that need no root (libcheck for the unit tests)
.PHONY: check
check: all
	tests/run tests/unit tests/shell

SAN_CFLAGS = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
##check-unit: run the unit tests alone (CK_RUN_SUITE=NAME one theme of them)
.PHONY: check-unit
check-unit:
	tests/run tests/unit

##check-san: run the unit tests under the address and undefined sanitizers (CC)
.PHONY: check-san
check-san:
	CK_TIMEOUT_MULTIPLIER=10 $(MAKE) O=build/san CFLAGS='$(SAN_CFLAGS)' check-unit

##check-root: run the tests that need root: memory groups, swap, settings
.PHONY: check-root
check-root: all
	tests/run tests/root

##bench-peers: what our programs cost against public ones, paired
.PHONY: bench-peers
bench-peers: all $(O)/bench/qsref $(O)/bench/touch $(O)/bench/pair
	for f in tests/bench/peers-*; do O='$(O)' "$$f" || exit 1; done

$(O)/bench/pair: $(O)/tests/bench/pair.o $(LIB)
	@mkdir -p $(@D)
	$(CC) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(O)/bench/qsref: $(O)/tests/bench/qsref.o
	@mkdir -p $(@D)
	$(CC) $(QS_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

##bench: the main job: the reported qsbench runs beside the reports
.PHONY: bench
bench: all
	scripts/reproduce

##deps: install what building and testing need (asks sudo where it must)
.PHONY: deps
deps:
	scripts/deps

##lint: shellcheck, cppcheck, mandoc -T lint, white space
.PHONY: lint
lint:
	tests/lint

# One build per compiler, each in its own folder, warnings being errors.
VARIANT_CFLAGS = -O2 -g -Werror
##variants: build with gcc, clang, musl (static) and for 32 bits, no warning
.PHONY: variants
variants:
	$(MAKE) O=build/gcc CC=gcc CFLAGS='$(VARIANT_CFLAGS)' all
	$(MAKE) O=build/clang CC=clang CFLAGS='$(VARIANT_CFLAGS)' all
	$(MAKE) O=build/musl CC='musl-gcc -static' CFLAGS='$(VARIANT_CFLAGS)' all
	$(MAKE) O=build/m32 CC=gcc CFLAGS='$(VARIANT_CFLAGS) -m32' all

# What is installed: qsb and qsbench go to BINDIR, everything to LIBEXECDIR/qsb
# in the folders of the tree, where the scripts find it as they do in the tree.
# The manuals but those of the two are called qsb-NAME, and so by each other.
INSTALL_FILES = VERSION $(sort $(shell find scripts results/reported \
	-type f ! -name '.*' ! -name '*~' ! -name '*.1' ! -name qsb ! -name deps \
	! -name qsb.bash-completion 2>/dev/null))
PAGES = $(wildcard $(addsuffix /*.1,scripts measure qsbench memhog fileio))
COMMAND_PAGES = $(filter-out qsb qsbench,$(notdir $(PAGES:.1=)))
MAN1_FILES = qsb.1 qsbench.1 $(COMMAND_PAGES:%=qsb-%.1)
MAN1 = $(DESTDIR)$(MANDIR)/man1
HOME_DIR = $(DESTDIR)$(LIBEXECDIR)/qsb
XREFS = $(foreach p,$(COMMAND_PAGES),-e 's/^\.Xr $(p) 1/.Xr qsb-$(p) 1/')

# For sed: the line NAME= becomes NAME='PATH', whatever else than a quote is in it.
SET_PATH = -e 's|^$(1)=$$|$(1)='\''$(subst |,\|,$(subst &,\&,$(2)))'\''|'
NO_QUOTE = $(if $(findstring ',$(DESTDIR)$(BINDIR)$(LIBEXECDIR)$(MANDIR)$(COMPDIR)),$(error cannot install below a path with a quote in it))

##install: qsb and qsbench into BINDIR, the rest into LIBEXECDIR/qsb (PREFIX DESTDIR)
.PHONY: install
install: all
	$(NO_QUOTE)
	install -d '$(DESTDIR)$(BINDIR)' '$(MAN1)' '$(DESTDIR)$(COMPDIR)'
	for f in $(PROGRAMS); do \
		install -d '$(HOME_DIR)'/"$${f%/*}" || exit 1; \
		install -m 755 "$(B)$$f" '$(HOME_DIR)'/"$$f" || exit 1; \
	done
	for f in $(INSTALL_FILES); do \
		install -d "$$(dirname '$(HOME_DIR)'/"$$f")" || exit 1; \
		if [ -x "$$f" ]; then mode=755; else mode=644; fi; \
		install -m $$mode "$$f" '$(HOME_DIR)'/"$$f" || exit 1; \
	done
	sed $(call SET_PATH,bindir,$(BINDIR)) $(call SET_PATH,libexec,$(LIBEXECDIR)/qsb) \
		$(call SET_PATH,mandir,$(MANDIR)) scripts/qsb >'$(DESTDIR)$(BINDIR)/qsb'
	chmod 755 '$(DESTDIR)$(BINDIR)/qsb'
	install -m 755 $(B)qsbench/qsbench '$(DESTDIR)$(BINDIR)/qsbench'
	install -m 644 scripts/qsb.bash-completion '$(DESTDIR)$(COMPDIR)/qsb'
	for p in $(PAGES); do \
		name=$$(basename "$$p" .1); \
		case $$name in \
		qsb | qsbench) \
			sed $(XREFS) "$$p" >'$(MAN1)'/"$$name.1" ;; \
		*) \
			sed $(XREFS) -e 's/^\.Dt /.Dt QSB-/' \
			-e "/^\.Sh NAME/,/^\.Sh S/s/^\.Nm .*/.Nm qsb-$$name/" \
			-e "/^\.Sh SYNOPSIS/,/^\.Sh D/s/^\.Nm.*/.Nm \"qsb $$name\"/" \
			"$$p" >'$(MAN1)'/"qsb-$$name.1" ;; \
		esac || exit 1; \
	done
	cd '$(MAN1)' && chmod 644 $(MAN1_FILES)

##uninstall: remove what install put there
.PHONY: uninstall
uninstall:
	$(NO_QUOTE)
	rm -f '$(DESTDIR)$(BINDIR)/qsb' '$(DESTDIR)$(BINDIR)/qsbench' '$(DESTDIR)$(COMPDIR)/qsb'
	[ ! -d '$(MAN1)' ] || { cd '$(MAN1)' && rm -f $(MAN1_FILES); }
	for f in $(PROGRAMS) $(INSTALL_FILES); do rm -f '$(HOME_DIR)'/"$$f"; done
	-[ ! -d '$(HOME_DIR)' ] || find '$(HOME_DIR)' -depth -type d -exec rmdir {} +

# The same files give the same tarball: sorted, one time stamp, no owner.
DIST = qsb-$(VERSION).tar.gz
DIST_TIME = $${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
##dist: the source tarball (DIST names it)
.PHONY: dist
dist:
	if [ -e .git ]; then git ls-files; else \
		find . \( -name build -o -path './results/[0-9]*' \) -prune -o ! -type d $(PROGRAMS:%=! -path './%') ! -name '*.tar.gz' -print | \
		sed 's|^\./||'; fi | LC_ALL=C sort | \
	tar -cf '$(DIST).tmp' --no-recursion -T - --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX,go=rX --mtime=@"$(DIST_TIME)" \
		--transform='s|^|qsb-$(VERSION)/|S'
	gzip -9n <'$(DIST).tmp' >'$(DIST)'
	rm -f '$(DIST).tmp'

##clean: remove what was built
.PHONY: clean
clean:
	rm -rf build $(PROGRAMS) $(DIST)

##help: this list
.PHONY: help
help:
	@sed -n 's/^##\([^:]*\): */\1\t/p' Makefile | sort | awk -F'\t' '{ printf "%-14s %s\n", $$1, $$2 }'
