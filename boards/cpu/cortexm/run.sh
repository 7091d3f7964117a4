# SPDX-License-Identifier: BSD-2-Clause
# Common part of boards/<board>/run of the Cortex-M boards: MACHINE is set by the script that reads this.
QEMU=qemu-system-arm
QEMU_FLAGS=
. "$(dirname "$0")/../run-qemu.sh"
