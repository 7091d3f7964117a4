/* SPDX-License-Identifier: BSD-2-Clause */
/* The check of `dprobes doctor` that counts the instructions of the firmware: how many of them can
 * be probed, by which means, and why the rest cannot. The ELF file shows the instructions, the
 * decoder of the port their refusals, the board's rows where probes may be. */
#define _GNU_SOURCE
#include "doctor.h"

#include "doctor_addresses.h"
#include "present/words.h"
#include "symbols/elf_image.h"
#include "symbols/insn_walk.h"
#include "tables/isas.h"
#include "tables/refuse.h"
#include <dprobes/errors.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum {
	REFUSALS = 32, /* numbers of refusals.def */
	ERRORS = 256,  /* numbers of errors.def */
	NOT_TOLD = 0xfe,
	NO_MEANS = 0xff
};

/* A row of the board with text. */
struct text_row {
	uint64_t probed; /* instructions that can be probed, as far as the ELF file shows */
	uint64_t first;  /* address of the first of them */
	unsigned means;  /* enum dph_means, NOT_TOLD or NO_MEANS */
};

struct share {
	const struct dp_image *image;
	const struct dph_cpu *cpu;
	struct dph_rows rows;
	uint64_t agent_first, agent_end;
	uint64_t counted; /* instructions of the firmware, but for those of no_probe and agent */
	uint64_t agent, no_probe;
	unsigned cut; /* places behind which code is not counted */
	uint64_t errors[ERRORS], refusals[REFUSALS];
	struct text_row row[DPH_DOCTOR_ROWS];
	struct text_row anywhere; /* of an agent that does not report its rows */
};

/* --- the walk --- */

/* The row of an instruction, of which each byte counts. error: receives the agent's refusal. */
static struct text_row *row_of(struct share *share, uint64_t address, unsigned bytes,
			       enum dp_err *error)
{
	struct text_row *row = &share->anywhere;

	*error = DP_ERR_OK;
	for (unsigned i = 0; i < bytes && share->rows.count > 0; i++) {
		const int number = dph_row_of(&share->rows, address + i);
		const unsigned access = number == DPH_NO_ROW ? 0 : share->rows.row[number].access;

		if (access & DP_ACCESS_NO_PROBE)
			*error = DP_ERR_IN_AGENT;
		else if (!(access & DP_ACCESS_TEXT))
			*error = DP_ERR_NOT_TEXT;
		if (*error != DP_ERR_OK)
			return NULL;
		row = &share->row[number];
	}
	return row;
}

static void take(struct share *share, const struct dph_code *code, const struct dp_insn *insn)
{
	enum dp_refusal why = DP_REFUSE_NOTHING;
	enum dp_err error;
	struct text_row *row;

	if (insn->address >= share->agent_first && insn->address < share->agent_end) {
		share->agent++;
		return;
	}
	row = row_of(share, insn->address, insn->count, &error);
	if (error == DP_ERR_IN_AGENT) {
		share->no_probe++;
		return;
	}
	share->counted++;
	if (error == DP_ERR_OK)
		error = dph_refuse_at(code, insn->address, &why);
	if (why != DP_REFUSE_NOTHING)
		share->refusals[why % REFUSALS]++;
	else if (error != DP_ERR_OK)
		share->errors[error % ERRORS]++;
	else if (row->probed++ == 0)
		row->first = insn->address;
}

/* Is the address of the firmware, and not of the agent or of a row without probes? */
static bool may_count(struct share *share, uint64_t address)
{
	enum dp_err error;

	row_of(share, address, 1, &error);
	return error != DP_ERR_IN_AGENT &&
	       (address < share->agent_first || address >= share->agent_end);
}

/* Walk through a stretch of one instruction set, from a function or mapping symbol to the next. */
static void walk(struct share *share, const struct dph_isa *isa, uint64_t at, uint64_t end)
{
	struct dph_code code = dph_code_of_image(share->image, isa);
	struct dp_insn insn;
	unsigned open = 0;

	code.from = at; /* no window of exclusive access is open here */
	while (at < end) {
		if (!dph_insn_read(&code, at, &insn)) {
			share->cut += insn.count > 0 && may_count(share, at);
			break;
		}
		take(share, &code, &insn);
		at += insn.count;
		if (code.decoder != NULL)
			open = dp_windows_behind(open, code.decoder->window(&insn));
		if (open == 0)
			code.from = at;
	}
}

static void count(struct share *share)
{
	uint64_t next;

	for (uint64_t at = 0; at != UINT64_MAX; at = next) {
		const struct dph_isa *isa = dph_isa_in(share->image, share->cpu, at);

		next = dph_image_next_change(share->image, at);
		if (isa != NULL)
			walk(share, isa, at, next);
	}
}

/* --- means --- */

/* Arm a probe in the row for a moment. It makes no record: a host that is killed now leaves it.
 * Returns false when the line failed. */
static bool try_row(struct dph_doctor *doctor, struct text_row *row)
{
	char text[128], why[DPH_WHY_ROOM];
	struct dp_site_answer site = {.means = NOT_TOLD};
	struct dp_inserted inserted;
	enum dp_err error;
	uint8_t removed;

	snprintf(text, sizeof text,
		 "name = \"doctor\"\naddress = 0x%" PRIx64 "\nminor = 1\nabort\n", row->first);
	if (!dph_doctor_install(doctor, text, &inserted, &error, why)) {
		row->means = error == DP_ERR_NOT_PATCHABLE ? NO_MEANS : NOT_TOLD;
		return dph_doctor_line_holds(doctor);
	}
	if (!dph_doctor_site(doctor, inserted.program, &site) ||
	    !dp_session_remove(doctor->session, inserted.program, &removed))
		return dph_doctor_failed(doctor, DPH_CHECK_SHARE);
	/* A probe that is disabled by then has no place, and no means. */
	row->means = site.means <= DPH_MEANS_COMPARE ? site.means : NOT_TOLD;
	return true;
}

/* What stops the CPU in each row? Only a trap that is written shows it; the board writes all text.
 * Returns false when the line failed. */
static bool find_means(struct dph_doctor *doctor, struct share *share)
{
	const bool by_board = doctor->hardware.text_by == 1 + DPH_MEANS_BOARD;

	for (unsigned i = 0; i <= share->rows.count; i++) {
		struct text_row *row = i < share->rows.count ? &share->row[i] : &share->anywhere;

		row->means = by_board ? DPH_MEANS_BOARD : NOT_TOLD;
		if (row->probed > 0 && !by_board && doctor->hits && !try_row(doctor, row))
			return false;
	}
	return true;
}

static uint64_t probed_by(const struct share *share, unsigned means)
{
	uint64_t probed = share->anywhere.means == means ? share->anywhere.probed : 0;

	for (unsigned i = 0; i < share->rows.count; i++)
		if (share->row[i].means == means)
			probed += share->row[i].probed;
	return probed;
}

/* --- the sentence --- */

__attribute__((format(printf, 2, 3))) static void add(char text[DPH_WHY_ROOM], const char *format,
						      ...)
{
	const size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, DPH_WHY_ROOM - used, format, args);
	va_end(args);
}

static void add_means(char text[DPH_WHY_ROOM], const struct dph_doctor *doctor,
		      const struct share *share)
{
	const char *before = ": ";

	for (unsigned means = DPH_MEANS_WORD; means <= DPH_MEANS_COMPARE; means++) {
		const uint64_t probed = probed_by(share, means);

		if (probed == 0)
			continue;
		add(text, "%s%" PRIu64 " by a %s", before, probed, dph_means(means));
		if (means == DPH_MEANS_REMAP || means == DPH_MEANS_COMPARE)
			add(text, " (%u in all, %u free)", doctor->hardware.code,
			    doctor->hardware.code_free);
		before = ", ";
	}
	if (probed_by(share, NOT_TOLD) == 0)
		return;
	if (doctor->hits)
		add(text, "%s%" PRIu64 " by means that the agent did not tell", before,
		    probed_by(share, NOT_TOLD));
	else
		add(text, "%sa hit of --probe shows by which means", before);
}

static void add_refusals(char text[DPH_WHY_ROOM], const struct dph_doctor *doctor,
			 const struct share *share)
{
	const uint64_t no_means = probed_by(share, NO_MEANS);
	const char *lack = dph_lacks_sentence(doctor->hardware.lacks);

	if (no_means > 0)
		add(text, "; %" PRIu64 " not: the text cannot be written, and %s", no_means,
		    lack != NULL ? lack : "no comparator stops the CPU");
	for (unsigned why = 0; why < REFUSALS; why++)
		if (share->refusals[why] > 0)
			add(text, "; %" PRIu64 " not: %s", share->refusals[why],
			    dp_refusal_sentence(why));
	for (unsigned error = 0; error < ERRORS; error++)
		if (share->errors[error] > 0)
			add(text, "; %" PRIu64 " not: %s", share->errors[error],
			    dp_error_sentence(error));
	if (share->cut > 0)
		add(text,
		    "; the code behind %u place(s) is not counted: an instruction of no known "
		    "length, or data",
		    share->cut);
	if (share->agent > 0)
		add(text, "; besides %" PRIu64 " of the agent", share->agent);
	if (share->no_probe > 0)
		add(text, "%s %" PRIu64 " in rows with DPROBES_NO_PROBE",
		    share->agent > 0 ? " and" : "; besides", share->no_probe);
}

static void tell(struct dph_doctor *doctor, const struct share *share)
{
	uint64_t probed = share->anywhere.probed;
	char text[DPH_WHY_ROOM];

	for (unsigned i = 0; i < share->rows.count; i++)
		probed += share->row[i].probed;
	probed -= probed_by(share, NO_MEANS);
	snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " instructions (%.1f %%)", probed,
		 share->counted,
		 share->counted > 0 ? 100.0 * (double)probed / (double)share->counted : 0);
	add_means(text, doctor, share);
	add_refusals(text, doctor, share);
	if (probed > 0)
		dph_doctor_ok(doctor, DPH_CHECK_SHARE, "%s", text);
	else
		dph_doctor_wrong(doctor, DPH_CHECK_SHARE, DPH_FIX_SHARE, "%s", text);
}

bool dph_doctor_share(struct dph_doctor *doctor)
{
	struct share share = {.image = doctor->image};

	if (doctor->cli->elf == NULL || doctor->image == NULL ||
	    (share.cpu = dph_image_cpu(doctor->image)) == NULL) {
		dph_doctor_unknown(doctor, DPH_CHECK_SHARE, "give the firmware with --elf");
		return true;
	}
	if (!dph_rows_read(&share.rows, doctor->session))
		return dph_doctor_failed(doctor, DPH_CHECK_SHARE);
	if (share.rows.cut) {
		dph_doctor_unknown(doctor, DPH_CHECK_SHARE, "the board has more than %d rows",
				   DPH_DOCTOR_ROWS);
		return true;
	}
	share.agent_first = dph_image_value(doctor->image, "__start_dprobes_text");
	share.agent_end = dph_image_value(doctor->image, "__stop_dprobes_text");
	count(&share);
	if (!find_means(doctor, &share))
		return false;
	tell(doctor, &share);
	return true;
}
