/* SPDX-License-Identifier: BSD-2-Clause */
#define DP_WORD_BITS       64
#define DP_PORT_BIG_ENDIAN 0
#define SUBJECT_RUN        subject_run_64le
#include "subject_form.h"
