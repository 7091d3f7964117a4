# SPDX-License-Identifier: BSD-2-Clause
"""The Debian package: what is in it, what it depends on, and that the tool runs from it."""
import gzip
import os
import re
import shutil
import subprocess
import sys

import pytest

from harness import bare, process
from harness.paths import TOP, built, program, tracked_files
from harness.tool import environment

sys.path.insert(0, str(TOP / "host" / "install"))

import layout  # noqa: E402

sys.path.insert(0, str(TOP / "tests" / "agent"))

import test_release  # noqa: E402

pytestmark = pytest.mark.xdist_group("package")  # one process makes the package


def output(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, **options).stdout


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """Binary and source package, as scons deb makes them."""
    program("dpkg-buildpackage")
    program("dh")
    built("host", "man", "dprobes.1")
    folder = tmp_path_factory.mktemp("deb")
    # scons gives a path from the top of the tree.
    run = subprocess.run([sys.executable, "-B", TOP / "host/install/deb.py", "packages"], capture_output=True, text=True, check=False,
                         umask=0o077, cwd=folder)
    assert run.returncode == 0, run.stderr
    made = sorted((folder / "packages").iterdir())
    assert [str(path.relative_to(folder)) for path in made] == run.stdout.splitlines() and len(made) == 3
    return {path.suffix: path for path in made}


@pytest.fixture(scope="session")
def package(packages):
    return packages[".deb"]


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


def test_a_tool_that_is_missing_is_named(tmp_path):
    """Before anything is made."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/dpkg-source").symlink_to(program("dpkg-source"))
    run = subprocess.run([sys.executable, "-B", TOP / "host/install/deb.py", tmp_path / "out"], capture_output=True, text=True, check=False,
                         env={"PATH": str(tmp_path / "bin")})
    assert (run.returncode, run.stdout) == (1, "") and not (tmp_path / "out").exists()
    assert run.stderr == "dprobes: error: make is not installed; it is in the package make of Debian: sh tests/setup.sh installs it\n"


def test_the_source_package_is_the_tree(packages, tmp_path):
    """With the folder debian/ at its top, and without what only git reads."""
    assert f"Version: {layout.version()}\n" in packages[".dsc"].read_text(encoding="utf-8")
    output("tar", "-xf", packages[".gz"], "-C", tmp_path)
    tree = tmp_path / f"dprobes-{layout.version()}"
    there = {path.relative_to(tree) for path in tree.rglob("*") if not path.is_dir()}
    packaging = {path.relative_to(tree) for path in (tree / "debian").rglob("*") if not path.is_dir()}
    assert there - packaging == {path for path in tracked_files() if path.name != ".gitignore"}
    assert {path.name for path in packaging} >= {"control", "rules", "changelog", "copyright"} and os.access(tree / "debian/rules", os.X_OK)


def test_the_date_is_the_builders(packages, unpacked, tmp_path):
    """The changelog has the time that the builder of a package gives."""
    text = gzip.open(unpacked / "usr/share/doc/dprobes/changelog.gz", "rt").read()
    assert f"dprobes ({layout.version()}) unstable" in text and " -- dprobes maintainers <" in text
    said = subprocess.run([sys.executable, "-B", "-c", "import sys; sys.path.insert(0, sys.argv[1]); import deb; print(deb.date())",
                                    TOP / "host/install"], capture_output=True, text=True, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
    assert said.stdout.startswith("Fri, 02 Jan 1970")


@pytest.mark.nightly
def test_lintian_finds_no_error(packages):
    if not shutil.which("lintian"):
        pytest.skip("lintian is not installed; run: sh tests/setup.sh --nightly")
    for made in packages[".deb"], packages[".dsc"]:
        run = subprocess.run(["lintian", "--allow-root", "--tag-display-limit", "0", made], capture_output=True, text=True, check=False)
        assert re.findall(r"^E: .*", run.stdout, re.M) == [], run.stdout
        assert made.suffix == ".dsc" or re.search(r"^W: dprobes: ", run.stdout, re.M), run.stdout


@pytest.mark.nightly
def test_two_packages_of_a_tree_are_the_same(package, tmp_path):
    run = subprocess.run([sys.executable, "-B", TOP / "host/install/deb.py", tmp_path], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / package.name).read_bytes() == package.read_bytes()


@pytest.mark.nightly
def test_the_source_package_compiles(package, tmp_path):
    """As a builder of Debian compiles it: nothing of this build is used, and the same files come out."""
    run = subprocess.run([sys.executable, "-B", TOP / "host/install/deb.py", tmp_path, "--compile"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    names = [{line.split()[5] for line in output("dpkg-deb", "-c", made).splitlines()} for made in (package, tmp_path / package.name)]
    assert names[0] == names[1]
    output("dpkg-deb", "-x", tmp_path / package.name, tmp_path / "x")
    assert output(tmp_path / "x/usr/bin/dprobes", "--version") == f"dprobes {layout.version()}\n"


MAKEFILE = """CC = arm-none-eabi-gcc -mcpu=cortex-a9 -mthumb -mno-unaligned-access
CFLAGS = -Os -ffreestanding -Wall -Wextra -Werror
DPROBES_CPU := arm
AGENT := /usr/share/dprobes/agent
include $(AGENT)/dprobes.mk
CPPFLAGS += -I. $(DPROBES_INCLUDES)
OBJECTS = firmware.o start.o baremetal.o
firmware.elf: $(OBJECTS) $(DPROBES_OBJECTS)
	$(CC) $(CFLAGS) -nostdlib -static -Wl,--build-id -Wl,--no-warn-rwx-segments -L$(AGENT) -T firmware.ld $^ -lgcc -o $@
	$(call DPROBES_TABLE,$@)
baremetal.o: $(AGENT)/glue/baremetal.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
"""


@pytest.mark.nightly
def test_a_bare_debian_builds_firmware_from_the_package(package, tmp_path, qemu, dprobes):
    """A system with a compiler and the package, and without this tree: dpkg finds the package's dependencies, make builds a
    firmware with the agent, the agent's own files compile, and the firmware is probed."""
    recommended = output("dpkg-deb", "-f", package, "Recommends").strip()
    needed = [word.split()[0] for word in output("dpkg-deb", "-f", package, "Depends").split(",")]
    root = bare.root(tmp_path / "root", [*needed, recommended, "make", "gcc-arm-none-eabi"])
    bare.skip_without_chroot(root)
    shutil.copy(package, root / "tmp/dprobes.deb")
    bare.run("dpkg", f"--root={root}", "--force-not-root", "--force-script-chrootless" if os.geteuid() else "--force-unsafe-io", "-i", root / "tmp/dprobes.deb")
    folder = root / "tmp/firmware"
    folder.mkdir()
    for source in (*(TOP / "tests/guests/release").glob("*"), TOP / "tests/guests/integration/arm/start.S"):
        shutil.copy(source, folder)
    (folder / "firmware.ld").write_text(test_release.SCRIPT % "INCLUDE dprobes.ld")
    (folder / "Makefile").write_text(MAKEFILE)
    bare.run("chroot", root, "make", "-C", "/tmp/firmware")
    bare.run("chroot", root, "make", "-C", "/tmp/firmware", "-f", "/usr/share/dprobes/tree/agent/tree/Makefile", "CPU=arm",
             "CC=arm-none-eabi-gcc", "CFLAGS=-Os -mcpu=cortex-a9 -mthumb")
    assert (folder / "dprobes_agent.o").stat().st_size > 20000
    board = qemu("vexpress-a9", elf=folder / "firmware.elf", hold=())
    told = dprobes("info", "--verify-text", "--port", board.url("com1"), "--elf", folder / "firmware.elf")
    assert told.status == 0 and "the same as in" in told.stdout and "refused" not in told.stdout, told.stderr
    bare.run("dpkg", f"--root={root}", "--force-not-root", "--remove", "dprobes")
    assert [path for path in (root / "usr").rglob("*dprobes*")] == []


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
