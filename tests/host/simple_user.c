/* SPDX-License-Identifier: BSD-2-Clause */
/* A user's program over the simple interface: simple_user URL MAP PROGRAM COUNT. */
#include <dprobes/simple.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct dp_simple *s = dp_simple_new();
	int program = -1, got = 0, count = argc > 4 ? atoi(argv[4]) : 0;
	uint64_t words[4], variable = 0;

	if (argc > 4 && dp_simple_set(s, "port", argv[1]) && dp_simple_set(s, "sym", argv[2]) &&
	    dp_simple_set(s, "any_opcode", "yes") && dp_simple_open(s))
		program = dp_simple_insert(s, argv[3]);
	while (program >= 0 && got >= 0 && count > 0) {
		struct pollfd line = {.fd = dp_simple_fd(s), .events = POLLIN, .revents = 0};

		poll(&line, 1, 1000);
		while (count > 0 && (got = dp_simple_next(s, 0)) == 1) {
			if (dp_simple_words(s, words, 4) == 1)
				printf("%u,%u %u %s", dp_simple_major(s), dp_simple_minor(s),
				       (unsigned)words[0], dp_simple_line(s));
			count--;
		}
	}
	if (program >= 0 && got >= 0 && dp_simple_variables(s, program, &variable, 1) == 1)
		printf("variable %s, %s\n", variable > 0 ? "counts" : "is zero",
		       dp_simple_remove(s, program) ? "removed" : "still there");
	fputs(dp_simple_error(s), stderr);
	dp_simple_close(s);
	return program >= 0 && got >= 0 ? 0 : 1;
}
