/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person needs to see of a difference. */
#ifndef DUMP_H
#define DUMP_H

#include "subject.h"

/* Program, surroundings, and the two final states. */
void dump_outcome(const struct subject_case *input, const struct subject_outcome *outcome);

#endif
