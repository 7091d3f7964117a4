/* SPDX-License-Identifier: BSD-2-Clause */
/* The running task of the firmware, for instructions and for items of records. */
#ifndef DP_TASK_H
#define DP_TASK_H

#include "dp_vm.h"

#define dp_vm_task DP_VM_NAME(dp_vm_task)

/* Return the task that this run has interrupted: all zeros, with an empty name, where the hooks
 * know none. HIT context, after dp_vm_start. */
const struct dp_task *dp_vm_task(struct dp_vm *vm, const struct dp_vm_hooks *hooks);

#endif
