# SPDX-License-Identifier: BSD-2-Clause
"""The sweep on every board: instructions of the demo firmware, probed while its self-test runs, must change
nothing. A sample here, all of them each night and by `scons sweep BOARD=malta`. The sample goes round with
the day, or with SWEEP_SEED.
"""
import os
import pathlib
import time

import pytest

from harness import qemu, sweep

SAMPLE = 2  # batches
SEED = int(os.environ.get("SWEEP_SEED", time.time() // 86400))
PROBED_MIN = 0.995


# proves: R7.1
@pytest.mark.parametrize("board", qemu.board_names())
def test_sample(board, tmp_path, amount):
    it = sweep.Sweep(board, tmp_path / "sweep.dp")
    batches = it.spread(seed=SEED)
    done = it.run(batches[:amount(SAMPLE, len(batches))])
    print(f"{done} of {len(batches)} batches, seed {SEED}\n{it.table()}")
    assert not it.findings, it.table()
    assert len(it.probed) >= PROBED_MIN * (len(it.probed) + len(it.refused)) - 1
    assert len(it.reached) > 0.3 * len(it.probed)


@pytest.mark.nightly
@pytest.mark.parametrize("board", qemu.board_names())
def test_dense(board, tmp_path):
    """Probes on neighbours: every delay slot and every IT block with all its probes."""
    it = sweep.Sweep(board, tmp_path / "sweep.dp")
    it.run(it.dense())
    print(it.table())
    assert not it.findings, it.table()


@pytest.mark.parametrize("board", qemu.board_names())
def test_image(board):
    """What is swept: all the text that may be probed, without the data in it."""
    image = sweep.Image(board)
    text = image.symbols["__start_dprobes_text"] - image.symbols["__exception_end"]
    assert len(image.sites) > text / 4 * 0.6
    assert len({site.address for site in image.sites}) == len(image.sites)
    assert {"arch_irq_save", "arch_irq_restore"} <= {site.function.partition("+")[0] for site in image.sites}
    covered = {site.address for batch in sweep.Sweep(board, None, image).spread() for site in batch}
    assert covered == {site.address for site in image.sites}
    for batch in sweep.Sweep(board, None, image).spread():
        assert len(batch) <= sweep.BATCH
        assert all(b.address - a.address > 4 for a, b in zip(batch, batch[1:])), "neighbours"


class FakeFirmware:
    """Goes wrong while any of some addresses is probed; refuses another."""
    boots = 0

    def __init__(self, bad, kind, refused):
        self.bad, self.kind, self.refused, self.armed = bad, kind, refused, []

    def boot(self):
        self.boots += 1
        self.armed = []

    close = remove = lambda self: None

    def insert(self, sites, _handler):
        for site in sites:
            if site.address == self.refused:
                return site, "no reason"
        self.armed = sites
        return None

    def work(self):
        if self.bad <= {site.address for site in self.armed}:
            raise self.kind("the answer")

    def counters(self):
        return {number: (number, 0) for number, _ in enumerate(self.armed)}

    @staticmethod
    def text_differs():
        return None


@pytest.mark.parametrize("bad, kind, words", [
    ({0x140}, sweep.Wrong, "wrong: 0x140"), ({0x140}, sweep.Hang, "hang: 0x140"),
    ({0x104, 0x108}, sweep.Wrong, "only with 32 probes"), ({0x999}, sweep.Wrong, None)])
def test_halving(bad, kind, words):
    """The one instruction that goes wrong is found, and one that is refused is no finding."""
    image = type("Image", (), {})()
    image.sites = [sweep.Site(0x100 + 4 * n, "nop", "nop", "f+0") for n in range(32)]
    image.data_words = 0
    it = sweep.Sweep("none", pathlib.Path("none"), image)
    it.firmware = FakeFirmware(bad, kind, 0x120)
    it.run([image.sites])
    assert list(it.refused) == [image.sites[8]]
    if words is None:
        assert not it.findings and len(it.probed) == 31
    else:
        assert len(it.findings) == 1 and words.replace("32", "31") in it.table(), it.table()


# Of the instructions that were probed, at least this share is executed: the rest are paths of errors and of other data.
LIBRARY_REACHED_MIN = 0.5


@pytest.mark.nightly
@pytest.mark.parametrize("form", sweep.library_forms("vexpress-a9"))
def test_library_is_in_full(form):
    """Every function of libm that programs may call is in the kernel."""
    functions = sweep.libm_functions("vexpress-a9", form)
    assert len(functions) > 250
    assert not functions - set(sweep.library("vexpress-a9", form, None).image.symbols)


@pytest.mark.nightly
@pytest.mark.parametrize("form", sweep.library_forms("vexpress-a9"))
def test_library(form, tmp_path):
    """The C library in full, compiled for size and for speed, in A32 and in Thumb code, with and without hard float: nothing
    goes wrong, and nearly every instruction can be probed."""
    it = sweep.library("vexpress-a9", form, tmp_path / "sweep.dp")
    it.run(it.spread())
    print(it.table())
    assert not it.findings, it.table()
    assert not it.too_many_refused(), it.table()
    assert len(it.reached) >= LIBRARY_REACHED_MIN * len(it.probed), it.table()
