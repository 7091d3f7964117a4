# SPDX-License-Identifier: BSD-2-Clause
"""What scons install puts where, that all of it works from there, and that uninstall leaves nothing."""
import json
import re
import subprocess
import sys

import pytest

import cpus
import tables
from harness.paths import TOP, built, program

sys.path.insert(0, str(TOP / "host" / "install"))

import exports  # noqa: E402
import layout  # noqa: E402
import man_pages  # noqa: E402

COMMAND = "host/command"


def script(action, *words, **options):
    """One run of install.py, as scons runs it."""
    return subprocess.run([sys.executable, "-B", TOP / "host/install/install.py", action, *map(str, words)], capture_output=True,
                          text=True, check=False, **options)


@pytest.fixture(scope="session")
def destdir(tmp_path_factory):
    """A folder with everything under usr/."""
    built("host", "man", "dprobes.1")
    folder = tmp_path_factory.mktemp("destdir")
    run = script("install", "--prefix", "/usr", "--destdir", folder)
    assert run.returncode == 0, run.stderr
    return folder


def things_in(folder):
    """Files and folders."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def files_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


# ---- files -------------------------------------------------------------------------------------

def test_every_file_is_where_the_layout_says(destdir):
    wanted = sorted(f"usr/{path}" for path in [*(row[1] for row in layout.files()), *(row[0] for row in layout.links()), layout.MADE_FOLDERS])
    assert files_in(destdir) == wanted and "usr/bin/dprobes" in wanted
    for source, path, mode in layout.files():
        there = destdir / "usr" / path
        assert there.read_bytes() == layout.content(source, "/usr")
        assert there.stat().st_mode & 0o777 == mode, path


def test_the_installed_command_runs(destdir):
    run = subprocess.run([destdir / "usr/bin/dprobes", "--version"], capture_output=True, text=True, check=True, cwd="/")
    assert run.stdout == f"dprobes {layout.version()}\n"


def test_uninstall_leaves_what_is_not_ours(tmp_path):
    built("host", "man", "dprobes.1")
    assert script("install", "--prefix", tmp_path / "p").returncode == 0
    (tmp_path / "p/bin/other").write_text("")
    (tmp_path / "p/share/doc/dprobes/notes").write_text("")
    run = script("uninstall", "--prefix", tmp_path / "p")
    assert run.returncode == 0 and run.stdout.startswith(f"dprobes: removed {len(layout.files()) + len(layout.links())} files from ")
    assert files_in(tmp_path) == ["p/bin/other", "p/share/doc/dprobes/notes"]
    assert not (tmp_path / "p/include").exists()
    assert script("uninstall", "--prefix", tmp_path / "p").stdout.startswith("dprobes: removed 0 files")


def test_uninstall_leaves_no_folder(tmp_path):
    """Of those that an install made, the prefix and a second install included; a folder that was there stays."""
    built("host", "man", "dprobes.1")
    (tmp_path / "p/share/man").mkdir(parents=True)
    before = things_in(tmp_path)
    for prefix in ("p", "p", "q/r"):
        assert script("install", "--prefix", tmp_path / prefix).returncode == 0
    assert (tmp_path / "p/share/man/man1/dprobes.1").is_file() and (tmp_path / "q/r/bin/dprobes").is_file()
    for prefix in ("p", "q/r"):
        assert script("uninstall", "--prefix", tmp_path / prefix).returncode == 0
    assert things_in(tmp_path) == [*before, "q"]  # below the prefix all; what is above the prefix is not asked for


def test_a_note_of_folders_from_elsewhere_removes_nothing(tmp_path):
    """Only folders below the prefix are removed, whatever the file says."""
    built("host", "man", "dprobes.1")
    (tmp_path / "outside").mkdir()
    assert script("install", "--prefix", tmp_path / "p").returncode == 0
    note = tmp_path / "p" / layout.MADE_FOLDERS
    note.write_text(note.read_text() + f"../outside\n{tmp_path}/outside\nshare/../../outside\n")
    assert script("uninstall", "--prefix", tmp_path / "p").returncode == 0
    assert things_in(tmp_path) == ["outside"]


def test_links_of_installed_documents_hold(destdir):
    """Each file that a link names is there; the tests, which stay in the source tree, have no link."""
    folder = destdir / "usr" / layout.DOCUMENTS
    pages = [path for path in folder.rglob("*.md")]
    assert {"D.md", "RPN.md", "FORMATS.md", "arm.md", "TUTORIAL.md"} <= {path.name for path in pages}
    for page in pages:
        for _, link in layout._LINK.findall(page.read_text(encoding="utf-8")):
            there = (page.parent / link).resolve()
            assert there.is_relative_to(folder.resolve()) and there.exists(), (page, link)
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "| tests/README.md |" in readme and "](tests" not in readme


@pytest.mark.parametrize("cpu", cpus.names())
def test_the_files_for_trees_are_complete(destdir, tmp_path, cpu):
    """What a tree compiles of an installation is all there, and nothing of this tree is used."""
    tree = destdir / "usr/share/dprobes/tree"
    assert (tree / "agent/tree/CMakeLists.txt").is_file()
    run = subprocess.run(["make", "-n", "-f", tree / "agent/tree/Makefile", f"CPU={cpu}"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    sources = re.findall(r" -c -o \S+ (\S+)", run.stdout)
    folders = {word for word in re.findall(r" -I *(\S+)", run.stdout)}
    assert len(sources) > 50 and len(folders) > 5
    for path in [*sources, *folders]:
        there = (tmp_path / path).resolve()
        assert there.exists() and there.is_relative_to(tree), path


def test_uninstall_removes_what_python_made(tmp_path):
    """The folder alone would still be a module, one without anything in it."""
    built("host", "man", "dprobes.1")
    assert script("install", "--prefix", "/usr", "--destdir", tmp_path).returncode == 0
    modules = tmp_path / "usr/lib/python3/dist-packages"
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(modules)}
    subprocess.run([sys.executable, "-c", "import dprobes"], env=env, check=True, cwd="/")
    assert list((modules / "dprobes/__pycache__").glob("__init__.*.pyc"))
    run = script("uninstall", "--prefix", "/usr", "--destdir", tmp_path)
    assert run.returncode == 0 and things_in(tmp_path / "usr") == []


def test_every_user_reads_what_is_installed(tmp_path):
    built("host", "man", "dprobes.1")
    run = script("install", "--prefix", "/usr", "--destdir", tmp_path / "d", umask=0o077)
    assert run.returncode == 0, run.stderr
    found = list((tmp_path / "d").rglob("*"))
    assert len(found) > 60 and [path for path in found if not path.is_symlink() and path.stat().st_mode & 0o044 != 0o044] == []
    assert [path for path in found if path.is_dir() and path.stat().st_mode & 0o777 != 0o755] == []


@pytest.mark.parametrize("prefix", ["/usr/", "//usr", "/usr/."])
def test_a_prefix_has_one_form(destdir, tmp_path, prefix):
    assert script("install", "--prefix", prefix, "--destdir", tmp_path).returncode == 0
    assert files_in(tmp_path) == files_in(destdir)
    assert "\nprefix=/usr\n" in (tmp_path / "usr/lib/pkgconfig/dprobes.pc").read_text(encoding="utf-8")


@pytest.mark.parametrize("given", ["lib64", "/opt/x/lib64", "lib64/"])
def test_the_libraries_may_lie_in_another_folder(tmp_path, given):
    """As lib64 of Fedora, or lib/x86_64-linux-gnu of Debian. Uninstall with the same words leaves nothing."""
    where = ("--prefix", "/opt/x", "--libdir", given, "--destdir", tmp_path)
    assert script("install", *where).returncode == 0
    root = tmp_path / "opt/x"
    assert (root / "lib64/libdprobes.so").resolve() == root / f"lib64/libdprobes.so.{layout.version()}"
    assert "\nlibdir=${prefix}/lib64\n" in (root / "lib64/pkgconfig/dprobes.pc").read_text(encoding="utf-8")
    assert [path for path in files_in(root / "lib") if not path.startswith("python3")] == []
    assert script("uninstall", *where).returncode == 0 and files_in(tmp_path) == []


@pytest.mark.parametrize("given", ["/lib64", "../lib", ".", "/opt/x"])
def test_a_library_folder_outside_of_the_prefix_is_refused(given):
    run = script("install", "--prefix", "/opt/x", "--libdir", given)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"dprobes: error: LIBDIR is '{given}', which is no folder below the prefix /opt/x; give LIBDIR=")


def test_a_relative_prefix_is_refused():
    run = script("install", "--prefix", "here")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("dprobes: error: PREFIX is 'here', which does not begin with '/'; give PREFIX=")


def test_a_file_in_the_way_is_named(tmp_path):
    built("host", "man", "dprobes.1")
    (tmp_path / "bin").write_text("")
    run = script("install", "--prefix", tmp_path)
    assert run.returncode == 1 and re.fullmatch(rf"dprobes: error: {tmp_path}/bin\S*: (File exists|Not a directory)\n", run.stderr)


def test_scons_knows_both_targets(tmp_path):
    """The targets, PREFIX and DESTDIR of SConstruct reach the script."""
    scons = program("scons")
    folder = tmp_path / "d"
    run = subprocess.run([scons, "-n", "-Q", "VERBOSE=1", "install", "uninstall", "PREFIX=/opt/x", "LIBDIR=lib64", f"DESTDIR={folder}"], cwd=TOP,
                         capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    for action in ("install", "uninstall"):
        assert f"host/install/install.py {action} --prefix /opt/x --libdir lib64 --destdir={folder}\n" in run.stdout


# ---- the library -------------------------------------------------------------------------------

USER = """#include <dprobes/host.h>
#include <stdio.h>

int main(void)
{
	struct dp_messages messages = {%s};
	struct dp_build_options options = {%s};
	struct dp_object_file *object;

	options.opcode_optional = true;
	object = dp_compile_text("name = x\\noffset = 4096\\npush 1\\nlog 1\\n", "x.dp", &options, &messages);
	dp_messages_print(&messages, stdout, false);
	printf("%%s, %%u formats\\n", object ? "compiled" : "refused", (unsigned)dp_sink_kind_count);
	dp_object_free(object);
	return object ? 0 : 1;
}
"""


def pkg_config(destdir, *words):
    """What pkg-config of a user's build says who installed into destdir."""
    environment = {"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": f"{destdir}/usr/lib/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": str(destdir),
                   "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}
    return subprocess.run([program("pkg-config"), *words, "dprobes"], env=environment, capture_output=True, text=True,
                          check=True).stdout.split()


@pytest.mark.parametrize("compiler,options,suffix,zero", [("gcc", ["-std=c11"], "c", "0"), ("g++", ["-std=c++17"], "cpp", "")])
def test_a_users_program_links_through_pkg_config(destdir, tmp_path, compiler, options, suffix, zero):
    source = tmp_path / f"user.{suffix}"
    source.write_text(USER % (zero, zero))
    subprocess.run([program(compiler), *options, "-Wall", "-Wextra", "-Werror", "-pedantic", source, "-o", tmp_path / "user",
                    *pkg_config(destdir, "--cflags", "--libs")], check=True)
    needed = subprocess.run([program("readelf"), "-d", tmp_path / "user"], capture_output=True, text=True, check=True).stdout
    assert f"Shared library: [{layout.soname()}]" in needed
    run = subprocess.run([tmp_path / "user"], env={"LD_LIBRARY_PATH": f"{destdir}/usr/lib"}, capture_output=True, text=True,
                         check=False)
    assert (run.returncode, run.stdout) == (0, "compiled, 4 formats\n"), run.stderr


def test_pkg_config_needs_no_other_package(destdir):
    """Who links the shared library has no use for the headers of its libraries, and may lack them."""
    run = subprocess.run([program("pkg-config"), "--cflags", "--libs", "dprobes"], capture_output=True, text=True, check=False,
                         env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_LIBDIR": f"{destdir}/usr/lib/pkgconfig"})
    assert run.returncode == 0, run.stderr


def test_a_users_program_links_the_archive(destdir, tmp_path):
    """--static names the libraries that the archive needs."""
    source = tmp_path / "user.c"
    source.write_text(USER % ("0", "0"))
    words = [word for word in pkg_config(destdir, "--static", "--cflags", "--libs") if word != "-ldprobes"]
    archive = destdir / "usr/lib/libdprobes.a"
    subprocess.run([program("gcc"), source, "-o", tmp_path / "user", *words, archive, *[word for word in words if word.startswith("-l")]],
                   check=True)
    assert subprocess.run([tmp_path / "user"], capture_output=True, text=True, check=True).stdout == "compiled, 4 formats\n"


def test_python_knows_the_version(destdir):
    modules = destdir / "usr/lib/python3/dist-packages"
    run = subprocess.run([sys.executable, "-c", "import importlib.metadata as m; print(m.version('dprobes'))"], check=True, text=True,
                         env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(modules)}, capture_output=True, cwd="/")
    assert run.stdout == f"{layout.version()}\n"


def test_the_module_finds_the_library_of_its_prefix(destdir):
    """The loader knows nothing of this folder."""
    modules = destdir / "usr/lib/python3/dist-packages"
    run = subprocess.run([sys.executable, "-B", "-c", "import dprobes; print(dprobes.load()._name)"], check=True, text=True,
                         env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(modules)}, capture_output=True, cwd="/")
    assert run.stdout == f"{destdir}/usr/lib/{layout.soname()}\n"


def test_pkg_config_knows_version_and_prefix(destdir):
    assert pkg_config(destdir, "--modversion") == [layout.version()]
    assert "\nprefix=/usr\n" in (destdir / "usr/lib/pkgconfig/dprobes.pc").read_text(encoding="utf-8")


def exported():
    """Names of the shared library that a program can use."""
    library = built("host", f"libdprobes.so.{layout.version()}")
    lines = subprocess.run([program("nm"), "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in lines.splitlines()}


def test_the_library_exports_what_the_headers_declare_and_nothing_else():
    declared = {name for header in (TOP / "host/include/dprobes").glob("*.h")
                for name in exports.declared(header.read_text(encoding="utf-8"))}
    assert exported() == declared and len(declared) > 90
    assert {"dp_session_open", "dp_sink_kinds", "dp_compile_text", "dp_image_symbols"} <= declared


def test_declarations_are_told_from_everything_else():
    text = """/* int dp_in_comment(void); */
#define dp_macro(x) (x)
enum dp_kind { DP_A };
struct dp_s { bool (*dp_member)(struct dp_s *, int); int dp_field; };
static inline int dp_inline(int a)
{
	return dp_called(a);
}
extern const struct dp_s *const dp_table[];
extern const int dp_count;
__attribute__((format(printf, 1, 2))) void dp_attributed(const char *, ...);
const char *dp_two_lines(int a,
			 int b);
typedef void dp_callback(int);
"""
    assert exports.declared(text) == ["dp_attributed", "dp_count", "dp_table", "dp_two_lines"]


# ---- manual pages ------------------------------------------------------------------------------

@pytest.fixture(scope="module", params=["man1/dprobes.1", "man5/dprobes-d.5", "man5/dprobes-rpn.5"])
def page(request, destdir):
    return destdir / "usr/share/man" / request.param


def shown(page):
    """The page as a terminal shows it, without bold."""
    run = subprocess.run([program("groff"), "-t", "-man", "-ww", "-Wbreak", "-Tutf8", "-rLL=2000n", "-P-c", page],
                         capture_output=True, text=True, check=True)
    assert run.stderr == "", run.stderr
    return re.sub(r".\x08", "", run.stdout)


def test_the_formatter_is_content(page):
    assert shown(page).strip()


def test_every_row_of_the_tables_is_in_the_page(destdir):
    text = shown(destdir / "usr/share/man/man1/dprobes.1")
    for option in man_pages.options():
        assert re.search(rf"^ +(-{option.letter}, )?--{option.name}( |$)", text, re.M), option.name
    for name, words, summary, _options, _table in tables.rows(f"{COMMAND}/cli_commands.def", "COMMAND"):
        assert re.search(rf"^ +{name}( {re.escape(words)})?\s+{re.escape(summary)}\.", text, re.M), name
    for _, number, meaning in tables.rows(f"{COMMAND}/cli_exits.def", "EXIT"):
        assert re.search(rf"^ +{number} +{meaning}\.$", text, re.M), number
    for verb, _, _ in tables.rows(f"{COMMAND}/cli_verbs.def", "VERB"):
        assert verb in text
    assert "DPROBES_PORT" in text.split("ENVIRONMENT")[1]


def test_every_instruction_is_in_the_page(destdir):
    text = shown(destdir / "usr/share/man/man5/dprobes-rpn.5")
    missing = [op.text for op in tables.ops() if op.text and not re.search(rf"^ *{re.escape(op.text)}\b", text, re.M)]
    assert not missing
    assert 'name = "demo"               // file header' in text


def test_every_word_of_d_is_in_the_page(destdir, dprobes):
    text = shown(destdir / "usr/share/man/man5/dprobes-d.5")
    words = [json.loads(line) for line in dprobes("help", "--json").lines()]
    names = [word["name"] for word in words if word["kind"] == "d"]
    assert len(names) > 200 and [name for name in names if not re.search(rf"(^|\W){name}\W", text)] == []
    assert "queue_put:entry { @[caller] = count(); }" in text and "\nDPROBES-D(5)" in "\n" + text


def test_every_example_is_in_the_page(destdir):
    text = shown(destdir / "usr/share/man/man1/dprobes.1")
    for _, words, does in tables.rows(f"{COMMAND}/cli_examples.def", "EXAMPLE"):
        assert f"dprobes {words}" in text and f"{does}." in text, words
    for _, words in tables.rows(f"{COMMAND}/cli_option_examples.def", "OPTION_EXAMPLE"):
        assert f"Example: dprobes {man_pages.unquoted(words)}\n" in text, words


def test_the_help_has_the_exit_statuses(dprobes):
    words = " ".join(dprobes("--help").stdout.split())
    rows = [f"{number} {meaning}" for _, number, meaning in tables.rows(f"{COMMAND}/cli_exits.def", "EXIT")]
    assert f"Exit status: {', '.join(rows)}." in words
