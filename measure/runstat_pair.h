/*
 * runstat_pair: two cells that are compared, and what came of it.
 */
#ifndef QS_RUNSTAT_PAIR_H
#define QS_RUNSTAT_PAIR_H

#include "runstat.h"
#include "runstat_order.h"
#include "stat_compare.h"
#include "stat_desc.h"

#define PAIR_NOTES 1024

struct runstat_pair {
	const struct rows_cell *cell[2];
	size_t value;
	size_t tried[2];
	struct stat_desc d[2];
	struct stat_compared c;
	enum order_kind order;
	size_t pairs;
	int same;		/* the very same runs on either side */
	double fisher;		/* p of unlike shares of good runs */
	int covariate_bad;	/* -A user_s, not shown equal on both sides */
	double p[2];		/* raw and adjusted, after Holm */
	enum stat_verdict verdict;
	size_t needed;		/* runs a side to settle it; 0: unknown */
	char why[128];		/* of not comparable, or of worse by failures */
	char notes[PAIR_NOTES];	/* flags, separated by "; " */
};

/* What all pairs of a comparison share. */
struct runstat_job {
	const struct runstat_options *o;
	const struct rows *r;
	double margin;
	size_t cover[STAT_COVARIATES];	/* values that adjust */
	size_t covers;
	int same_file;
	int many;		/* too many comparisons to permute for each */
	const char *machine;	/* what is unlike, or "" */
	const char *workload;	/* unlike workload versions, or "" */
	char **files;
};

/* Fill in all but p, verdict, needed and why.  Ends the program on ENOMEM. */
void pair_compare(struct runstat_pair *p, const struct runstat_job *j);

/* The rest, once p[] holds what Holm made of all p values; m tests in all. */
void pair_judge(struct runstat_pair *p, const struct runstat_job *j, size_t m);

/* The effect that decides. */
const struct stat_effect *pair_decides(const struct runstat_pair *p,
    const struct runstat_job *j);

/* "equivalent within 2%", "inconclusive (about 9 more runs a side)". */
const char *pair_verdict(char *buf, size_t size, const struct runstat_pair *p,
    const struct runstat_job *j);

/* Print it. */
void pair_text(const struct runstat_pair *p, const struct runstat_job *j);
void pair_record(struct out *o, const struct runstat_pair *p,
    const struct runstat_job *j);
void pair_ktap(struct out *o, const struct runstat_pair *p,
    const struct runstat_job *j);

#endif
