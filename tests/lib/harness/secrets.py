# SPDX-License-Identifier: BSD-2-Clause
"""What a sealed session must not show: a model of the hash that notes each word of its state, and a search for those words in
memory. protocol/PROTOCOL.md 5.2, "The seal"."""
MASK = (1 << 64) - 1
TEXTS = [int.from_bytes(text, "big") for text in (b"somepseu", b"dorandom", b"lygenera", b"tedbytes")]


class Secrets:
    """words: 64-bit words of the states and keys. halves: 32-bit parts of those that are there between two masked stretches."""

    def __init__(self):
        self.words, self.halves = set(), set()

    def key(self, key):
        """A key is secret by itself, also as the bytes of a board's key lie in memory."""
        for order in ("little", "big"):
            self._at_rest(*(int.from_bytes(half, order) for half in (key[:8], key[8:])))

    def _at_rest(self, *words):
        self.words |= set(words)
        self.halves |= {half for word in words for half in (word & 0xFFFFFFFF, word >> 32)}

    def hash(self, key, message, public=MASK):
        """Note the states of a hash, and return it. public: the bits that go out on the line."""
        parts = [int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")] * 2
        v = [part ^ text for part, text in zip(parts, TEXTS)]
        self._at_rest(*v)

        def set_to(n, value):
            v[n] = value & MASK
            self.words.add(v[n])

        def turn(n, bits):
            set_to(n, v[n] << bits | v[n] >> 64 - bits)

        def half_round(a, b, c, d, b_bits, d_bits):
            set_to(a, v[a] + v[b])
            turn(b, b_bits)
            set_to(b, v[b] ^ v[a])
            turn(a, 32)
            set_to(c, v[c] + v[d])
            turn(d, d_bits)
            set_to(d, v[d] ^ v[c])

        def rounds(count):
            for _ in range(count):
                half_round(0, 1, 2, 3, 13, 16)
                self._at_rest(*v)
                half_round(2, 1, 0, 3, 17, 21)
                self._at_rest(*v)

        padded = message + bytes(7 - len(message) % 8) + bytes([len(message)])
        for at in range(0, len(padded), 8):
            block = int.from_bytes(padded[at:at + 8], "little")
            set_to(3, v[3] ^ block)
            rounds(2)
            set_to(0, v[0] ^ block)
            self._at_rest(*v)
        set_to(2, v[2] ^ 0xFF)
        rounds(4)
        found = v[0] ^ v[1] ^ v[2] ^ v[3]
        self._at_rest(found)
        if public == MASK:
            self.words.discard(found)
        self.halves -= {found & 0xFFFFFFFF} | ({found >> 32} if public == MASK else set())
        return found

    def shown(self, data, order):
        """The offsets in memory of words as the agent keeps them, low half first, or with the high half first."""
        halves = [[half.to_bytes(4, order) for half in (word & 0xFFFFFFFF, word >> 32)] for word in self.words]
        known = {low + high for low, high in halves} | {high + low for low, high in halves}
        return [at for at in range(len(data) - 7) if data[at:at + 8] in known]

    def halves_shown(self, data, order):
        """The offsets of parts, in the few words that an interrupt saves or finds on a stack."""
        return [at for at in range(0, len(data) - 3, 4) if int.from_bytes(data[at:at + 4], order) in self.halves]


def visible(start, data, rows):
    """The bytes of memory without those of rows, (start, bytes), that nobody reads."""
    data = bytearray(data)
    for row, count in rows:
        first, end = max(row - start, 0), max(min(row + count - start, len(data)), 0)
        data[first:end] = bytes(max(end - first, 0))
    return bytes(data)
