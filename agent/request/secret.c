/* SPDX-License-Identifier: BSD-2-Clause */
/* SipHash-2-4 (dp_siphash.h) for secrets.
 * The state is volatile: each of the small functions reads halves of words, changes them, and
 * writes them back. Between their calls a caller has pointers and the message alone in its
 * registers, so no stack gets a part of the state. The registers that a call leaves behind are
 * overwritten by the same functions with public numbers (wipe) before a hit may come. */
#include "dp_sealed.h"

#include "dp_at_work.h"
#include "dp_lock.h"

#if DP_WITH_ACCESS
#define DP_ALONE __attribute__((__noinline__))

typedef volatile uint32_t half_word;

static struct dp_hash *hash_of(struct dp_agent *agent)
{
	return &agent->secret.hash[dp_work_in_hit(agent)];
}

/* Four bytes, the first lowest. */
static DP_ALONE void set(half_word *to, const uint8_t *from, uint32_t with)
{
	*to = ((uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
	       (uint32_t)from[3] << 24) ^
	      with;
}

static DP_ALONE void set_word(half_word *to, const half_word *from, uint32_t with)
{
	*to = *from ^ with;
}

static DP_ALONE void add(half_word *to, const half_word *more)
{
	uint32_t low = to[0] + more[0];

	to[1] = to[1] + more[1] + (low < more[0]);
	to[0] = low;
}

/* Turn left by 1 to 31 bits. */
static DP_ALONE void turn(half_word *word, unsigned bits)
{
	uint32_t low = word[0];

	word[0] = low << bits | word[1] >> (32 - bits);
	word[1] = word[1] << bits | low >> (32 - bits);
}

static DP_ALONE void swap_halves(half_word *word)
{
	uint32_t low = word[0];

	word[0] = word[1];
	word[1] = low;
}

static DP_ALONE void mix_in(half_word *to, const half_word *with)
{
	to[0] ^= with[0];
	to[1] ^= with[1];
}

static DP_ALONE void mix_number(half_word *to, uint32_t low, uint32_t high)
{
	to[0] ^= low;
	to[1] ^= high;
}

static DP_ALONE bool differs(const half_word *word, uint32_t low, uint32_t high, uint32_t of_high)
{
	return ((word[0] ^ low) | ((word[1] ^ high) & of_high)) != 0;
}

/* Leave nothing of the state in registers, behind half a round. Part of its caller: the first
 * instructions of a function save registers on the stack. */
static inline __attribute__((__always_inline__)) void wipe_half_round(struct dp_hash *hash)
{
	half_word *blank = hash->blank;

	add(blank, blank);
	turn(blank, 13);
	mix_in(blank, blank); /* zero */
	mix_number(blank, 0, 0);
	swap_halves(blank);
}

/* So too, behind set() and set_word(). */
static inline __attribute__((__always_inline__)) void wipe(struct dp_hash *hash)
{
	static const uint8_t nothing[4];

	set(hash->blank, nothing, 0);
	set_word(hash->blank, hash->blank, 0);
	wipe_half_round(hash);
}

/* Part of its caller, as wipe_half_round() is: what a small function spills lies where the same
 * function spills public numbers behind it. */
static inline __attribute__((__always_inline__)) void
half_round(half_word *a, half_word *b, half_word *c, half_word *d, unsigned b_bits, unsigned d_bits)
{
	add(a, b);
	turn(b, b_bits);
	mix_in(b, a);
	swap_halves(a);
	add(c, d);
	turn(d, d_bits);
	mix_in(d, c);
}

/* The longest stretches under the lock are half a round. The number goes into one word
 * before the first half, and into another one behind the second; `blank` takes what no word of the
 * state does. */
static void first_half(struct dp_hash *hash, half_word *before, uint32_t low, uint32_t high)
{
	half_word(*v)[2] = hash->v;
	dp_irq irq = dp_lock_take();

	mix_number(before, low, high);
	half_round(v[0], v[1], v[2], v[3], 13, 16);
	wipe_half_round(hash);
	dp_lock_give(irq);
}

static void second_half(struct dp_hash *hash, half_word *behind, uint32_t low, uint32_t high)
{
	half_word(*v)[2] = hash->v;
	dp_irq irq = dp_lock_take();

	half_round(v[2], v[1], v[0], v[3], 17, 21);
	mix_number(behind, low, high);
	wipe_half_round(hash);
	dp_lock_give(irq);
}

static void round_of(struct dp_hash *hash, half_word *before, half_word *behind, uint32_t low,
		     uint32_t high)
{
	first_half(hash, before, low, high);
	second_half(hash, behind, low, high);
}

/* key: 16 bytes; null: those of the session. */
static void begin(const struct dp_secret *secret, struct dp_hash *hash, const uint8_t *key)
{
	static const uint32_t with[4][2] = {{0x70736575, 0x736f6d65},
					    {0x6e646f6d, 0x646f7261},
					    {0x6e657261, 0x6c796765},
					    {0x79746573, 0x74656462}};

	for (unsigned i = 0; i < 4; i++) {
		dp_irq irq = dp_lock_take();

		for (unsigned k = 0; k < 2; k++)
			if (key)
				set(&hash->v[i][k], key + i % 2 * 8 + 4 * k, with[i][k]);
			else
				set_word(&hash->v[i][k], &secret->key[i % 2][k], with[i][k]);
		wipe(hash);
		dp_lock_give(irq);
	}
}

static void block(struct dp_hash *hash, uint32_t low, uint32_t high)
{
	round_of(hash, hash->v[3], hash->blank, low, high);
	round_of(hash, hash->blank, hash->v[0], low, high);
}

/* The hash is in v[0]. */
static void end(struct dp_hash *hash)
{
	dp_irq irq;

	round_of(hash, hash->v[2], hash->blank, 0xff, 0);
	for (unsigned i = 1; i < 4; i++)
		round_of(hash, hash->blank, hash->blank, 0, 0);
	irq = dp_lock_take();
	for (unsigned i = 1; i < 4; i++)
		mix_in(hash->v[0], hash->v[i]);
	wipe(hash);
	dp_lock_give(irq);
}

void dp_secret_hash(struct dp_agent *agent, const uint8_t *key, const uint8_t *message,
		    unsigned bytes)
{
	struct dp_hash *hash = hash_of(agent);

	begin(&agent->secret, hash, key);
	for (unsigned at = 0; at <= bytes; at += 8) {
		uint32_t words[2] = {0, 0};

		for (unsigned i = 0; i < 8 && at + i < bytes; i++)
			words[i / 4] |= (uint32_t)message[at + i] << i % 4 * 8;
		if (bytes - at < 8) /* the last block ends with the length */
			words[1] |= (uint32_t)bytes << 24;
		block(hash, words[0], words[1]);
	}
	end(hash);
}

bool dp_secret_is(struct dp_agent *agent, uint32_t high, uint32_t low, bool low_only)
{
	struct dp_hash *hash = hash_of(agent);
	dp_irq irq = dp_lock_take();
	bool is = !differs(hash->v[0], low, high, low_only ? 0 : 0xffffffff);

	differs(hash->blank, 0, 0, 0);
	dp_lock_give(irq);
	return is;
}

uint32_t dp_secret_word(struct dp_agent *agent, unsigned half)
{
	return hash_of(agent)->v[0][half];
}

void dp_secret_keep(struct dp_agent *agent, unsigned half)
{
	struct dp_hash *hash = hash_of(agent);
	half_word *key = agent->secret.key[half];
	dp_irq irq = dp_lock_take();

	if (dp_work_is_ours(agent)) {
		mix_in(key, key); /* zero */
		mix_in(key, hash->v[0]);
		wipe(hash);
	}
	dp_lock_give(irq);
}
#endif
