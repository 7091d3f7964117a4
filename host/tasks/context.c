/* SPDX-License-Identifier: BSD-2-Clause */
/* The saved registers of a task that does not run, by the words of CONTEXT in kernels.def. */
#include "walk.h"

#include "debuginfo/debuginfo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	NAME_ROOM = 16,
	XPSR_ALIGNED = 1 << 9,        /* Armv7-M manual B1.5.7: the stack has one more word */
	EXC_RETURN_STANDARD = 1 << 4, /* B1.5.8: no floating-point registers */
	EXC_RETURN_THREAD = 0xc,      /* to thread mode, on the process stack */
	MSTATUS_MPP = 0x1800,         /* RISC-V privileged manual 3.1.6: machine mode */
	MSTATUS_FS = 0x6000,          /* 3.1.6.6: all ones where floating-point registers */
	MSTATUS_VS = 0x600            /* or vector registers were written */
};

struct decoding {
	struct dph_walk *walk;
	struct dph_task *task;
	uint64_t at;   /* address of the next word */
	uint64_t jump; /* where `go` leads */
	bool floats, missing, wrong;
	bool extended; /* floating-point or vector registers were written */
	bool refused;
};

static const struct dp_reg *register_of(const struct decoding *d, const char *name)
{
	return dph_reg_named(d->walk->cpu, name, strlen(name));
}

static bool word(struct decoding *d, uint64_t *value)
{
	if (!dph_walk_word(d->walk, d->at, value)) {
		d->missing = true;
		return false;
	}
	d->at += d->walk->debug->word_bytes;
	return true;
}

static void skip(struct decoding *d, const char *words)
{
	d->at += strtoul(words, NULL, 10) * d->walk->debug->word_bytes;
}

static void set(struct decoding *d, const char *name)
{
	const struct dp_reg *reg = register_of(d, name);
	uint64_t value;
	if (!word(d, &value) || !reg || reg->index >= DPH_UNWIND_REGISTERS)
		return;
	d->task->known[reg->index] = true;
	d->task->values[reg->index] = value;
}

/* "r4-r11" */
static void set_row(struct decoding *d, const char *first, const char *last)
{
	const size_t letters = strcspn(first, "0123456789");
	unsigned from = (unsigned)strtoul(first + letters, NULL, 10);
	const unsigned to = (unsigned)strtoul(last + letters, NULL, 10);
	for (; from <= to && !d->missing; from++) {
		char name[NAME_ROOM];
		snprintf(name, sizeof(name), "%.*s%u", (int)letters, first, from);
		set(d, name);
	}
}

static void read_exc(struct decoding *d)
{
	uint64_t value;
	if (!word(d, &value))
		return;
	d->floats = !(value & EXC_RETURN_STANDARD);
	d->wrong = value >> 8 != 0xffffff || value == 0xffffffff ||
		   (value & EXC_RETURN_THREAD) != EXC_RETURN_THREAD;
}

static void read_flag(struct decoding *d)
{
	uint64_t value;
	if (word(d, &value)) {
		d->floats = value == 1;
		d->wrong = value > 1;
	}
}

static void read_mstatus(struct decoding *d)
{
	uint64_t value;
	if (!dph_walk_word(d->walk, d->at, &value))
		d->missing = true;
	d->extended = (value & MSTATUS_FS) == MSTATUS_FS || (value & MSTATUS_VS) == MSTATUS_VS;
	value &= UINT32_MAX;
	d->wrong = (value & MSTATUS_MPP) != MSTATUS_MPP || (value & ~0x80000000u) > 0x7fff ||
		   (value >> 31 && !d->extended);
	set(d, "mstatus");
}

static void skip_padding(struct decoding *d)
{
	const struct dp_reg *xpsr = register_of(d, "xpsr");
	if (xpsr && d->task->known[xpsr->index] && d->task->values[xpsr->index] & XPSR_ALIGNED)
		d->at += d->walk->debug->word_bytes;
}

static void take(struct decoding *d, const char *text)
{
	const char *dash = strchr(text, '-');
	if (*text == '+')
		skip(d, text + 1);
	else if (strncmp(text, "float:", 6) == 0)
		skip(d, d->floats ? text + 6 : "0");
	else if (strcmp(text, "exc") == 0)
		read_exc(d);
	else if (strcmp(text, "flag") == 0)
		read_flag(d);
	else if (strcmp(text, "mstatus") == 0)
		read_mstatus(d);
	else if (strcmp(text, "plain") == 0)
		d->refused = d->extended;
	else if (strcmp(text, "pad") == 0)
		skip_padding(d);
	else if (strcmp(text, "psp") == 0)
		word(d, &d->jump);
	else if (strcmp(text, "go") == 0)
		d->at = d->jump;
	else if (dash)
		set_row(d, text, dash + 1);
	else
		set(d, text);
}

static void take_all(struct decoding *d, const char *words)
{
	while (*words && !d->missing && !d->wrong && !d->refused) {
		char text[NAME_ROOM];
		const size_t bytes = strcspn(words, " ");
		snprintf(text, sizeof(text), "%.*s", (int)bytes, words);
		take(d, text);
		words += bytes;
		words += *words == ' ';
	}
}

/* Are they the registers of a task? Fills in sp. */
static bool fits(struct decoding *d)
{
	const struct dp_reg *pc = register_of(d, "pc"), *sp = register_of(d, "sp");
	if (d->wrong || !pc || !sp || !d->task->known[pc->index])
		return false;
	if (!d->task->known[sp->index]) {
		d->task->known[sp->index] = true;
		d->task->values[sp->index] = d->at;
	}
	d->task->pc = d->task->values[pc->index];
	return dph_is_code(d->walk->debug, d->task->pc);
}

static void forget(struct dph_task *task)
{
	memset(task->known, 0, sizeof(task->known));
	task->saved = false;
}

const char dph_context_unfit[] = "its saved registers have no known form";
static const char extended[] =
	"the kernel may have saved its floating-point or vector registers: where the others are is "
	"not known";

bool dph_context_read(struct dph_walk *walk, struct dph_task *task, uint64_t context)
{
	const char *words =
		walk->cpu ? dph_kernel_context(&walk->layout, walk->cpu->name, 0) : NULL;
	if (!words) {
		task->why = "how this kernel saves registers is not known on this CPU";
		return false;
	}
	for (size_t i = 0; words; words = dph_kernel_context(&walk->layout, walk->cpu->name, ++i)) {
		struct decoding d = {.walk = walk, .task = task, .at = context};
		forget(task);
		take_all(&d, words);
		if (d.missing && walk->wanted)
			return false;
		if (d.refused) {
			forget(task);
			task->why = extended;
			return false;
		}
		task->saved = !d.missing && fits(&d);
		if (task->saved)
			return true;
	}
	forget(task);
	task->why = dph_context_unfit;
	return false;
}
