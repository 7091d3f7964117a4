/* SPDX-License-Identifier: BSD-2-Clause */
/* The reporter turns a complaint about a program into a message. */
#include "report.h"

#include <stdarg.h>

void dph_say(const struct dph_report *report, enum dp_severity severity, struct dph_place place,
	     const char *format, ...)
{
	va_list args;
	if (report->messages->errors >= DPH_ERRORS_MAX)
		return;
	va_start(args, format);
	dph_source_message(report->source, report->messages, severity, &place, format, args);
	va_end(args);
}

bool dph_report_full(const struct dph_report *report)
{
	return dph_messages_full(report->messages, report->source->files[0].name);
}
