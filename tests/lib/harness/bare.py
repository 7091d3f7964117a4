# SPDX-License-Identifier: BSD-2-Clause
"""A bare Debian in a folder, made of installed packages of this machine: no mirror is asked."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

DATABASE = pathlib.Path("/var/lib/dpkg")
# What merges /bin and the like with /usr is in no package's list.
MERGED = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64"}


def _installed():
    """{name: stanza of the status file} of the packages here."""
    stanzas = (DATABASE / "status").read_text(encoding="utf-8").split("\n\n")
    found = {}
    for stanza in stanzas:
        name = re.search(r"^Package: (.*)$", stanza, re.M)
        if name and "\nStatus: install ok installed" in stanza:
            found[name.group(1)] = stanza
    return found


def _needs(stanza, there):
    """The packages that a package depends on: of alternatives the first one that is installed, or one that provides it."""
    provided = {}
    for name, text in there.items():
        for word in re.findall(r"^Provides: (.*)$", text, re.M):
            for one in word.split(","):
                provided.setdefault(one.split()[0], name)
    for field in re.findall(r"^(?:Pre-)?Depends: (.*)$", stanza, re.M):
        for alternatives in field.split(","):
            names = [word.split()[0].partition(":")[0] for word in alternatives.split("|")]
            chosen = [name for name in names if name in there] or [provided[name] for name in names if name in provided]
            yield from chosen[:1]


def closure(names):
    """{name: stanza} of packages, of all they depend on, and of the essential ones."""
    there = _installed()
    waiting = [*names, *(name for name, text in there.items() if "\nEssential: yes" in text)]
    found = {}
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        if name not in there:
            pytest.skip(f"{name} is not installed; run: sh tests/setup.sh --nightly")
        found[name] = there[name]
        waiting += _needs(there[name], there)
    return found


def _place(source, target):
    """The same file, without a copy where the system permits that. dpkg and the loader replace files by a new name."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def root(folder, names):
    """Fill folder with the packages. Returns folder."""
    packages = closure(names)
    for name, target in MERGED.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(target)
    info = folder / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    (info.parent / "updates").mkdir()
    (info.parent / "triggers").mkdir()
    for name in packages:
        for note in [*DATABASE.glob(f"info/{name}.*"), *DATABASE.glob(f"info/{name}:*")]:
            shutil.copy(note, info)
            if note.suffix != ".list":
                continue
            for line in note.read_text(encoding="utf-8").splitlines():
                source, target = pathlib.Path(line), folder / line[1:]
                if source.is_dir() and not source.is_symlink():
                    target.mkdir(parents=True, exist_ok=True)
                elif os.path.lexists(source) and not os.path.lexists(target):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    _place(source, target)
    (info.parent / "status").write_text("".join(f"{stanza}\n\n" for stanza in packages.values()), encoding="utf-8")
    (folder / "tmp").mkdir(exist_ok=True)
    return folder


def as_root(*words):
    """The words as root of this machine, or of a user namespace where the user is another."""
    return [*([] if os.geteuid() == 0 else ["unshare", "--map-root-user"]), *map(str, words)]


def run(*words):
    """Output of a command that must succeed."""
    done = subprocess.run(as_root(*words), capture_output=True, text=True, check=False, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"})
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


def skip_without_chroot(folder):
    """The kernel may refuse a user namespace."""
    try:
        done = subprocess.run(as_root("chroot", folder, "/bin/true"), capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        pytest.skip(f"{error.filename} is not installed; it is in the package util-linux or coreutils")
    if done.returncode != 0:
        pytest.skip(f"no program runs in another root folder here: {done.stderr.strip()}")
