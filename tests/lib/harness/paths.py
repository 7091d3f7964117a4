# SPDX-License-Identifier: BSD-2-Clause
"""Where the sources and the build's products are."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
TESTS = TOP / "tests"
BUILD = TOP / "build"

sys.path.insert(0, str(TESTS / "lib" / "tools"))

# Not a folder of the source tree: shipped trees may have no git.
_NOT_OURS = {".git", "build", "__pycache__", ".pytest_cache"}


def tracked_files():
    """Every file that belongs to the repository, relative to its top."""
    git = subprocess.run(
        ["git", "-C", str(TOP), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False) if shutil.which("git") else None
    if git and git.returncode == 0:
        names = [name for name in git.stdout.split("\0") if name]
    else:
        names = []
        for folder, folders, files in os.walk(TOP):
            folders[:] = [f for f in folders if f not in _NOT_OURS]
            names += [os.path.relpath(os.path.join(folder, f), TOP) for f in files]
    return sorted(pathlib.Path(name) for name in names if (TOP / name).exists())


def built(*parts):
    """A product of the build, or a skip that says how to get it."""
    path = BUILD.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{path.relative_to(TOP)} is not built; run scons (it says what is missing)")
    return path


def program(name):
    """An installed program, or a skip that says where it comes from."""
    path = shutil.which(name)
    if not path:
        pytest.skip(f"{name} is not installed; run: sh tests/setup.sh")
    return path
