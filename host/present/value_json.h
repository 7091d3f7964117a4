/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of a record as JSON. */
#ifndef DPH_VALUE_JSON_H
#define DPH_VALUE_JSON_H

#include <dprobes/values.h>

/* The values as a JSON array, from the heap; null: there are none. Call stacks are left out. */
/* Return a value alone as JSON, from the heap; null: not enough memory. */
char *dph_value_json(const struct dp_value *value);
char *dph_values_json(const struct dp_value *const *values, size_t count);

#endif
