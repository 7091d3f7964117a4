# SPDX-License-Identifier: BSD-2-Clause
"""scons sweep: every instruction of the demo firmware probed, and the table of it.

    sweep.py [--library] [--dense] [--share F] [--seed N] [--seconds S] [--unreached] BOARD...
"""
import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness import qemu, sweep  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dense", action="store_true", help="neighbours at once")
    parser.add_argument("--library", action="store_true", help="kernels with the C library in full, in each of its forms")
    parser.add_argument("--share", type=float, default=1.0, help="of the batches, chosen by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="for each board: as many batches as fit")
    parser.add_argument("--unreached", action="store_true", help="where probes were never hit")
    parser.add_argument("boards", nargs="*", metavar="BOARD")
    options = parser.parse_args()
    status = 0
    for board, form in [(board, form) for board in options.boards or qemu.board_names()
                        for form in (sweep.library_forms(board) if options.library else [None])]:
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder, "sweep.dp")
            it = sweep.library(board, form, scratch) if form else sweep.Sweep(board, scratch)
            it.run(it.dense() if options.dense else it.spread(options.share, options.seed),
                   options.seconds)
        print(it.table(), flush=True)
        if options.unreached:
            print("  never hit: " + ", ".join(f"{name} {n}" for name, n in it.unreached().most_common(60)))
        if it.too_many_refused():
            print(f"  more than {100 * sweep.REFUSED_MAX} % are refused")
        status |= bool(it.findings) or it.too_many_refused()
    return status


if __name__ == "__main__":
    sys.exit(main())
