/* SPDX-License-Identifier: BSD-2-Clause */
/* The running task of the firmware, which a run asks the board for once. */
#include "dp_vm.h"

const struct dp_task *dp_vm_task(struct dp_vm *vm, const struct dp_vm_hooks *hooks)
{
	if (!vm->task_known) {
		vm->task.task = 0;
		vm->task.pid = 0;
		vm->task.name = "";
		if (hooks->task)
			hooks->task(&vm->task);
		if (vm->task.pid ==
		    0) /* a board that names its tasks by an address only has that */
			vm->task.pid = (uint32_t)vm->task.task;
		vm->task_known = true;
	}
	return &vm->task;
}
