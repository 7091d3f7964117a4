/* SPDX-License-Identifier: BSD-2-Clause */
/* The addresses that an integration must let programs read: the ends of the firmware's code and
 * data, by its symbols. */
#ifndef DPH_DOCTOR_ADDRESSES_H
#define DPH_DOCTOR_ADDRESSES_H

#include <dprobes/host.h>

enum {
	DPH_DOCTOR_ADDRESSES = 4
};

/* Find the first and last word of all functions and of all objects. Returns the number of
 * addresses, which differ. */
size_t dph_doctor_addresses(const struct dp_image *image, uint64_t addresses[DPH_DOCTOR_ADDRESSES]);

#endif
