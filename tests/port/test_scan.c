/* SPDX-License-Identifier: BSD-2-Clause */
/* What the scan accepts: port/dp_scan.c with the instructions of this test. An instruction begins
 * at any address: prefixes, then a code that tells how many bytes stand behind the code. */
#include "check.h"

#include "../lib/target/dp_scan_cpu.h"

#include "../../port/dp_scan.c" /* NOLINT(bugprone-suspicious-include) */

#include <string.h>

enum {
	START = 0x1001,
	PREFIX = 0xf0,
	OPEN = 0xa0,  /* one byte: opens a window */
	OTHER = 0xc0, /* opens one of another kind */
	CLOSE = 0xb0, /* one byte: closes one */
};

static uint8_t code[64];
static unsigned there; /* bytes of `code` that are readable */
static bool varies;

bool dp_scan_varies(const struct dp_site *site)
{
	(void)site;
	return varies;
}

unsigned dp_scan_unit(const struct dp_site *site)
{
	(void)site;
	return 1;
}

static unsigned prefixes(const union dp_scanned *insn, unsigned count)
{
	unsigned at = 0;

	while (at < count && insn->byte[at] == PREFIX)
		at++;
	return at;
}

unsigned dp_scan_bytes(const struct dp_site *site, const union dp_scanned *insn, unsigned count)
{
	const unsigned at = prefixes(insn, count);

	(void)site;
	return at == count ? 0 : at + 1 + insn->byte[at] % 4u;
}

int dp_scan_window(const struct dp_site *site, const union dp_scanned *insn)
{
	const uint8_t first = insn->byte[prefixes(insn, sizeof(insn->byte) - 1)];

	(void)site;
	return first == OTHER ? 2 : (first == OPEN) - (first == CLOSE);
}

static bool original_at(dp_addr address, uint8_t *bytes, unsigned count)
{
	if (address < START || address - START + count > there)
		return false;
	memcpy(bytes, code + (address - START), count);
	return true;
}

/* The scan of a site `before` bytes behind the start of a function, all of which is readable. */
static enum dp_err scan(const void *bytes, unsigned count, unsigned before, dp_addr extent)
{
	struct dp_site site = {.address = START + before};

	memcpy(code, bytes, count);
	there = count;
	dp_site_set_extent(&site, before, extent);
	return dp_scan(&site, original_at);
}
#define SCAN(before, extent, ...)                                                                  \
	scan((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), before, extent)

/* The bytes before the site are all that can be read: no more are needed. */
static void lengths(void)
{
	varies = true;
	CHECK(SCAN(1, 2, 0x00) == DP_ERR_OK);
	CHECK(SCAN(3, 4, PREFIX, 0x01, 0) == DP_ERR_OK);
	CHECK(SCAN(3, 4, PREFIX, PREFIX, 0x00) == DP_ERR_OK);
	CHECK(SCAN(4, 5, PREFIX, 0x02, 0, 0) == DP_ERR_OK);
	CHECK(SCAN(1, 4, PREFIX, 0x01, 0) == DP_ERR_NOT_BOUNDARY);
	CHECK(SCAN(2, 4, PREFIX, 0x01, 0) == DP_ERR_NOT_BOUNDARY);
	CHECK(SCAN(3, 4, 0x00, 0x00, 0x03) == DP_ERR_NOT_BOUNDARY); /* its end is not readable */
}

/* Prefixes without an end are no instruction, and a byte of one that is not readable tells nothing.
 */
static void no_instruction(void)
{
	varies = true;
	CHECK(SCAN(5, 6, PREFIX, PREFIX, PREFIX, PREFIX, 0x00, 0) == DP_ERR_NOT_BOUNDARY);
	CHECK(SCAN(3, 4, 0x00, PREFIX) == DP_ERR_NOT_BOUNDARY);
}

static void windows(void)
{
	varies = true;
	CHECK(SCAN(2, 3, OPEN, 0x00) == DP_ERR_IN_ATOMIC);
	CHECK(SCAN(3, 4, PREFIX, OPEN, 0x00) == DP_ERR_IN_ATOMIC);
	CHECK(SCAN(3, 4, OPEN, PREFIX, CLOSE) == DP_ERR_OK);
	CHECK(SCAN(3, 4, OTHER, OPEN, CLOSE, 0x00) == DP_ERR_IN_ATOMIC);
	/* Without an extent the scan looks wherever an instruction could begin. */
	CHECK(SCAN(3, 0, 0x02, OPEN, 0x00) == DP_ERR_IN_ATOMIC);
	CHECK(SCAN(3, 4, 0x02, OPEN, 0x00) == DP_ERR_OK);
	varies = false;
	CHECK(SCAN(3, 4, 0x02, OPEN, 0x00) == DP_ERR_IN_ATOMIC);
}

int main(void)
{
	lengths();
	no_instruction();
	windows();
	return check_status();
}
