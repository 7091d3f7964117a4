# SPDX-License-Identifier: BSD-2-Clause
# Common part of boards/<board>/run of the PowerPC boards: MACHINE is set by the script that reads
# this, CPU_FLAGS and LOADER where needed. There is no semihosting: a reset ends the run with 0.
QEMU=qemu-system-ppc
QEMU_FLAGS="${CPU_FLAGS-} -nic none -vga none -no-reboot"
SEMIHOSTING=
. "$(dirname "$0")/../run-qemu.sh"
