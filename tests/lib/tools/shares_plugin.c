/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the instructions of functions that a guest executes up to a mark.
 *
 *   qemu-system-arm -plugin shares_plugin.so,out=FILE,mark=ADDRESS[,...],range=NAME:FROM:TO[,...]
 * ...
 *
 * FROM, TO and marks are hexadecimal guest virtual addresses (Thumb: bit 0 clear). Each time a
 * mark is executed, one line "MARK NAME=COUNT ..." is appended to FILE: the instructions from FROM
 * inclusive to TO exclusive that were executed since the start. One CPU only. */
#include "qemu_plugin.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

EXPORT int qemu_plugin_version = 1;

#define MAX_RANGES 32
#define MAX_MARKS  4

static struct range {
	char name[64];
	uint64_t from, to, executed;
} ranges[MAX_RANGES];
static size_t range_count;
static uint64_t marks[MAX_MARKS];
static size_t mark_count;
static FILE *out;

static void at_mark(unsigned int cpu, void *data)
{
	const uint64_t *mark = data;

	(void)cpu;
	fprintf(out, "%" PRIx64, *mark);
	for (size_t i = 0; i < range_count; i++)
		fprintf(out, " %s=%" PRIu64, ranges[i].name, ranges[i].executed);
	putc('\n', out);
	/* At once: a QEMU that is killed runs no exit handler. */
	fflush(out);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint64_t address = qemu_plugin_insn_vaddr(insn);

		for (size_t k = 0; k < range_count; k++)
			if (address >= ranges[k].from && address < ranges[k].to)
				qemu_plugin_register_vcpu_insn_exec_inline(
					insn, QEMU_PLUGIN_INLINE_ADD_U64, &ranges[k].executed, 1);
		for (size_t k = 0; k < mark_count; k++)
			if (address == marks[k])
				qemu_plugin_register_vcpu_insn_exec_cb(
					insn, at_mark, QEMU_PLUGIN_CB_NO_REGS, &marks[k]);
	}
}

static bool add_range(const char *text)
{
	struct range *range = &ranges[range_count];

	if (range_count == MAX_RANGES || sscanf(text, "%63[^:]:%" SCNx64 ":%" SCNx64, range->name,
						&range->from, &range->to) != 3)
		return false;
	range_count++;
	return true;
}

static bool add_mark(const char *text)
{
	if (mark_count == MAX_MARKS || sscanf(text, "%" SCNx64, &marks[mark_count]) != 1)
		return false;
	mark_count++;
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		bool good = false;

		if (strncmp(argv[i], "out=", 4) == 0)
			good = (out = fopen(argv[i] + 4, "w")) != NULL;
		else if (strncmp(argv[i], "mark=", 5) == 0)
			good = add_mark(argv[i] + 5);
		else if (strncmp(argv[i], "range=", 6) == 0)
			good = add_range(argv[i] + 6);
		if (!good) {
			fprintf(stderr, "shares_plugin: cannot use '%s'\n", argv[i]);
			return -1;
		}
	}
	if (!out || mark_count == 0 || range_count == 0) {
		fprintf(stderr, "shares_plugin: out=FILE, mark= and range= are needed\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
