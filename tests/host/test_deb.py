# SPDX-License-Identifier: BSD-2-Clause
"""The Debian package: what is in it, what it depends on, and that the tool runs from it."""
import gzip
import os
import re
import shutil
import subprocess
import sys

import pytest

from harness import process
from harness.paths import TOP, built, program
from harness.tool import environment

sys.path.insert(0, str(TOP / "host" / "install"))

import layout  # noqa: E402

pytestmark = pytest.mark.xdist_group("package")  # one process makes the package


def output(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    program("dpkg-shlibdeps")
    built("host", "man", "dprobes.1")
    folder = tmp_path_factory.mktemp("deb")
    run = subprocess.run([sys.executable, "-B", TOP / "host/install/deb.py", folder], capture_output=True, text=True, check=False,
                         umask=0o077)
    assert run.returncode == 0, run.stderr
    made = list(folder.iterdir())
    assert [str(path) for path in made] == run.stdout.splitlines()
    return made[0]


@pytest.fixture(scope="session")
def unpacked(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    output("dpkg-deb", "-x", package, folder)
    return folder


def test_fields(package):
    fields = dict(line.split(": ", 1) for line in output("dpkg-deb", "-f", package).splitlines() if not line.startswith(" "))
    assert fields["Package"] == "dprobes" and fields["Version"] == layout.version()
    assert package.name == f"dprobes_{layout.version()}_{fields['Architecture']}.deb"
    needed = {word.split()[0].partition(":")[0] for word in fields["Depends"].split(",")}
    assert {"libc6", "libelf1", "libdw1", "libserialport0", "zlib1g"} <= needed
    assert "root/root" in output("dpkg-deb", "-c", package).splitlines()[0]


def test_every_installed_file_is_in_it(unpacked):
    for _, path, _ in layout.files():
        name = f"{path}.gz" if "/man/" in str(path) else "share/doc/dprobes/copyright" if str(path) == "share/doc/dprobes/LICENSE" else path
        name = f"share/zsh/vendor-completions/{path.name}" if "/zsh/" in str(path) else name
        assert (unpacked / "usr" / name).is_file(), path
    for path, text in layout.links():
        assert os.readlink(unpacked / "usr" / path) == text
    assert gzip.open(unpacked / "usr/share/man/man1/dprobes.1.gz").read() == built("host", "man", "dprobes.1").read_bytes()


def test_zsh_of_debian_looks_where_the_completion_is(unpacked):
    folders = output(program("zsh"), "-fc", "print -l $fpath").splitlines()
    assert [folder for folder in folders if (unpacked / folder[1:] / "_dprobes").is_file()] == ["/usr/share/zsh/vendor-completions"]


def test_every_file_has_its_sum(package, unpacked, tmp_path):
    """dpkg --verify compares them."""
    output("dpkg-deb", "-e", package, tmp_path / "control")
    lines = (tmp_path / "control/md5sums").read_text(encoding="utf-8").splitlines()
    files = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file() and not path.is_symlink()}
    assert {line.split("  ", 1)[1] for line in lines} == files
    output("md5sum", "--check", "--quiet", tmp_path / "control/md5sums", cwd=unpacked)


def test_every_user_reads_its_files(package):
    modes = [line.split()[0] for line in output("dpkg-deb", "-c", package).splitlines()]
    assert set(modes) == {"drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--", "lrwxrwxrwx"}


def test_removal_takes_what_python_made(package, tmp_path):
    """As dpkg runs the script for an installation below a folder."""
    modules = tmp_path / "usr/lib/python3/dist-packages/dprobes"
    (modules / "__pycache__").mkdir(parents=True)
    (modules / "__pycache__/__init__.cpython-311.pyc").write_text("")
    output("dpkg-deb", "-e", package, tmp_path / "control")
    output(tmp_path / "control/prerm", "remove", env={"PATH": "/usr/bin:/bin", "DPKG_ROOT": str(tmp_path)})
    assert list(modules.iterdir()) == []


def test_the_tool_runs_from_it(unpacked, tmp_path):
    (tmp_path / "t.dp").write_text("name = t\noffset = 4096\npush 7\nlog 1\n")
    tool = unpacked / "usr/bin/dprobes"
    assert output(tool, "--version") == f"dprobes {layout.version()}\n"
    assert output(tool, "simulate", "t.dp", "--format", "raw", cwd=tmp_path, env=environment()).strip().endswith("07000000")


@pytest.mark.nightly
def test_lintian_finds_no_error(package):
    if not shutil.which("lintian"):
        pytest.skip("lintian is not installed; run: sh tests/setup.sh --nightly")
    run = subprocess.run(["lintian", "--allow-root", package], capture_output=True, text=True, check=False)
    assert re.findall(r"^E: .*", run.stdout, re.M) == [] and re.search(r"^W: dprobes: ", run.stdout, re.M)


def test_the_date_is_the_builders(tmp_path):
    """Two builds of one tree give the same changelog."""
    texts = []
    for name in ("a", "b"):
        made = output(sys.executable, "-B", TOP / "host/install/deb.py", tmp_path / name, env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
        output("dpkg-deb", "-x", made.strip(), tmp_path / name)
        texts.append(gzip.open(tmp_path / name / "usr/share/doc/dprobes/changelog.gz", "rt").read())
    assert texts[0] == texts[1] and "Fri, 02 Jan 1970" in texts[0] and f"dprobes ({layout.version()}) " in texts[0]


@pytest.mark.nightly
def test_apt_installs_it_into_a_fresh_debian(package):
    """Where mmdebstrap may make one: it needs a mirror, and root or user namespaces."""
    if not shutil.which("mmdebstrap"):
        pytest.skip("mmdebstrap is not installed; run: sh tests/setup.sh --nightly")
    run = subprocess.run(["mmdebstrap", "--variant=apt", "--customize-hook=echo debian-is-there >&2",
                          f"--customize-hook=copy-in {package} /tmp", f'--customize-hook=chroot "$1" apt-get -y install /tmp/{package.name}',
                          '--customize-hook=chroot "$1" dprobes --version', '--customize-hook=chroot "$1" apt-get -y remove dprobes',
                          '--customize-hook=test ! -e "$1/usr/bin/dprobes"', "bookworm", "/dev/null"],
                         capture_output=True, text=True, timeout=4 * process.TIMEOUT_S, check=False)
    if "debian-is-there" not in run.stderr:
        pytest.skip(f"mmdebstrap makes no Debian here: {run.stderr.strip().splitlines()[-1:]}")
    assert run.returncode == 0, run.stderr
    assert f"dprobes {layout.version()}" in run.stdout + run.stderr
