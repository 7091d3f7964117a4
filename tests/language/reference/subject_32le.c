/* SPDX-License-Identifier: BSD-2-Clause */
#define DP_WORD_BITS       32
#define DP_PORT_BIG_ENDIAN 0
#define SUBJECT_RUN        subject_run_32le
#include "subject_form.h"
