#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""All size reports, what each part costs, then one line for each configuration:
size_summary.py REPORT..."""
import re
import sys


def summary(text):
    """TITLE, text of core and port, bytes of RAM that the firmware gives."""
    title = re.search(r"^== (.*) ==$", text, re.M).group(1)
    core, port = (int(re.search(rf"^ +{name} +(\d+)", text, re.M).group(1)) for name in ("core", "port"))
    memory = int(re.search(r"memory of the firmware +(\d+)", text).group(1))
    return f"{title:20}{core:8}{port:8}{memory:8}"


def main(paths):
    reports = [open(path, encoding="utf-8").read() for path in paths]
    print("\n".join(reports), end="")
    print(f"\n{'configuration':20}{'core':>8}{'port':>8}{'RAM':>8}")
    for text in reports:
        if re.search(r"^  core ", text, re.M):
            print(summary(text))


if __name__ == "__main__":
    main(sys.argv[1:])
