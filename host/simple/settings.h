/* SPDX-License-Identifier: BSD-2-Clause */
/* The settings of the simple interface have names, and some have few values. */
#ifndef DPH_SIMPLE_SETTINGS_H
#define DPH_SIMPLE_SETTINGS_H

#include <stdbool.h>

enum dph_setting {
#define SETTING(name, kind, meaning) DPH_SET_##name,
#include "simple_settings.def"
	DPH_SETTINGS,
};

/* Return the setting of this name; DPH_SETTINGS: there is none. */
enum dph_setting dph_setting_named(const char *name);

/* Return the sentence about a value that does not fit, which the caller frees; null: it fits. */
char *dph_setting_fault(enum dph_setting setting, const char *value);

/* Is the value of a flag "yes"? value: may be null. */
bool dph_setting_yes(const char *value);

#endif
