/* SPDX-License-Identifier: BSD-2-Clause */
/* Values as people read them. */
#ifndef DPH_VALUE_TEXT_H
#define DPH_VALUE_TEXT_H

#include <dprobes/values.h>

#include <stdio.h>

/* Print characters of the target, which may steer a terminal: dots stand for control bytes and
 * zeros. */
void dph_put_characters(FILE *out, const uint8_t *bytes, size_t count);
/* Print a value of a record. A call stack and an aggregation print nothing here. */
void dph_put_value(FILE *out, const struct dp_value *value);
/* The same as a text from the heap. */
char *dph_value_text(const struct dp_value *value);

#endif
