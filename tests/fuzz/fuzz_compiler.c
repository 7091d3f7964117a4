/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
/* The compiler on any text; what it accepts is disassembled and must compile to the same object.
 * Texts that would go through cpp are left out: a child for each input is too slow.
 * Input: u8 target (1 64 bits, 2 big-endian, 4 to 20 another CPU), then the text. */
#include <dprobes/host.h>

#include <stdlib.h>
#include <string.h>

#include "tables/registers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static size_t count_cpus(void)
{
	size_t count = 0;

	while (dph_cpu_at(count))
		count++;
	return count;
}

static struct dp_build_options options_for(uint8_t target)
{
	const size_t count = count_cpus();
	struct dp_build_options options = {.write = true, .opcode_optional = true};

	options.cpu = dph_cpu_at((target >> 2) % count)->name;
	if (options.cpu == dph_cpu_default()->name) {
		options.word_bits = target & 1 ? 64 : 32;
		options.endian = target & 2 ? "big" : "little";
	}
	return options;
}

static struct dp_object_file *compile(const char *text, uint8_t target)
{
	const struct dp_build_options options = options_for(target);
	struct dp_messages messages = {0};
	struct dp_object_file *object = dp_compile_text(text, "fuzz.dp", &options, &messages);
	if (!object && !messages.errors)
		abort(); /* refused without a word */
	FILE *nowhere = fopen("/dev/null", "w");
	if (nowhere) {
		dp_messages_print(&messages, nowhere, true);
		fclose(nowhere);
	}
	dp_messages_free(&messages);
	return object;
}

static void round_trip(const struct dp_object_file *object, uint8_t target)
{
	struct dp_messages messages = {0};
	char *source = NULL;
	size_t size;
	struct dp_object_file *read =
		dp_object_from_bytes(object->data, object->bytes, "fuzz.ppdf", &messages);
	if (!read)
		abort(); /* the compiler wrote what the verifier refuses */
	FILE *out = open_memstream(&source, &size);
	if (!out || !dp_disassemble(read, out, &messages))
		abort();
	fclose(out);
	struct dp_object_file *again = compile(source, target);
	if (!again || again->travelling != object->travelling ||
	    memcmp(again->data, object->data, object->travelling) != 0)
		abort();
	dp_object_free(again);
	dp_object_free(read);
	free(source);
	dp_messages_free(&messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	if (bytes < 1 || bytes > 8192)
		return 0;
	char *text = malloc(bytes);
	memcpy(text, data + 1, bytes - 1);
	text[bytes - 1] = 0;
	if (!strchr(text, '#') && !strstr(text, "/*") && !strstr(text, "\\\n") &&
	    !strstr(text, "\\\r") && !strstr(text, "__")) {
		struct dp_object_file *object = compile(text, data[0]);
		if (object)
			round_trip(object, data[0]);
		dp_object_free(object);
	}
	free(text);
	return 0;
}
