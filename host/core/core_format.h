/* SPDX-License-Identifier: BSD-2-Clause */
/* The places in the notes of a core, for its writer and its reader. */
#ifndef DPH_CORE_FORMAT_H
#define DPH_CORE_FORMAT_H

enum {
	/* struct elf_prstatus of Linux, with words of 4 and of 8 bytes. */
	DPH_PRSTATUS_ID_32 = 24,
	DPH_PRSTATUS_REGISTERS_32 = 72,
	DPH_PRSTATUS_ID_64 = 32,
	DPH_PRSTATUS_REGISTERS_64 = 112,
	DPH_PRSTATUS_BEHIND = 4, /* pr_fpvalid, behind the registers */

	/* Notes of the owner `dprobes`. BFD takes the types of Linux from any owner. */
	DPH_NOTE_TASK = 0x64700001,   /* u32 number of the task as pr_pid has it, u64 control block,
				       * u64  priority, name, state and where, with a NUL each */
	DPH_NOTE_REASON = 0x64700002, /* why the core was taken, and the kernel, with a NUL each */
	DPH_NOTE_MODULE = 0x64700003  /* u32 DP_IDENTITY_*, u64 base, length and linked address of
				       * the text, and the bytes of the identity */
};

#define DPH_NOTE_OWNER "dprobes"
#define DPH_NOTE_LINUX "CORE"

#endif
