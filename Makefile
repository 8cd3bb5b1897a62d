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
QS_LDLIBS = -lm

# Programs.  The main file of FOLDER/NAME is FOLDER/NAME.c; NAME_SRC lists all
# its sources; lib/ is linked into each.  Add with PROGRAMS += FOLDER/NAME.
PROGRAMS = $(patsubst %.c,%,$(wildcard qsbench/qsbench.c))
qsbench_SRC = $(wildcard qsbench/*.c)
timefmt_SRC = $(wildcard measure/timefmt*.c)

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

##check: run the tests that need no root (libcheck for the unit tests)
.PHONY: check
check: all
	tests/run tests/unit tests/shell

##check-root: run the tests that need root: memory groups, swap, settings
.PHONY: check-root
check-root: all
	tests/run tests/root

##clean: remove what was built
.PHONY: clean
clean:
	rm -rf build $(PROGRAMS)

##help: this list
.PHONY: help
help:
	@sed -n 's/^##\([^:]*\): */\1\t/p' Makefile | sort | awk -F'\t' '{ printf "%-14s %s\n", $$1, $$2 }'
