/* SPDX-License-Identifier: BSD-2-Clause */
/* Code among the bytes of a place, in this program: as each of the bytes alone has it. */
#include "check.h"

#include "symbols/elf_image.h"

#include <inttypes.h>

enum {
	BEFORE = 24, /* bytes around the first section with code, which ends before BEHIND */
	BEHIND = 64,
	LONGEST = 48
};

static bool each(const struct dp_image *image, uint64_t address, uint64_t bytes)
{
	bool found = false;

	for (uint64_t i = 0; i < bytes; i++)
		found = found || dph_image_executable(image, address + i);
	return found;
}

/* Returns how many places have code behind a first and before a last byte without. */
static unsigned compare(const struct dp_image *image, uint64_t first, uint64_t end)
{
	unsigned inside = 0;

	for (uint64_t at = first; at < end; at++)
		for (uint64_t bytes = 1; bytes <= LONGEST; bytes++) {
			const bool found = dph_image_executable_within(image, at, bytes);

			if (found != each(image, at, bytes)) {
				printf("0x%" PRIx64 ", %" PRIu64 " bytes\n", at, bytes);
				CHECK(false);
			}
			inside += found && !dph_image_executable(image, at) &&
				  !dph_image_executable(image, at + bytes - 1);
		}
	return inside;
}

int main(void)
{
	struct dp_messages messages = {0};
	struct dp_image *image = dp_image_open("/proc/self/exe", &messages);
	uint64_t first, bytes;

	if (image == NULL || !dph_image_first_code(image, &first, &bytes)) {
		dp_messages_print(&messages, stdout, false);
		return 1;
	}
	CHECK(compare(image, first - BEFORE, first + BEHIND) > 0);
	CHECK(dph_image_executable_within(image, 0, UINT64_MAX));
	CHECK(dph_image_executable_within(image, first - 1, UINT64_MAX));
	CHECK(!dph_image_executable_within(image, first - 1, 1));
	dp_image_close(image);
	dp_messages_free(&messages);
	return check_status();
}
