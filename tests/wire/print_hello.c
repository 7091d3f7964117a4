/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints every field of HELLO's answer, as messages.def has it when this is compiled: a line each.
 * test_grown_hello.py compiles it. Argument: the URL of the target. */
#include <dprobes/session.h>

#include <inttypes.h>
#include <stdio.h>

#define PRINT_u8(name, value)      print_number(name, value)
#define PRINT_u16(name, value)     print_number(name, value)
#define PRINT_u32(name, value)     print_number(name, value)
#define PRINT_u64(name, value)     print_number(name, value)
#define PRINT_address(name, value) print_number(name, value)
#define PRINT_word(name, value)    print_number(name, value)
#define PRINT_counted(name, value) print_number(name, (value).count)
#define PRINT_rest(name, value)    print_number(name, (value).count)
#define PRINT_text(name, value)    printf("%s %s\n", name, value)

static void print_number(const char *name, uint64_t value)
{
	printf("%s %" PRIu64 "\n", name, value);
}

#define DP_MESSAGE(message, kind)                                                                  \
	__attribute__((unused)) static void print_##message##_##kind(                              \
		const struct dp_##message##_##kind *m)                                             \
	{
#define DP_FIELD(message, kind, name, type, meaning) PRINT_##type(#name, m->name);
#define DP_END(message, kind)                        }
#include "messages.def"

int main(int argc, char **argv)
{
	const struct dp_session_options options = {.url = argc > 1 ? argv[1] : ""};
	struct dp_failure failure;
	struct dp_session *session = dp_session_open(&options, &failure);

	if (session == NULL) {
		printf("%s\n", failure.text);
		return 1;
	}
	print_hello_answer(dp_session_target(session));
	dp_session_close(session);
	return 0;
}
