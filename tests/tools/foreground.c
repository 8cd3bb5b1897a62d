/*
 * foreground COMMAND [ARGUMENT...]: runs it as a terminal's foreground would,
 * with SIGINT and SIGQUIT not ignored; a shell starts what is followed by "&"
 * with both ignored, and no shell can take that back.  For the tests.
 */
#include <err.h>
#include <signal.h>
#include <unistd.h>

int
main(int argc, char *argv[])
{
	if (argc < 2)
		errx(2, "usage: foreground COMMAND [ARGUMENT...]");
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execvp(argv[1], argv + 1);
	err(127, "%s", argv[1]);
}
