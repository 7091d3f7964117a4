# SPDX-License-Identifier: BSD-2-Clause
"""Pictures that a renderer made of SVG: PNG with 8 bits a colour."""
import struct
import subprocess
import zlib

from .paths import program

WIDTH = 600  # a quarter of the pixels, for speed


class Picture:
    """rows: bytes of each row, `channels` a pixel."""

    def __init__(self, data):
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        at, packed = 8, b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height, depth, colours = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and colours in (2, 6)
                self.channels = 3 if colours == 2 else 4
            packed += body if kind == b"IDAT" else b""
            at += 12 + size
        self.rows = list(self._rows(zlib.decompress(packed)))

    def _rows(self, data):
        size, before = self.width * self.channels, bytes(self.width * self.channels)
        for y in range(self.height):
            kind, row = data[y * (size + 1)], bytearray(data[y * (size + 1) + 1:(y + 1) * (size + 1)])
            for x in range(size if kind else 0):
                left = row[x - self.channels] if x >= self.channels else 0
                corner = before[x - self.channels] if x >= self.channels else 0
                row[x] = (row[x] + (0, left, before[x], (left + before[x]) // 2, _paeth(left, before[x], corner))[kind]) & 0xFF
            before = bytes(row)
            yield before

    def colours(self):
        """{(red, green, blue)} of all pixels."""
        return {tuple(row[at:at + 3]) for row in self.rows for at in range(0, len(row), self.channels)}


def _paeth(left, up, corner):
    nearest = left + up - corner
    return min((abs(nearest - left), 0, left), (abs(nearest - up), 1, up), (abs(nearest - corner), 2, corner))[2]


def rendered(path):
    """The picture of an SVG file, WIDTH pixels wide."""
    return Picture(subprocess.run([program("rsvg-convert"), "--keep-aspect-ratio", f"--width={WIDTH}", path], capture_output=True, check=True).stdout)
