/* SPDX-License-Identifier: BSD-2-Clause */
/* Static hooks of the kernel, in kernels that are built with DEMO_HOOKS. demo.provider.d gives them
 * types. */
#ifndef DEMO_HOOKS_H
#define DEMO_HOOKS_H

#ifndef DEMO_HOOKS
#define DPROBES_NO_HOOKS
#endif
#include "dprobes_hook.h"

#endif
