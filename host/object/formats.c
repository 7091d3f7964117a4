/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads the formats of an object, which describe the data of its records. */
#include "formats.h"

#include "object_read.h"

bool dp_object_words(const struct dp_object_file *object, unsigned index)
{
	struct dph_section formats;

	return dph_section(object, DP_SECTION_FORMATS, &formats) &&
	       formats.count > DPH_WORDS_HEAD && index < formats.count - DPH_WORDS_HEAD &&
	       formats.data[0] == DPH_WORDS_FORM && formats.data[1] == DPH_WORDS_VERSION &&
	       formats.data[DPH_WORDS_HEAD + index] == 1;
}

bool dph_object_formats(const struct dp_object_file *object)
{
	struct dph_section formats;

	return dph_section(object, DP_SECTION_FORMATS, &formats) && formats.count > 0 &&
	       formats.data[0] != DPH_WORDS_FORM;
}
