/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of `dprobes doctor` that probe a function of the firmware. */
#define _GNU_SOURCE
#include "doctor.h"

#include "doctor_addresses.h"
#include "present/words.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/isas.h"
#include "tables/refuse.h"
#include "tables/registers.h"
#include <dprobes/errors.h>
#include <dprobes/insertion.h>

#include <inttypes.h>
#include <string.h>

enum {
	HITS_WANTED = 3,
	WAIT_MS = 10000,
	LISTEN_MS = 100,
	PAIRS_WANTED = 8,    /* of records that measure a hit */
	PROGRAM_ROOM = 8192, /* characters of the test program */
	FIFO_BYTES = 16,     /* of most UARTs' receivers */
	BITS_A_BYTE = 10,
	BAUD = 115200,
	ENTRY = 1, /* minor codes: the function's first instruction, */
	IN_SLOT,   /* and one that runs in a slot */
	MINORS
};

/* A check that needs hits. */
struct trial {
	const char *function;
	uint64_t slot_at; /* bytes from the function to an instruction that runs in a slot */
	bool has_slot;    /* there is one */
	struct dph_rows rows;
	uint64_t addresses[DPH_DOCTOR_ADDRESSES]; /* that a hit reads */
	size_t count;
	uint64_t nowhere; /* an address that no row has */
	bool has_nowhere;
	uint32_t hits[MINORS], missed, faulted;
};

/* --- programs --- */

static struct dp_insertion *compile(const struct dph_doctor *doctor, const char *text,
				    struct dp_build_options *build, struct dp_messages *messages)
{
	const struct dp_hello_answer *hello = dp_session_target(doctor->session);
	struct dp_insert_options options = {.build = build};

	*build = dph_cli_build_options(doctor->cli);
	if (doctor->cli->elf == NULL) { /* no opcodes to compare */
		build->cpu = dp_cpu_text(hello->cpu);
		build->word_bits = 8u * hello->word_bytes;
		build->endian = hello->big_endian ? "big" : "little";
		build->opcode_optional = true;
		options.options = DP_INSERT_ANY_OPCODE;
	}
	return dp_insertion_text(text, "doctor", &options, messages);
}

bool dph_doctor_install(struct dph_doctor *doctor, const char *text, struct dp_inserted *inserted,
			enum dp_err *error, char why[DPH_WHY_ROOM])
{
	struct dp_messages messages = {0};
	struct dp_build_options build;
	enum dp_failure_kind kind = DP_FAILED_NOT;
	struct dp_insertion *insertion = compile(doctor, text, &build, &messages);
	bool good;

	memset(inserted, 0, sizeof *inserted);
	good = insertion != NULL &&
	       dp_insertion_install(insertion, doctor->session, inserted, &kind, &messages);

	/* Not the session's failure: the insertion has asked more since the refusal. */
	*error = good ? DP_ERR_OK : inserted->verdict.error;
	if (!good)
		snprintf(why, DPH_WHY_ROOM, "%s",
			 messages.errors > 0 ? messages.list[messages.count - 1].text
					     : dp_session_failure(doctor->session)->text);
	dp_insertion_free(insertion);
	dph_cli_build_options_free(&build);
	dp_messages_free(&messages);
	return good;
}

bool dph_doctor_has(const struct dph_doctor *doctor, const char *function)
{
	const struct dp_symbol *const *list;

	return doctor->image != NULL &&
	       dph_image_named(doctor->image, function, strlen(function), &list) > 0;
}

/* --- an instruction that runs in a slot --- */

/* The function's first instruction that a copy in a slot steps; the ELF file shows it. */
static void find_slot(const struct dph_doctor *doctor, struct trial *trial)
{
	const struct dp_symbol *const *list;
	const struct dph_isa *isa;
	struct dph_code code;
	struct dp_image_info info;
	enum dp_refusal why;
	uint64_t end;

	if (!dph_doctor_has(doctor, trial->function))
		return;
	dph_image_named(doctor->image, trial->function, strlen(trial->function), &list);
	dp_image_info(doctor->image, &info);
	isa = info.cpu ? dph_isa_numbered(dph_cpu_named(info.cpu), list[0]->isa) : NULL;
	if (isa == NULL)
		return;
	code = dph_code_of_image(doctor->image, isa);
	code.from = list[0]->value;
	end = list[0]->value + list[0]->bytes;
	for (uint64_t at = code.from; at < end;) {
		const unsigned bytes = dph_insn_bytes_at(doctor->image, isa, at);

		if (bytes == 0)
			return;
		if (dph_runs_in_slot(&code, at) && dph_refuse_at(&code, at, &why) == DP_ERR_OK) {
			trial->slot_at = at - code.from;
			trial->has_slot = true;
			return;
		}
		at += bytes;
	}
}

/* --- the program that reads memory --- */

/* A handler that reads each address and counts how far it came; and a probe on an instruction that
 * runs in a slot, if the first one does not. */
static void write_program(char *text, const struct trial *trial)
{
	size_t used = (size_t)snprintf(
		text, PROGRAM_ROOM, "name = \"doctor\"\nvars = %zu\noffset = %.200s\nminor = %d\n",
		trial->count + 2, trial->function, ENTRY);

	for (size_t i = 0; i < trial->count; i++)
		used += (size_t)snprintf(text + used, PROGRAM_ROOM - used,
					 "push 0x%" PRIx64 "\npush mem, u32\npop lv, 0\n"
					 "inc lv, %zu\n",
					 trial->addresses[i], i + 1);
	if (trial->has_nowhere)
		used += (size_t)snprintf(text + used, PROGRAM_ROOM - used,
					 "push 0x%" PRIx64 "\npush mem, u32\npop lv, 0\n"
					 "inc lv, %zu\n",
					 trial->nowhere, trial->count + 1);
	used += (size_t)snprintf(text + used, PROGRAM_ROOM - used, "exit\n");
	if (trial->has_slot && trial->slot_at != 0)
		snprintf(text + used, PROGRAM_ROOM - used,
			 "offset = %.200s+%" PRIu64 "\nminor = %d\nexit\n", trial->function,
			 trial->slot_at, IN_SLOT);
}

static bool on_probe(void *context, const struct dp_program_answer *program,
		     const struct dp_probe_answer *probe)
{
	struct trial *trial = context;

	(void)program;
	if (probe->minor < MINORS)
		trial->hits[probe->minor] = probe->hits;
	if (probe->minor == ENTRY) {
		trial->missed = probe->missed;
		trial->faulted = probe->faulted;
	}
	return true;
}

/* Wait for hits. Returns false when the line failed. */
static bool wait_for_hits(struct dph_doctor *doctor, uint8_t program, struct trial *trial)
{
	const struct dp_walk walk = {.context = trial, .probe = on_probe};
	const double limit = doctor->cli->timeout_s;
	const uint64_t end = dp_clock_ms() + (limit > 0 ? (uint64_t)(limit * 1000) : WAIT_MS);

	do {
		if (!dp_session_listen(doctor->session, LISTEN_MS) ||
		    !dp_session_walk_one(doctor->session, program, &walk))
			return false;
	} while (trial->hits[ENTRY] < HITS_WANTED && dp_clock_ms() < end);
	return true;
}

static void tell_address(struct dph_doctor *doctor, const struct trial *trial, uint64_t address)
{
	const int row = dph_row_of(&trial->rows, address);
	char name[DP_NAME_ROOM];
	const char *at = dp_image_name(doctor->image, address, name) ? name : "no symbol";

	if (trial->rows.count == 0)
		dph_doctor_wrong(doctor, DPH_CHECK_RANGES, DPH_FIX_ROWS,
				 "0x%08" PRIx64 " (%s) is in no row, or the read faults", address,
				 at);
	else if (row == DPH_NO_ROW)
		dph_doctor_wrong(doctor, DPH_CHECK_RANGES, DPH_FIX_ROWS,
				 "0x%08" PRIx64 " (%s) is in no row", address, at);
	else if (!(trial->rows.row[row].access & DP_ACCESS_READ))
		dph_doctor_wrong(doctor, DPH_CHECK_RANGES, DPH_FIX_ROWS,
				 "0x%08" PRIx64 " (%s): row %d does not let programs read", address,
				 at, row);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_RANGES, DPH_FIX_ROWS,
				 "0x%08" PRIx64 " (%s) is in row %d, and the read faults", address,
				 at, row);
}

static void check_ranges(struct dph_doctor *doctor, uint8_t program, const struct trial *trial)
{
	uint64_t words[DPH_DOCTOR_ADDRESSES + 2] = {0};
	size_t got, there;

	if (trial->count == 0) {
		dph_doctor_unknown(
			doctor, DPH_CHECK_RANGES,
			"give the firmware with --elf; the agent needs DP_WITH_LANGUAGE");
		return;
	}
	if (!dp_session_vars(doctor->session, program, 0, false, words, trial->count + 2, &got,
			     &there)) {
		dph_doctor_failed(doctor, DPH_CHECK_RANGES);
		return;
	}
	for (size_t i = 0; i < trial->count; i++)
		if (words[i + 1] == 0) {
			tell_address(doctor, trial, trial->addresses[i]);
			return;
		}
	if (words[trial->count + 1] != 0)
		dph_doctor_wrong(doctor, DPH_CHECK_RANGES, DPH_FIX_ROWS,
				 "0x%08" PRIx64 " is in no row, and programs read it",
				 trial->nowhere);
	else if (trial->rows.count > 0)
		dph_doctor_ok(
			doctor, DPH_CHECK_RANGES,
			"programs read the ends of %u rows, and of code and data: %zu words%s",
			trial->rows.count, trial->count,
			trial->has_nowhere ? "; a read outside them ends the handler" : "");
	else
		dph_doctor_ok(doctor, DPH_CHECK_RANGES,
			      "programs read the ends of code and data, %zu words; the agent "
			      "does not report its rows",
			      trial->count);
}

static void tell_slots(struct dph_doctor *doctor, const struct trial *trial)
{
	const unsigned minor = trial->slot_at != 0 ? IN_SLOT : ENTRY;

	if (!trial->has_slot)
		dph_doctor_unknown(doctor, DPH_CHECK_EXECUTED,
				   "the ELF file shows no instruction of %s that runs in a slot",
				   trial->function);
	else if (trial->hits[minor] == 0)
		dph_doctor_unknown(doctor, DPH_CHECK_EXECUTED,
				   "%s+%" PRIu64 ", which runs in a slot, was not executed",
				   trial->function, trial->slot_at);
	else
		dph_doctor_ok(doctor, DPH_CHECK_EXECUTED, "%s+%" PRIu64 " ran in a slot %u time(s)",
			      trial->function, trial->slot_at, trial->hits[minor]);
}

static void tell_hits(struct dph_doctor *doctor, const struct trial *trial)
{
	const uint32_t hits = trial->hits[ENTRY];

	if (hits == 0 && trial->missed == 0) {
		dph_doctor_unknown(doctor, DPH_CHECK_VECTORS,
				   "%s was not called while the probe was armed", trial->function);
		dph_doctor_unknown(doctor, DPH_CHECK_COUNTED,
				   "name a function that is called often");
		return;
	}
	doctor->hits = true;
	dph_doctor_ok(doctor, DPH_CHECK_VECTORS, "hits of %s return to the firmware",
		      trial->function);
	tell_slots(doctor, trial);
	if (hits > 0)
		dph_doctor_ok(doctor, DPH_CHECK_COUNTED, "%s: %u hit(s), %u missed, %u faulted",
			      trial->function, hits, trial->missed, trial->faulted);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_COUNTED, DPH_FIX_MISSED,
				 "%s: %u hit(s) missed, none handled: a hit calls the function",
				 trial->function, trial->missed);
}

/* --- masked time --- */

/* In microseconds: a longer hit loses bytes that the line receives. */
static double masked_max(const struct dph_doctor *doctor)
{
	const uint64_t given = dph_cli_number(doctor->cli, DPH_OPT_MASKED_MAX);
	const unsigned baud = doctor->cli->baud ? doctor->cli->baud : BAUD;

	return given ? (double)given : 1e6 * FIFO_BYTES * BITS_A_BYTE / baud;
}

static void tell_masked(struct dph_doctor *doctor)
{
	const struct dph_masked *masked = &doctor->masked;
	const double us = doctor->hz ? (double)masked->least * 1e6 / doctor->hz : 0;
	const double most = masked_max(doctor);

	if (masked->pairs == 0)
		dph_doctor_unknown(doctor, DPH_CHECK_MASKED,
				   "no pair of records of one call arrived");
	else if (us < most)
		dph_doctor_ok(doctor, DPH_CHECK_MASKED,
			      "a short hit takes %.1f us with interrupts masked (the least of %u)",
			      us, masked->pairs);
	else
		dph_doctor_wrong(
			doctor, DPH_CHECK_MASKED, DPH_FIX_MASKED,
			"a short hit takes %.1f us with interrupts masked (the least of %u), "
			"%.0f us are allowed (--masked-max)",
			us, masked->pairs, most);
}

/* Collect records of the installed program. Returns false when the line failed. */
static bool collect_pairs(struct dph_doctor *doctor)
{
	const uint64_t end = dp_clock_ms() + WAIT_MS;

	if (!dph_masked_begin(&doctor->masked, doctor->session))
		return false;
	while (doctor->masked.pairs < PAIRS_WANTED && dp_clock_ms() < end) {
		if (!dp_session_listen(doctor->session, LISTEN_MS))
			return false;
		dp_records_flush(doctor->masked.records, dp_clock_ms() - LISTEN_MS);
	}
	return true;
}

/* Write the program that measures a hit. Returns what is missing for it; null: nothing. */
static const char *lacks_for_masked(const struct dph_doctor *doctor, const char *function,
				    char text[PROGRAM_ROOM])
{
	if (doctor->cli->elf == NULL || doctor->image == NULL)
		return "give the firmware with --elf";
	if (!(dp_session_target(doctor->session)->parts >> DP_PART_ITEMS & 1))
		return "the agent was built without DP_WITH_STREAM";
	if (doctor->hz == 0)
		return "records have no time";
	if (!dph_masked_program(doctor->image, function, text, PROGRAM_ROOM))
		return "the ELF file does not show the second instruction of the function";
	return NULL;
}

/* Returns false when the line failed. */
static bool check_masked(struct dph_doctor *doctor, const char *function)
{
	char text[PROGRAM_ROOM], why[DPH_WHY_ROOM];
	const char *lacks = lacks_for_masked(doctor, function, text);
	struct dp_inserted inserted;
	enum dp_err error;
	uint8_t removed;
	bool good;

	if (lacks != NULL) {
		dph_doctor_unknown(doctor, DPH_CHECK_MASKED, "%s", lacks);
		return true;
	}
	if (!dph_doctor_install(doctor, text, &inserted, &error, why)) {
		dph_doctor_unknown(doctor, DPH_CHECK_MASKED, "%s", why);
		return dph_doctor_line_holds(doctor);
	}
	good = collect_pairs(doctor);
	dph_masked_end(&doctor->masked);
	if (!good || !dp_session_remove(doctor->session, inserted.program, &removed))
		return dph_doctor_failed(doctor, DPH_CHECK_MASKED);
	tell_masked(doctor);
	return true;
}

/* --- all of them --- */

/* The probe was refused. Of most refusals another check, or the user, is the cause. Returns false
 * when the line failed. */
static bool refused(struct dph_doctor *doctor, const char *function, enum dp_err error,
		    const char *why)
{
	if (error == DP_ERR_NOT_TEXT)
		dph_doctor_wrong(doctor, DPH_CHECK_RANGES, DPH_FIX_ROWS,
				 "no row with DPROBES_TEXT has %s", function);
	else if (error == DP_ERR_NOT_PATCHABLE)
		dph_doctor_wrong(doctor, DPH_CHECK_PATCHED, DPH_FIX_TRAPS, "%s", why);
	else
		dph_doctor_unknown(doctor, DPH_CHECK_COUNTED, "%s", why);
	return dph_doctor_line_holds(doctor);
}

/* Returns false when a request failed. */
static bool prepare(struct dph_doctor *doctor, struct trial *trial)
{
	if (!dph_rows_read(&trial->rows, doctor->session))
		return dph_doctor_failed(doctor, DPH_CHECK_RANGES);
	if (dp_session_target(doctor->session)->parts >> DP_PART_VARS & 1)
		trial->count = dph_doctor_addresses(doctor->image, &trial->rows, trial->addresses);
	trial->has_nowhere = trial->count > 0 && dph_rows_hole(&trial->rows, &trial->nowhere);
	find_slot(doctor, trial);
	return true;
}

bool dph_doctor_site(struct dph_doctor *doctor, uint8_t program, struct dp_site_answer *site)
{
	return !(dp_hello_parts(dp_session_target(doctor->session)) >> DP_PART_HARDWARE & 1) ||
	       dp_session_site(doctor->session, program, 0, site);
}

/* What stops the CPU at the function. Returns false when the line failed. */
static bool tell_means(struct dph_doctor *doctor, uint8_t program)
{
	struct dp_site_answer site = {.means = DPH_MEANS_WORD};

	if (!dph_doctor_site(doctor, program, &site))
		return false;
	if (site.means == DPH_MEANS_COMPARE || site.means == DPH_MEANS_REMAP)
		dph_doctor_ok(doctor, DPH_CHECK_PATCHED,
			      "the text cannot be written: comparator %u stops the CPU",
			      site.comparator);
	else
		dph_doctor_ok(doctor, DPH_CHECK_PATCHED, "a trap was written and read back");
	return true;
}

/* Returns false when the line failed. */
static bool check_probe(struct dph_doctor *doctor, const char *function)
{
	struct trial trial = {.function = function};
	char text[PROGRAM_ROOM], why[DPH_WHY_ROOM];
	struct dp_inserted inserted;
	enum dp_err error;
	uint8_t removed;

	if (!prepare(doctor, &trial))
		return false;
	write_program(text, &trial);
	if (!dph_doctor_install(doctor, text, &inserted, &error, why))
		return refused(doctor, function, error, why);
	if (!tell_means(doctor, inserted.program) ||
	    !wait_for_hits(doctor, inserted.program, &trial)) {
		dph_doctor_wrong(doctor, DPH_CHECK_VECTORS, DPH_FIX_VECTORS,
				 "the target is silent since a probe on %s was armed: the first "
				 "hit did not return; or the slots are not executable",
				 function);
		return false;
	}
	tell_hits(doctor, &trial);
	if (trial.hits[ENTRY] > 0)
		check_ranges(doctor, inserted.program, &trial);
	if (!dp_session_remove(doctor->session, inserted.program, &removed))
		return dph_doctor_failed(doctor, DPH_CHECK_REMOVED);
	if (trial.hits[ENTRY] > 0 && !check_masked(doctor, function))
		return false;
	return dph_doctor_text(doctor, DPH_CHECK_REMOVED, true);
}

bool dph_doctor_hits(struct dph_doctor *doctor)
{
	static const enum dph_check needing[] = {
		DPH_CHECK_PATCHED, DPH_CHECK_VECTORS, DPH_CHECK_EXECUTED, DPH_CHECK_COUNTED,
		DPH_CHECK_RANGES,  DPH_CHECK_MASKED,  DPH_CHECK_REMOVED};
	const char *function = dph_cli_get(doctor->cli, DPH_OPT_PROBE);
	const char *why = NULL;

	if (doctor->taken)
		why = "no trap is written while a vector is not the agent's";
	else if (!(dp_session_target(doctor->session)->rights & DP_RIGHT_INSERT))
		why = "the agent is locked until the next reset (dprobes_lock)";
	else if (function == NULL)
		why = "name a function that is called often with --probe";
	if (why == NULL)
		return check_probe(doctor, function);
	for (size_t i = 0; i < sizeof needing / sizeof needing[0]; i++)
		dph_doctor_unknown(doctor, needing[i], "%s", why);
	return true;
}
