/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of `dprobes doctor` that the ELF file answers. */
#define _GNU_SOURCE
#include "doctor_image.h"

#include "doctor_addresses.h"
#include "symbols/elf_image.h"
#include "symbols/hooks.h"
#include "symbols/insn_walk.h"
#include "tables/decoders.h"
#include "tables/isas.h"
#include "tables/kinds.h"
#include "tables/registers.h"

#include <inttypes.h>
#include <string.h>

/* The code that runs in a hit. */
struct hit_path {
	const struct dp_image *image;
	uint64_t start, stop;
	const struct dp_symbol *caller, *callee; /* a call that leaves the path; null: none */
	const struct dp_symbol *veneer; /* a piece of the linker that is called; null: none */
	const struct dp_symbol *floats; /* a function that uses floating point */
	bool knows_calls, knows_floats;
	bool knows_agent; /* the ELF file names the agent's file of its local functions */
};

static bool is_in(const struct hit_path *path, uint64_t address)
{
	return address >= path->start && address < path->stop;
}

/* Pieces of code that the linker makes for a call that is too far, or changes the instruction set.
 */
static bool is_of_linker(const struct dp_symbol *symbol)
{
	return strstr(symbol->name, "_veneer") != NULL || strstr(symbol->name, "Thunk_") != NULL;
}

/* A file of the agent has functions of the path whose names begin so: dprobes_agent.c, and each
 * file of the tree. With link-time optimisation functions have no file. */
static bool has_name_of_agent(const struct dp_symbol *symbol)
{
	return strncmp(symbol->name, "dp_", 3) == 0;
}

static bool has_file(const struct dp_symbol *symbol)
{
	const size_t length = symbol->file != NULL ? strlen(symbol->file) : 0;

	return length > 2 && strcmp(symbol->file + length - 2, ".c") == 0;
}

static bool is_of_agent_file(const struct hit_path *path, const struct dp_symbol *symbol)
{
	const struct dp_symbol *symbols;
	const size_t count = dp_image_symbols(path->image, &symbols);

	for (size_t i = 0; i < count && has_file(symbol); i++)
		if (symbols[i].kind == DP_SYMBOL_FUNCTION && is_in(path, symbols[i].value) &&
		    has_name_of_agent(&symbols[i]) && has_file(&symbols[i]) &&
		    strcmp(symbols[i].file, symbol->file) == 0)
			return true;
	return false;
}

/* The agent reads floating point registers for programs, in functions of its own. */
static bool is_of_agent(const struct hit_path *path, const struct dp_symbol *symbol)
{
	return has_name_of_agent(symbol) || strncmp(symbol->name, "dprobes_", 8) == 0 ||
	       is_of_agent_file(path, symbol);
}

/* console_in, get and wake run in dprobes_rx and dprobes_poll, never in a hit. These are their
 * names in the guide, and with agent_ in the ready-made glue. */
static bool is_of_poll(const struct dp_symbol *symbol)
{
	const char *name = symbol->name;
	if (strncmp(name, "agent_", 6) == 0)
		name += 6;
	return strncmp(name, "console_in", 10) == 0 || strcmp(name, "get") == 0 ||
	       strcmp(name, "wake") == 0;
}

static void look_at(struct hit_path *path, const struct dp_decoder *decoder,
		    const struct dp_symbol *function, const struct dp_insn *insn)
{
	const struct dp_symbol *callee;
	uint64_t target;

	if (path->callee == NULL && !is_of_poll(function) &&
	    ((decoder->call != NULL && decoder->call(insn, &target)) ||
	     decoder->jump(insn, &target)) &&
	    !is_in(path, target)) {
		callee = dp_image_function(path->image, target);
		if (callee != NULL && is_of_linker(callee)) {
			path->veneer = callee;
		} else if (callee != NULL) {
			path->caller = function;
			path->callee = callee;
		}
	}
	if (path->floats == NULL && decoder->is_float != NULL && decoder->is_float(insn) &&
	    !is_of_agent(path, function))
		path->floats = function;
}

/* Walk through the instructions of a function, over its data. */
static void walk(struct hit_path *path, const struct dp_symbol *function)
{
	const uint64_t end = function->value + function->bytes;
	const struct dp_decoder *decoder;
	const struct dph_isa *isa;
	struct dp_insn insn;
	uint64_t start;

	for (uint64_t at = function->value; at < end;) {
		if (dph_image_code(path->image, at, &start, &isa) != DPH_CODE_INSNS ||
		    isa == NULL || (decoder = dph_decoder_of(isa->cpu)) == NULL ||
		    !dph_insn_at(path->image, isa, at, &insn) || insn.count == 0) {
			at = dph_image_next_change(path->image, at);
			continue;
		}
		path->knows_calls |= decoder->call != NULL;
		path->knows_floats |= decoder->is_float != NULL;
		look_at(path, decoder, function, &insn);
		at += insn.count;
	}
}

static void tell_path(struct dph_doctor *doctor, const struct hit_path *path)
{
	if (path->callee != NULL)
		dph_doctor_wrong(doctor, DPH_CHECK_CALLS, DPH_FIX_CALLED,
				 "%s runs in a hit and calls %s, which can be probed: mark %s "
				 "DPROBES_CODE",
				 path->caller->name, path->callee->name, path->callee->name);
	else if (path->veneer != NULL)
		dph_doctor_unknown(doctor, DPH_CHECK_CALLS,
				   "calls go through %s, which the linker made; dprobes does not "
				   "follow them",
				   path->veneer->name);
	else if (path->knows_calls)
		dph_doctor_ok(doctor, DPH_CHECK_CALLS, "no direct call leaves dprobes_text");
	else
		dph_doctor_unknown(doctor, DPH_CHECK_CALLS,
				   "dprobes does not know the calls of this CPU");
	if (!path->knows_agent)
		dph_doctor_unknown(doctor, DPH_CHECK_FLOAT,
				   "the ELF file does not tell the agent's functions from the "
				   "firmware's (link-time optimisation)");
	else if (path->floats != NULL)
		dph_doctor_wrong(doctor, DPH_CHECK_FLOAT, DPH_FIX_FLOAT,
				 "%s runs in a hit and uses registers of floating point, which a "
				 "hit does not save",
				 path->floats->name);
	else if (path->knows_floats)
		dph_doctor_ok(doctor, DPH_CHECK_FLOAT, "none in the firmware's functions");
	else
		dph_doctor_unknown(doctor, DPH_CHECK_FLOAT,
				   "dprobes does not know these instructions of this CPU");
}

static void check_path(struct dph_doctor *doctor)
{
	struct hit_path path = {.image = doctor->image};
	const struct dp_symbol *symbols;
	const size_t count = dp_image_symbols(doctor->image, &symbols);

	path.start = dph_image_value(doctor->image, "__start_dprobes_text");
	path.stop = dph_image_value(doctor->image, "__stop_dprobes_text");
	for (size_t i = 0; i < count; i++)
		if (symbols[i].kind == DP_SYMBOL_FUNCTION && is_in(&path, symbols[i].value)) {
			path.knows_agent |= is_of_agent_file(&path, &symbols[i]);
			walk(&path, &symbols[i]);
		}
	tell_path(doctor, &path);
}

/* --- rows --- */

/* The agent adds rows for itself: DPROBES_MEMORY(NAME), and its text. */
static bool is_row_of_agent(const struct dph_doctor *doctor, const struct dp_ranges_answer *row)
{
	static const char *const endings[] = {"_storage", "_slots", "_keep"};
	const struct dp_symbol *symbol;

	if (row->start == dph_image_value(doctor->image, "__start_dprobes_text"))
		return true;
	symbol = dp_image_symbol(doctor->image, row->start);
	if (symbol == NULL || symbol->value != row->start)
		return false;
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		const size_t length = strlen(symbol->name), ending = strlen(endings[i]);

		if (length > ending && strcmp(symbol->name + length - ending, endings[i]) == 0)
			return true;
	}
	return false;
}

/* Code at the vectors runs while the registers of an exception are in use. */
static void check_locked(struct dph_doctor *doctor, const struct dph_rows *rows)
{
	const struct dph_cpu *cpu = dph_cpu_numbered(dp_session_target(doctor->session)->cpu);
	const char *not_needed = cpu ? dph_absent(cpu, DPH_ROW_ENTRIES) : NULL;
	unsigned locked = 0;

	for (unsigned i = 0; i < rows->count; i++)
		if ((rows->row[i].access & DP_ACCESS_NO_PROBE) && rows->row[i].bytes > 0 &&
		    (rows->row[i].access & DP_ACCESS_READ) &&
		    !is_row_of_agent(doctor, &rows->row[i]))
			locked++;
	if (locked > 0)
		dph_doctor_ok(doctor, DPH_CHECK_LOCKED, "%u row(s) of the board", locked);
	else if (not_needed)
		dph_doctor_ok(doctor, DPH_CHECK_LOCKED, "no row of the board: %s", not_needed);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_LOCKED, DPH_FIX_LOCKED,
				 "no row of the board has DPROBES_NO_PROBE: vectors and entries of "
				 "exceptions can be probed");
}

static bool has_symbol(const struct dp_image *image, const struct dp_ranges_answer *row)
{
	const struct dp_symbol *symbols;
	const size_t count = dp_image_symbols(image, &symbols);

	for (size_t i = 0; i < count; i++)
		if (!symbols[i].fixed && symbols[i].value - row->start < row->bytes)
			return true;
	return false;
}

/* A row that programs may read, and that no symbol names: of a device, or of no memory? */
static void check_named(struct dph_doctor *doctor, const struct dph_rows *rows)
{
	for (unsigned i = 0; i < rows->count; i++) {
		const struct dp_ranges_answer *row = &rows->row[i];

		if (!(row->access & DP_ACCESS_READ) || (row->access & DP_ACCESS_DEVICE) ||
		    row->bytes == 0 || has_symbol(doctor->image, row))
			continue;
		dph_doctor_unknown(doctor, DPH_CHECK_NAMED,
				   "no symbol of the ELF file lies in row %u (0x%08" PRIx64
				   ", %" PRIu64 " bytes): is it memory? A device needs "
				   "DPROBES_DEVICE, or no row",
				   i, (uint64_t)row->start, (uint64_t)row->bytes);
		return;
	}
	dph_doctor_ok(doctor, DPH_CHECK_NAMED, "each row that programs read has symbols");
}

/* How many places call C exits, without an agent that calls them? The agent's function is in each
 * image whose agent has DP_WITH_HOOKS. */
static uint64_t without_exits(const struct dph_doctor *doctor)
{
	struct dp_image_info info;
	uint64_t bytes;

	if (!dph_image_section(doctor->image, "dprobes_hooks", &bytes) ||
	    dph_doctor_has(doctor, "dprobes_hook_dispatch"))
		return 0;
	dp_image_info(doctor->image, &info);
	return bytes / (info.word_bits == 64 ? 24 : 12); /* three words a row */
}

/* Has the linker kept the notes of hooks, and the section that gdb asks for? Each file that
 * includes dprobes_hook.h has that section. */
static void check_hooks(struct dph_doctor *doctor)
{
	const struct dph_hook *hooks;
	const size_t count = dph_image_hooks(doctor->image, &hooks);
	uint64_t bytes;
	const bool base = dph_image_section(doctor->image, ".stapsdt.base", &bytes);

	if (without_exits(doctor) > 0)
		dph_doctor_wrong(doctor, DPH_CHECK_HOOKS, DPH_FIX_EXITS,
				 "%" PRIu64 " place(s) call C exits, and the agent calls none: "
				 "build it with DP_WITH_HOOKS=1",
				 without_exits(doctor));
	else if (count > 0 && base)
		dph_doctor_ok(doctor, DPH_CHECK_HOOKS, "%zu place(s) in the ELF file", count);
	else if (count > 0)
		dph_doctor_wrong(doctor, DPH_CHECK_HOOKS, DPH_FIX_HOOKS,
				 "gdb lists none of %zu place(s): the linker script discards the "
				 "section .stapsdt.base",
				 count);
	else if (base)
		dph_doctor_wrong(
			doctor, DPH_CHECK_HOOKS, DPH_FIX_HOOKS,
			"a file includes dprobes_hook.h, and the ELF file has no hook: the "
			"linker script discards the section .note.stapsdt, or no code has a "
			"hook");
}

bool dph_doctor_image(struct dph_doctor *doctor)
{
	static const enum dph_check of_elf[] = {DPH_CHECK_CALLS, DPH_CHECK_FLOAT, DPH_CHECK_LOCKED,
						DPH_CHECK_NAMED};
	struct dph_rows rows;

	if (doctor->cli->elf == NULL || doctor->image == NULL ||
	    !dph_doctor_has(doctor, "__start_dprobes_text")) {
		for (size_t i = 0; i < sizeof of_elf / sizeof of_elf[0]; i++)
			dph_doctor_unknown(doctor, of_elf[i], "give the firmware with --elf");
		return true;
	}
	check_path(doctor);
	check_hooks(doctor);
	if (!dph_rows_read(&rows, doctor->session))
		return dph_doctor_failed(doctor, DPH_CHECK_LOCKED);
	if (rows.count == 0) {
		dph_doctor_unknown(doctor, DPH_CHECK_LOCKED, "the agent does not report its rows");
		dph_doctor_unknown(doctor, DPH_CHECK_NAMED, "the agent does not report its rows");
		return true;
	}
	check_locked(doctor, &rows);
	check_named(doctor, &rows);
	return true;
}
