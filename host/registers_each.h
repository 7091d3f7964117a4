/* SPDX-License-Identifier: BSD-2-Clause */
/* In front of each regs.def, which takes its macros away at its end: what registers.def makes of
 * them. Read many times, so without a guard. */
#define REG(index, id, name, words, pops, access) EACH_REG(index, id, name, words, pops, access)
#define REG_ALIAS(alias, index)                   EACH_ALIAS(alias, index)
