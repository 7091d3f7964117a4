/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of the report of `dprobes doctor`. */
#include "doctor.h"

#include "base/plain.h"

#include <stdarg.h>

enum {
	SENTENCE_ROOM = 1024
};

static const char *const checks[DPH_CHECKS] = {
#define CHECK(id, what) what,
#include "doctor_checks.def"
};

static const struct {
	const char *section, *words;
} fixes[DPH_FIXES] = {
#define FIX(id, section, words) {section, words},
#include "doctor_checks.def"
};

__attribute__((format(printf, 4, 0))) static void tell(struct dph_doctor *doctor,
						       enum dph_check check, const char *word,
						       const char *format, va_list args)
{
	char sentence[SENTENCE_ROOM];

	vsnprintf(sentence, sizeof(sentence), format, args);
	fprintf(doctor->out, "%-9s  %s: ", word, checks[check]);
	dph_plain_print(sentence, doctor->out); /* a name of the ELF file may be in it */
	fputc('\n', doctor->out);
	fflush(doctor->out);
}

void dph_doctor_ok(struct dph_doctor *doctor, enum dph_check check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(doctor, check, "ok", format, args);
	va_end(args);
}

void dph_doctor_unknown(struct dph_doctor *doctor, enum dph_check check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(doctor, check, "not known", format, args);
	va_end(args);
}

void dph_doctor_wrong(struct dph_doctor *doctor, enum dph_check check, enum dph_fix fix,
		      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(doctor, check, "wrong", format, args);
	va_end(args);
	fprintf(doctor->out, "           agent/README.md, section \"%s\": %s\n", fixes[fix].section,
		fixes[fix].words);
	fflush(doctor->out);
	doctor->wrong++;
}

static void note_failure(struct dph_doctor *doctor)
{
	doctor->failure = *dp_session_failure(doctor->session);
	doctor->status = dph_failure_status(&doctor->failure);
}

bool dph_doctor_line_holds(struct dph_doctor *doctor)
{
	const bool holds = dp_session_failure(doctor->session)->kind != DP_FAILED_LINK;

	if (!holds)
		note_failure(doctor);
	return holds;
}

bool dph_doctor_failed(struct dph_doctor *doctor, enum dph_check check)
{
	note_failure(doctor);
	dph_doctor_unknown(doctor, check, "%s", doctor->failure.text);
	return false;
}
