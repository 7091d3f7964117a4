# SPDX-License-Identifier: BSD-2-Clause
"""Writes the documents that are made from tables. Tests compare them with what is committed."""
import pathlib
import sys

sys.dont_write_bytecode = sys.pycache_prefix is None
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import claims  # noqa: E402
import coverage_document  # noqa: E402
import d_document  # noqa: E402
import manual  # noqa: E402
import protocol_document  # noqa: E402
import schema  # noqa: E402
import tree_kconfig  # noqa: E402


def main():
    for document in (manual, coverage_document, protocol_document, claims, d_document, schema, tree_kconfig):
        document.TARGET.write_text(document.generate(), encoding="utf-8")


if __name__ == "__main__":
    main()
