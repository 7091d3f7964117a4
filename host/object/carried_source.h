/* SPDX-License-Identifier: BSD-2-Clause */
/* The source that an object carries. */
#ifndef DPH_CARRIED_SOURCE_H
#define DPH_CARRIED_SOURCE_H

#include "object_read.h"

/* Are all lines of the program those of one file? Lines of other programs cannot be shown. */
bool dph_carried_file(const struct dp_object_file *object);
/* Line `number` of the source, from the heap; null: the object does not carry it. */
char *dph_carried_line(const struct dp_object_file *object, unsigned number);

#endif
