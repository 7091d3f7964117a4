/* SPDX-License-Identifier: BSD-2-Clause */
/* The verifier: the only check of an object. PROTOCOL.md 2. The host shares the verifier, and
 * refuses the objects that the target would refuse. */
#ifndef DP_VERIFY_H
#define DP_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "dp_errors.h"
#include "dp_object.h"
#include "dp_regs.h"

/* The target (or the simulated one) for the verifier. */
struct dp_target {
	uint8_t cpu, word_bytes, order; /* enum dp_cpu, 4 or 8, DP_ORDER_* */
	uint8_t isas;                   /* bit n: the CPU has instruction set n (enum dp_isa) */
	uint8_t port_groups;            /* instruction groups this CPU can do, else NOT_ON_PORT */
	uint8_t build_groups;           /* the groups that the profile allows, else NOT_PERMITTED */
	bool may_write;                 /* session right for destructive groups */
	uint16_t log_max, trace_max, vars_max, gvars_max, jmpmax_max;
	uint16_t probes_max;
	const struct dp_reg *regs; /* sorted by index */
	uint16_t reg_count;
};

/* Places in a checked object, as offsets from its first byte. */
struct dp_layout {
	uint32_t bytes; /* travelling part */
	union {
		struct {
			uint32_t modules, traits, probes, code, strings, maps; /* section offsets */
		};
		uint32_t offset[6]; /* the same */
	};
	union {
		struct {
			uint16_t module_count, traits_count, probe_count, code_bytes, string_bytes,
				map_count;
		};
		uint16_t count[6];
	};
	bool asks_old; /* its code pushes wpold, on a port with comparators */
};

/* Check header, sections, every probe point's fields and the code, in one pass each, linear time,
 * no recursion (PROTOCOL.md section 2 says which error wins). object: `bytes` received bytes,
 * 4-byte aligned. scratch: a bitmap of at least (code bytes + 7) / 8 bytes, scratch_bytes long; too
 * small is ARENA_FULL. Returns verdict->error; layout is filled on DP_ERR_OK.
 * Addresses and instructions are not looked at: that is the target's part
 * (agent/request/install.c). Any context. */
enum dp_err dp_verify_object(const uint8_t *object, uint32_t bytes, const struct dp_target *target,
			     uint8_t *scratch, uint32_t scratch_bytes, struct dp_layout *layout,
			     struct dp_verdict *verdict);

#endif
