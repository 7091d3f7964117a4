/* SPDX-License-Identifier: BSD-2-Clause */
#define DP_WORD_BITS       32
#define DP_PORT_BIG_ENDIAN 1
#define SUBJECT_RUN        subject_run_32be
#include "subject_form.h"
