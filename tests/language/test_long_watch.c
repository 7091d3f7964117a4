/* SPDX-License-Identifier: BSD-2-Clause */
/* Version 3 of the object: a watchpoint of another length than 1, 2 or 4 aligned bytes. */
#include "check.h"

#include "dp_object.h"
#include "dprobes/host.h"

#include <inttypes.h>
#include <stdio.h>

/* The object of a breakpoint and a watchpoint of this range. */
static struct dp_object_file *object_of(uint64_t address, uint64_t last, const char *kind)
{
	static const struct dp_build_options options = {
		.cpu = "sim", .word_bits = 64, .endian = "little", .opcode_optional = true};
	struct dp_messages messages = {0};
	struct dp_object_file *object;
	char text[200];
	snprintf(text, sizeof(text),
		 "name = \"fw\"\noffset = 0x100\nexit\naddress = 0x%" PRIx64 " : 0x%" PRIx64
		 "\nwatchpoint = %s\nexit\n",
		 address, last, kind);
	object = dp_compile_text(text, "watch", &options, &messages);
	dp_messages_free(&messages);
	return object;
}

/* proves: R2.39 */
static void version_of(uint64_t address, uint64_t bytes, unsigned wanted, const char *kind)
{
	struct dp_object_file *object = object_of(address, address + bytes - 1, kind);
	struct dp_point_info point;
	CHECK(object && object->data[DP_OBJ_VERSION] == wanted);
	CHECK(dp_object_point(object, 1, &point));
	CHECK(point.length == bytes && point.extent == 0 && point.address == address);
	dp_object_free(object);
}

static void version(uint64_t address, uint64_t bytes, unsigned wanted)
{
	version_of(address, bytes, wanted, "w");
	version_of(address, bytes, wanted, "rw");
	version_of(address, bytes, wanted, "x");
}

int main(void)
{
	version(0x2000, 1, 2);
	version(0x2001, 1, 2);
	version(0x2002, 2, 2);
	version(0x2004, 4, 2);
	version(0x2000, 3, 3);
	version(0x2002, 4, 3);
	version(0x2000, 8, 3);
	version(0x2000, 0x100000, 3);
	version(0x280002000, UINT32_MAX, 3);
	CHECK(!object_of(0x2000, 0x2000 + (uint64_t)UINT32_MAX, "w"));
	CHECK(!object_of(0, UINT64_MAX, "w"));
	return check_status();
}
