/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault-safe access. */
#include "checks.h"
#include "guest.h"
#include "out.h"

enum {
	TOUCHED_WORDS = 16
};

/* proves: P5.1 P5.2 P5.3 P5.4 P5.5 */
void access_checks(void)
{
	static uint32_t touched[TOUCHED_WORDS];
	uint8_t buffer[64];
	uint32_t word = 0x11223344, d = (uint32_t)(uintptr_t)touched;
	const uint8_t *byte = (const uint8_t *)touched;

	for (unsigned i = 0; i < TOUCHED_WORDS; i++)
		touched[i] = 0x80818283u + i * 0x01030507u;
	expect("word", dp_port_read(d, buffer, 4, 4) == 4 && buffer[1] == byte[1]);
	expect("unaligned half", dp_port_read(d + 1, buffer, 2, 2) == 2 && buffer[0] == byte[1] &&
					 buffer[1] == byte[2]);
	expect("unaligned word", dp_port_read(d + 3, buffer, 4, 4) == 4 && buffer[3] == byte[6]);
	expect("double", dp_port_read(d, buffer, 8, 8) == 8 && buffer[7] == byte[7]);
	expect("hole", dp_port_read(HOLE, buffer, 4, 4) == 0);
	expect("no row", dp_port_read(0xc0000000u, buffer, 4, 4) == 0);
	if (LAST_WORD != 0) {
		expect("last word", dp_port_read(LAST_WORD, buffer, 4, 4) == 4);
		expect("block over the end", dp_port_read(LAST_WORD - 8, buffer, 32, 0) == 12);
	}
	expect("unaligned block",
	       dp_port_read(d + 5, buffer, 17, 0) == 17 && buffer[16] == byte[21]);
	expect("wrap", dp_port_read(0xfffffffcu, buffer, 8, 8) == 0);
	expect("write to a hole", dp_port_write(HOLE, &word, 4, 4) == 0);
	expect("write", dp_port_write(d + 16, &word, 4, 4) == 4 && touched[4] == word);
	expect("unaligned write",
	       dp_port_write(d + 27, &word, 4, 4) == 4 && byte[27] == *(const uint8_t *)&word);
	expect("readable", dp_port_readable(d));
	expect("not readable", !dp_port_readable(HOLE) && !dp_port_readable(0xc0000000u));
	expect("device: no access asked", dp_port_readable(HOLE + 0x10000));
	expect("device: bytewise refused", dp_port_read(HOLE + 0x10001, buffer, 4, 4) == 0);
	cpu_access_checks();
}
