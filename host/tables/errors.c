/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions return names and sentences of the tables in protocol/. */
#include <dprobes/errors.h>

#include <string.h>

const char *dp_error_sentence(unsigned error)
{
	switch (error) {
#define DP_ERR(name, number, sentence)                                                             \
	case number:                                                                               \
		return sentence;
#include "errors.def"
	default:
		return "the agent answered an error that this dprobes does not support; "
		       "use the dprobes that matches the agent";
	}
}

const char *dp_error_name(unsigned error)
{
	switch (error) {
#define DP_ERR(name, number, sentence)                                                             \
	case number:                                                                               \
		return #name;
#include "errors.def"
	default:
		return "UNKNOWN";
	}
}

const char *dp_refusal_sentence(unsigned refusal)
{
	switch (refusal) {
#define DP_REFUSAL(number, name, sentence)                                                         \
	case number:                                                                               \
		return sentence;
#include "refusals.def"
	default:
		return "for a reason that this dprobes does not support";
	}
}

const char *dp_notice_sentence(unsigned notice)
{
	switch (notice) {
#define DP_NOTICE(number, name, sentence)                                                          \
	case number:                                                                               \
		return sentence;
#include "notices.def"
	default:
		return "an event that this dprobes does not support";
	}
}

const char *dp_part_sentence(unsigned part)
{
	switch (part) {
#define DP_PART(number, name, feature, sentence)                                                   \
	case number:                                                                               \
		return sentence;
#define DP_FORMER(number, sentence)                                                                \
	case number:                                                                               \
		return sentence;
#include "parts.def"
	default:
		return "a part that this dprobes does not support";
	}
}

const char *dp_part_feature(unsigned part)
{
	static const struct {
		const char *name, *feature;
	} rows[] = {
#define DP_PART(number, name, feature, sentence) [number] = {#name, #feature},
#include "parts.def"
	};

	if (part >= sizeof(rows) / sizeof(rows[0]) || rows[part].name == NULL)
		return NULL;
	return strcmp(rows[part].feature, "ALWAYS") == 0 ? rows[part].name : rows[part].feature;
}

bool dp_exception_has_parameter(unsigned bit)
{
	switch (bit) {
#define DP_EXCEPTION(bit, name, maskable, parm1, parm2)                                            \
	case bit:                                                                                  \
		return strcmp(parm1, "0") != 0;
#include "exceptions.def"
	default:
		return true;
	}
}

const char *dp_exception_name(unsigned bit)
{
	switch (bit) {
#define DP_EXCEPTION(bit, name, maskable, parm1, parm2)                                            \
	case bit:                                                                                  \
		return #name;
#include "exceptions.def"
	default:
		return "exception";
	}
}
