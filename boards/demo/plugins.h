/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel with DEMO_WITH_PLUGINS loads one module at two places and runs both. */
#ifndef DEMO_PLUGINS_H
#define DEMO_PLUGINS_H

#ifdef DEMO_WITH_PLUGINS
/* context: start-up, after agent_start. */
void plugins_create(void);
#else
static inline void plugins_create(void)
{
}
#endif

#endif
