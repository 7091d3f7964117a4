/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dph_images holds the files of one program's symbols and code. */
#ifndef DPH_IMAGES_H
#define DPH_IMAGES_H

#include <dprobes/host.h>

struct dph_cpu;

struct dph_images {
	struct dp_image *firmware;    /* null: no ELF */
	struct dp_image *symbol_file; /* --sym, or null */
	struct dp_image *module;      /* of a kmod or user program, or null; may be symbol_file */
	struct dp_image **copies;     /* of symbol_file at further places */
	size_t copy_count, copy_capacity;
};

/* Open the firmware (elf) and the list of symbols (sym); either path may be null. Returns false
 * with an error in messages when a file is not usable; the caller closes as usual. */
bool dph_images_open(struct dph_images *images, const char *elf, const char *sym,
		     struct dp_messages *messages);
/* Say where the firmware runs: its files have running addresses from then on. A file that is chosen
 * for a module has linked ones again. moved: as dp_image_move has it. */
void dph_images_move(struct dph_images *images, uint64_t moved);
/* Say where the target has the text of the firmware: dph_image_text. */
void dph_images_text(struct dph_images *images, uint64_t first, uint64_t bytes);
void dph_images_close(struct dph_images *images);

/* Open symbol_file once more, with its lowest address at `base`: it names addresses there, too. */
void dph_images_copy(struct dph_images *images, uint64_t base);

/* Choose the file of a kmod or user program: --sym, else the file that its name is the path of.
 * A name that is no path leaves images->module null. cpu: that of the program; a file for another
 * one is an error in messages. */
void dph_images_open_module(struct dph_images *images, const char *name, const struct dph_cpu *cpu,
			    struct dp_messages *messages);

/* The image that a program of this type (DP_MODULE_*) is for, or null. */
const struct dp_image *dph_images_of(const struct dph_images *images, unsigned modtype);
/* Return the lookup image if the image is an ELF file, which has code; else null. */
const struct dp_image *dph_images_code(const struct dph_images *images, unsigned modtype);
/* The image in which symbols of the firmware are looked up, or null. */
const struct dp_image *dph_images_symbols(const struct dph_images *images);
/* The image that names addresses: the list of symbols where that is an ELF file, else the firmware;
 * or null. */
const struct dp_image *dph_images_names(const struct dph_images *images);

#endif
