# SPDX-License-Identifier: BSD-2-Clause
# Common part of boards/<board>/run of the ARM boards: MACHINE is set by the script that reads this.
QEMU=qemu-system-arm
QEMU_FLAGS="-audiodev none,id=none -global pl041.audiodev=none"
. "$(dirname "$0")/../run-qemu.sh"
