/* SPDX-License-Identifier: BSD-2-Clause */
/* The findings of `dprobes doctor`. */
#include "doctor.h"

#include "present/found.h"

#include <stdarg.h>

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

/* fix: of a check that is wrong; DPH_FIXES: none. */
__attribute__((format(printf, 5, 0))) static void tell(struct dph_doctor *doctor,
						       enum dph_check check, const char *state,
						       enum dph_fix fix, const char *format,
						       va_list args)
{
	char sentence[DPH_WHY_ROOM];
	struct dph_finding_view view = {.check = checks[check], .state = state, .text = sentence};

	vsnprintf(sentence, sizeof(sentence), format, args);
	if (fix < DPH_FIXES) {
		view.section = fixes[fix].section;
		view.words = fixes[fix].words;
	}
	dp_sink_reading(doctor->sink, DP_READING_FINDING, &view);
	fflush(doctor->sink->options.out);
}

void dph_doctor_ok(struct dph_doctor *doctor, enum dph_check check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(doctor, check, "ok", DPH_FIXES, format, args);
	va_end(args);
}

void dph_doctor_unknown(struct dph_doctor *doctor, enum dph_check check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(doctor, check, "not known", DPH_FIXES, format, args);
	va_end(args);
}

void dph_doctor_wrong(struct dph_doctor *doctor, enum dph_check check, enum dph_fix fix,
		      const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(doctor, check, "wrong", fix, format, args);
	va_end(args);
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
