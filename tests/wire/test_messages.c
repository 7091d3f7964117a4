/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages of messages.def: every one that is written reads the same; presence goes by length. */
#include "check.h"
#include "wire/messages.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROOM = 512
};

/* Different bytes in every field, of a length that fits its type. */
#define FILL_u8(field)      fill(&(field), sizeof(field))
#define FILL_u16(field)     fill(&(field), sizeof(field))
#define FILL_u32(field)     fill(&(field), sizeof(field))
#define FILL_u64(field)     fill(&(field), sizeof(field))
#define FILL_address(field) fill(&(field), sizeof(field))
#define FILL_word(field)    ((field) = 0x12345678)
#define FILL_counted(field) (fill((field).bytes, 20), (field).count = 20)
#define FILL_text(field)    strcpy(field, "the end of it")
#define FILL_rest(field)    (fill((field).bytes, 7), (field).count = 7)

static void fill(void *bytes, size_t count)
{
	static uint8_t next = 0x80;

	for (size_t i = 0; i < count; i++)
		((uint8_t *)bytes)[i] = next =
			next == 0xff ? 1 : next + 1; /* an absent field is 0 */
}

/* Bytes on the wire of what FILL puts into a field. */
enum {
	WIRE_u8 = 1,
	WIRE_u16 = 2,
	WIRE_u32 = 4,
	WIRE_u64 = 8,
	WIRE_address = 8,
	WIRE_word = 4,
	WIRE_counted = 21,
	WIRE_text = 13,
	WIRE_rest = 7,
};

/* Written, read, and the same; as long as its fields; a byte more changes nothing, and one less is
 * seen. */
static void same_again(const char *name, const struct dph_form *form, const void *from, void *to,
		       size_t bytes, size_t expected, bool cuttable)
{
	uint8_t wire[ROOM] = {0};
	struct dph_writer writer = {.p = wire, .room = sizeof wire, .word_bytes = 4};
	struct dph_reader reader = {.p = wire, .word_bytes = 4};

	dph_write(&writer, form, from);
	reader.left = writer.used;
	dph_read(&reader, form, to);
	if (writer.used != expected || reader.cut || reader.left != 0 ||
	    memcmp(from, to, bytes) != 0) {
		printf("%s: %zu bytes, not %zu, or not the same\n", name, writer.used, expected);
		check_failures++;
	}
	reader = (struct dph_reader){.p = wire, .left = writer.used - 1, .word_bytes = 4};
	dph_read(&reader, form, to);
	CHECK(reader.cut == cuttable);
	CHECK(memcmp(from, to, bytes) != 0);
}

/* The last field of a message can be cut unless it is what is left, or one byte that may be absent.
 */
#define CUTTABLE_u8(later)      (!(later))
#define CUTTABLE_u16(later)     true
#define CUTTABLE_u32(later)     true
#define CUTTABLE_u64(later)     true
#define CUTTABLE_address(later) true
#define CUTTABLE_word(later)    true
#define CUTTABLE_counted(later) true
#define CUTTABLE_text(later)    false
#define CUTTABLE_rest(later)    false

static void every_message(void)
{
#define DP_MESSAGE(message, kind)                                                                  \
	{                                                                                          \
		struct dp_##message##_##kind *from = calloc(1, sizeof *from);                      \
		struct dp_##message##_##kind *to = calloc(1, sizeof *to);                          \
		const char *const name = #message " " #kind;                                       \
		const struct dph_form *const form = &dph_form_##message##_##kind;                  \
		size_t expected = 0;                                                               \
		bool cuttable = false;                                                             \
		if (from == NULL || to == NULL)                                                    \
			abort();
#define DP_FIELD(message, kind, name, type, meaning)                                               \
	FILL_##type(from->name);                                                                   \
	expected += (size_t)WIRE_##type;                                                           \
	cuttable = CUTTABLE_##type(false);
#define DP_LATER(message, kind, name, type, absent, meaning)                                       \
	FILL_##type(from->name);                                                                   \
	expected += (size_t)WIRE_##type;                                                           \
	cuttable = CUTTABLE_##type(true);
#define DP_END(message, kind)                                                                      \
	same_again(name, form, from, to, sizeof *from, expected, cuttable);                        \
	free(from);                                                                                \
	free(to);                                                                                  \
	}
#include "messages.def"
}

/* Big-endian, in the order of PROTOCOL.md, nothing between the fields. */
static void bytes_of_a_request(void)
{
	static const uint8_t expected[] = {1, 2, 0x10, 0x20, 0x30, 0x40, 9, 8, 7};
	const struct dp_data_request request = {
		.transaction = 0x0102, .offset = 0x10203040, .bytes = {3, {9, 8, 7}}};
	uint8_t wire[16];
	struct dph_writer writer = {.p = wire, .room = sizeof wire};

	dph_write(&writer, DPH_OF_CONST(data_request, &request));
	CHECK(writer.used == sizeof expected && memcmp(wire, expected, sizeof expected) == 0);
	writer = (struct dph_writer){.p = wire, .room = 5}; /* what does not fit is left out */
	dph_write(&writer, DPH_OF_CONST(data_request, &request));
	CHECK(writer.used == 5);
}

static struct dp_status_answer status_of(size_t bytes, bool *cut)
{
	static const uint8_t wire[64] = {[20] = 1, 2, 3, 4, 1, 1, 99};
	struct dph_reader reader = {.p = wire, .left = bytes};
	struct dp_status_answer status;

	dph_read(&reader, DPH_OF(status_answer, &status));
	*cut = reader.cut;
	return status;
}

/* A newer agent ends its answer later; one that ends before a plain field is cut. */
static void presence_goes_by_length(void)
{
	struct dp_status_answer status;
	bool cut;

	for (size_t bytes = 0; bytes < 26; bytes++) {
		status_of(bytes, &cut);
		CHECK(cut);
	}
	status = status_of(26, &cut);
	CHECK(!cut && status.strays == 0x01020304 && status.line == 1 && status.own_text == 1);
	CHECK(status.text_dropped == 0);
	status = status_of(64, &cut);
	CHECK(!cut && status.strays == 0x01020304 && status.line == 1 && status.own_text == 1);
}

/* More than a struct has room for is dropped, never written behind it. */
static void too_long(void)
{
	uint8_t wire[300];
	struct dph_reader reader = {.p = wire, .left = sizeof wire};
	struct dp_module_answer module;
	struct dp_name_answer name;

	memset(wire, 'x', sizeof wire);
	dph_read(&reader, DPH_OF(name_answer, &name));
	CHECK(strlen(name.name) == DP_TEXT_MAX && reader.left == 0 && !reader.cut);
	wire[26] = 200; /* bytes of the identity */
	reader = (struct dph_reader){.p = wire, .left = sizeof wire};
	dph_read(&reader, DPH_OF(module_answer, &module));
	CHECK(!reader.cut && module.id.count == DP_COUNTED_MAX && module.name_bytes == 'x');
	reader = (struct dph_reader){.p = wire, .left = 100};
	dph_read(&reader, DPH_OF(module_answer, &module));
	CHECK(reader.cut && module.id.count == 0);
}

int main(void)
{
	every_message();
	bytes_of_a_request();
	presence_goes_by_length();
	too_long();
	return check_status();
}
