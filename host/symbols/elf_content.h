/* SPDX-License-Identifier: BSD-2-Clause */
/* An ELF file whose bytes are in memory. libelf and libdw read sections when they are asked for
 * them: in a file or a mapping they would meet what was written there since. */
#ifndef DPH_ELF_CONTENT_H
#define DPH_ELF_CONTENT_H

#include "base/content.h"

#include <libelf.h>

/* Start with all zero. */
struct dph_elf {
	struct dph_content *content; /* null: the file cannot be read */
	char *own;                   /* its bytes once more: libelf changes what it decompresses */
	Elf *elf;                    /* null: the bytes are no file of libelf */
};

/* content: this use of it is taken over; may be null. */
void dph_elf_open(struct dph_elf *file, struct dph_content *content);
void dph_elf_close(struct dph_elf *file);

#endif
