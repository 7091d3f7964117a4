/* SPDX-License-Identifier: BSD-2-Clause */
#define DP_WORD_BITS       64
#define DP_PORT_BIG_ENDIAN 1
#define SUBJECT_RUN        subject_run_64be
#include "subject_form.h"
