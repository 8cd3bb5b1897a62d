/*
 * pair: how long two short commands take, in turns.
 *
 *	pair ROUNDS "COMMAND A" "COMMAND B"
 *
 * Each round starts both, in an order that alternates, with their output to
 * /dev/null, and times them from start to end.  Prints the median of each in
 * us, and the median over the rounds of B divided by A, so that both of a pair
 * meet the same state of the machine.  Words are parted by blanks.
 */
#include <sys/wait.h>

#include <err.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#define WORDS 32
#define WARM_UP 5

extern char **environ;

static void split(char *, char **);
static double run_us(char *const *, const posix_spawn_file_actions_t *);
static double median(double *, size_t);
static int compare(const void *, const void *);

int
main(int argc, char **argv)
{
	posix_spawn_file_actions_t quiet;
	char *words[2][WORDS];
	double *us[2], *ratio, middle[2];
	size_t rounds, i, j;

	if (argc != 4 || (rounds = strtoul(argv[1], NULL, 10)) == 0)
		errx(2, "usage: pair rounds command-a command-b");
	for (i = 0; i < 2; i++) {
		split(argv[2 + i], words[i]);
		us[i] = calloc(rounds, sizeof(double));
	}
	ratio = calloc(rounds, sizeof(double));
	if (us[0] == NULL || us[1] == NULL || ratio == NULL)
		err(1, NULL);
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
	for (i = 0; i < rounds + WARM_UP; i++) {
		for (j = 0; j < 2; j++)
			us[(i + j) % 2][i % rounds] =
			    run_us(words[(i + j) % 2], &quiet);
	}
	for (i = 0; i < rounds; i++)
		ratio[i] = us[1][i] / us[0][i];
	for (i = 0; i < 2; i++)
		middle[i] = median(us[i], rounds);
	printf("%.1f %.1f %.3f\n", middle[0], middle[1],
	    median(ratio, rounds));
	return 0;
}

static void
split(char *text, char **words)
{
	size_t n = 0;
	char *word;

	for (word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
		if (n == WORDS - 1)
			errx(2, "a command of too many words");
		words[n++] = word;
	}
	words[n] = NULL;
}

static double
run_us(char *const *words, const posix_spawn_file_actions_t *quiet)
{
	uint64_t start = clock_now_ns();
	int error, status;
	pid_t pid;

	error = posix_spawnp(&pid, words[0], quiet, NULL, words, environ);
	if (error != 0)
		errx(1, "%s: %s", words[0], strerror(error));
	if (waitpid(pid, &status, 0) == -1)
		err(1, "waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		errx(1, "%s: failed", words[0]);
	return (double)(clock_now_ns() - start) / 1e3;
}

static double
median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return n % 2 == 1 ? values[n / 2] :
	    (values[n / 2 - 1] + values[n / 2]) / 2;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}
