/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the instructions a guest executes between two addresses.
 *
 *   qemu-system-arm -plugin icount_plugin.so,out=FILE[,trace=FILE],window=NAME:FROM:TO[,...] ...
 *
 * FROM and TO are hexadecimal guest virtual addresses (Thumb: bit 0 clear). Each time TO is
 * reached after FROM, one line "NAME COUNT" is appended to FILE: the instructions executed from
 * FROM inclusive to TO exclusive, interrupts and traps on the way included. Reaching FROM again
 * first restarts the window. One CPU only: with -smp use -icount, which runs all in one thread.
 *
 * mask=ADDRESS,unmask=ADDRESS,site=NAME:ADDRESS[,...]: also one line "NAME COUNT" for each stretch
 * between the two functions, named by the call of the first that began the stretch. Calls nest.
 *
 * trace=FILE: beside each count a line "NAME ADDRESS ADDRESS ..." in this file, the instructions in
 * the order they were executed, the first MAX_TRACE of them. Slow: a call at each of them. */
#include "qemu_plugin.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EXPORT int qemu_plugin_version = 1;

#define MAX_WINDOWS 16
#define MAX_SITES   128
#define MAX_TRACE   16384

struct window {
	char name[32];
	uint64_t from, to;
	uint64_t start; /* executed when FROM was last reached */
	bool open;
	uint64_t passed[MAX_TRACE]; /* addresses since FROM, when there is a trace file */
	size_t passed_count;
};

struct site {
	char name[64];
	uint64_t address;
};

static struct site sites[MAX_SITES];
static size_t site_count;
static uint64_t mask, unmask;
static struct {
	const struct site *last, *begun; /* called last; that began the stretch */
	unsigned depth;
	uint64_t start;
} stretch;

static struct window windows[MAX_WINDOWS];
static size_t window_count;
static uint64_t executed;
static FILE *out, *trace;

/* Both ends are sampled at the same point of an instruction, so it does not matter whether QEMU
 * adds the instruction itself before or after the call. */
static void at_from(unsigned int cpu, void *data)
{
	struct window *w = data;

	(void)cpu;
	w->start = executed;
	w->open = true;
	w->passed_count = 0;
}

static void at_any(unsigned int cpu, void *address)
{
	(void)cpu;
	for (size_t k = 0; k < window_count; k++) {
		struct window *w = &windows[k];

		if (w->open && w->passed_count < MAX_TRACE)
			w->passed[w->passed_count++] = (uint64_t)(uintptr_t)address;
	}
}

static void write_trace(const struct window *w)
{
	fputs(w->name, trace);
	for (size_t i = 0; i < w->passed_count; i++)
		fprintf(trace, " %" PRIx64, w->passed[i]);
	fputc('\n', trace);
	fflush(trace);
}

static void at_to(unsigned int cpu, void *data)
{
	struct window *w = data;

	(void)cpu;
	if (!w->open)
		return;
	w->open = false;
	if (trace)
		write_trace(w);
	/* At once: a QEMU that is killed runs no exit handler. */
	fprintf(out, "%s %" PRIu64 "\n", w->name, executed - w->start);
	fflush(out);
}

static void at_site(unsigned int cpu, void *data)
{
	(void)cpu;
	stretch.last = data;
}

static void at_mask(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (stretch.depth++ > 0)
		return;
	stretch.start = executed;
	stretch.begun = stretch.last;
}

static void at_unmask(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (stretch.depth == 0 || --stretch.depth > 0 || !stretch.begun)
		return;
	fprintf(out, "%s %" PRIu64 "\n", stretch.begun->name, executed - stretch.start);
	fflush(out);
}

static void look_for_stretches(struct qemu_plugin_insn *insn, uint64_t address)
{
	for (size_t k = 0; k < site_count; k++)
		if (address == sites[k].address)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, at_site,
							       QEMU_PLUGIN_CB_NO_REGS, &sites[k]);
	if (site_count > 0 && address == mask)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, at_mask, QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (site_count > 0 && address == unmask)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, at_unmask, QEMU_PLUGIN_CB_NO_REGS,
						       NULL);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t address = qemu_plugin_insn_vaddr(insn);

		qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64,
							   &executed, 1);
		for (size_t k = 0; k < window_count; k++) {
			struct window *w = &windows[k];

			/* TO first, so that FROM = TO measures a loop, turn by turn. */
			if (address == w->to)
				qemu_plugin_register_vcpu_insn_exec_cb(insn, at_to,
								       QEMU_PLUGIN_CB_NO_REGS, w);
			if (address == w->from)
				qemu_plugin_register_vcpu_insn_exec_cb(insn, at_from,
								       QEMU_PLUGIN_CB_NO_REGS, w);
		}
		look_for_stretches(insn, address);
		if (trace)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, at_any, QEMU_PLUGIN_CB_NO_REGS,
							       (void *)(uintptr_t)address);
	}
}

static bool add_window(const char *text)
{
	struct window *w = &windows[window_count];

	if (window_count == MAX_WINDOWS)
		return false;
	if (sscanf(text, "%31[^:]:%" SCNx64 ":%" SCNx64, w->name, &w->from, &w->to) != 3)
		return false;
	window_count++;
	return true;
}

static bool add_site(const char *text)
{
	struct site *s = &sites[site_count];

	if (site_count == MAX_SITES || sscanf(text, "%63[^:]:%" SCNx64, s->name, &s->address) != 2)
		return false;
	site_count++;
	return true;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		bool ok = false;

		if (strncmp(argv[i], "out=", 4) == 0)
			ok = (out = fopen(argv[i] + 4, "w")) != NULL;
		else if (strncmp(argv[i], "trace=", 6) == 0)
			ok = (trace = fopen(argv[i] + 6, "w")) != NULL;
		else if (strncmp(argv[i], "window=", 7) == 0)
			ok = add_window(argv[i] + 7);
		else if (strncmp(argv[i], "site=", 5) == 0)
			ok = add_site(argv[i] + 5);
		else if (strncmp(argv[i], "mask=", 5) == 0)
			ok = sscanf(argv[i] + 5, "%" SCNx64, &mask) == 1;
		else if (strncmp(argv[i], "unmask=", 7) == 0)
			ok = sscanf(argv[i] + 7, "%" SCNx64, &unmask) == 1;
		if (!ok) {
			fprintf(stderr, "icount_plugin: cannot use '%s'\n", argv[i]);
			return -1;
		}
	}
	if (!out || window_count + site_count == 0) {
		fprintf(stderr, "icount_plugin: out=FILE and window=NAME:FROM:TO are needed\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
