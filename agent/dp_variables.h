/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests about variables, long names and whole originals: the feature LANGUAGE. */
#ifndef DP_VARIABLES_H
#define DP_VARIABLES_H

#include "dp_exchange.h"

/* NAME: a piece of a program's name. VARS: variables of a program, or the global ones. */
enum dp_err dp_do_name(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_vars(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);
enum dp_err dp_do_original(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a);

#endif
