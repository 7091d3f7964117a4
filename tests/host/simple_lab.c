/* SPDX-License-Identifier: BSD-2-Clause */
/* What a lab test does over the simple interface: simple_lab URL MAP PROGRAM EXPRESSION. Waits for
 * one restart of the target at the end. */
#include <dprobes/simple.h>

#include <stdio.h>
#include <string.h>

#define PROMPT "text [a-z]+, [0-9]+ executed"

static const char *shown(const char *text)
{
	return text == NULL ? "(none)\n" : *text == '\0' ? "(empty)\n" : text;
}

/* A result, and the finding that belongs to it. */
static void print_failure(const struct dp_simple *s, const char *head, int result)
{
	printf("%s: %d, %s", head, result, dp_simple_error(s));
}

static int64_t wait_for_value(struct dp_simple *s, int program, const char *name)
{
	int64_t value = 0;

	while (value == 0 && dp_simple_value(s, program, name, &value) == 1)
		dp_simple_listen(s, 20);
	return value;
}

int main(int argc, char **argv)
{
	struct dp_simple *s = dp_simple_new();
	int64_t value = 0;
	int program, records = 0;

	if (argc < 5 || !dp_simple_set(s, "port", argv[1]) || !dp_simple_set(s, "sym", argv[2]) ||
	    !dp_simple_set(s, "any_opcode", "yes") || !dp_simple_set(s, "reinstall", "yes") ||
	    !dp_simple_open(s)) {
		fputs(dp_simple_error(s), stderr);
		dp_simple_close(s);
		return 1;
	}
	printf("good text: %d\n", dp_simple_check(s, argv[3]));
	print_failure(s, "bad text", dp_simple_check(s, "name = x\noffset = hot\npush r, r99\n"));
	printf("before: %s", shown(dp_simple_list(s)));
	program = dp_simple_insert(s, argv[3]);
	printf("typed: %d\n", dp_simple_type(s, "sum\n"));
	records = dp_simple_expect(s, PROMPT, 60000);
	printf("expected: %d %s\n", records, strstr(dp_simple_expected(s), "text"));
	printf("again: %d\n", dp_simple_expect(s, PROMPT, 0));
	print_failure(s, "pattern", dp_simple_expect(s, "(", 0));
	printf("variable: %d\n", wait_for_value(s, program, "0") > 0);
	printf("absent: %d\n", dp_simple_value(s, program, "9", &value));
	printf("aggregations: %s", shown(dp_simple_aggregations(s, program)));
	printf("named: %s", shown(dp_simple_named(s, program)));
	printf("read: %s", shown(dp_simple_read(s, argv[4])));
	print_failure(s, "no name", dp_simple_read(s, "no_such") != NULL);
	records = 0;
	while (records < 3 && dp_simple_next(s, 60000) == 1)
		records++;
	printf("records: %d\n", records);
	puts("restart me");
	fflush(stdout);
	while (dp_simple_restarts(s) == 0 && dp_simple_listen(s, 1000) >= 0)
		dp_simple_console(s);
	printf("restarts: %u, variable: %d\n", dp_simple_restarts(s),
	       wait_for_value(s, program, "0") > 0);
	printf("removed: %d\n", dp_simple_remove_named(s, "simple"));
	printf("removed again: %d\n", dp_simple_remove_named(s, "simple"));
	printf("behind: %s", shown(dp_simple_list(s)));
	dp_simple_close(s);
	return 0;
}
