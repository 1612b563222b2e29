"""Runs `pip install --no-build-isolation .` in a virtual environment without network, and uses the package there."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

FIRST_STEPS = """
import hearsay, pathlib, sys
assert pathlib.Path(hearsay.__file__).is_relative_to(sys.prefix), hearsay.__file__
learner = hearsay.Exp3Wix(arms=2, seed=1)
learner.observe(learner.choose(), [[1, 0.5], [0.5, 1]], [0.2, 0.6])
here = pathlib.Path(hearsay.__file__).parent
print(learner.certificate.rounds, (here / "py.typed").exists(), (here / "_core.pyi").exists())
"""


def test_it_installs_into_a_virtual_environment(tmp_path):
    # pip writes into the directory of the sources, so it gets a copy of them.
    source = tmp_path / "clone"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "CMakeLists.txt", "README.md"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "python", source / "python", ignore=shutil.ignore_patterns("__pycache__"))

    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True)
    # CTest sets HEARSAY_BUILD_DIR, where setup.py finds the extension module that is already built.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    python = venv / "bin" / "python"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "."],
        cwd=source,
        env=environment,
        check=True,
    )
    result = subprocess.run(
        [python, "-c", FIRST_STEPS], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    assert result.stdout == "1 True True\n"
    # The package has the command, as a script and as a module, with its exit codes.
    for command in ([venv / "bin" / "hearsay"], [python, "-m", "hearsay"]):
        listed = subprocess.run([*command, "list"], cwd=tmp_path, env=environment, check=True, capture_output=True)
        assert b"exp3-wix" in listed.stdout
        wrong = subprocess.run([*command, "alpha", "nothing.csv"], cwd=tmp_path, env=environment, capture_output=True)
        assert wrong.returncode == 2 and wrong.stderr.startswith(b"hearsay: nothing.csv: ")


# Scripts that take the place of npm. Without a network `npm ci` fails.
NPM = {
    "has no network": 'test "$1" != ci',
    "cannot build": 'test "$1" = ci && mkdir -p node_modules',
    "works": 'if [ "$1" = ci ]; then mkdir -p node_modules; else echo "// the page" > "$5"; fi',
}


def test_npm_that_fails_leaves_the_page_out_of_the_package(tmp_path, monkeypatch, capfd):
    source = tmp_path / "clone"
    left_out = shutil.ignore_patterns("build", "node_modules*", ".git", "__pycache__", "hearsay-out", "venv")
    shutil.copytree(ROOT, source, ignore=left_out)
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs), prepend=os.pathsep)
    setup = runpy.run_path(str(source / "setup.py"))
    build = tmp_path / "build"

    def configured():
        """Configures as pip does. Returns whether the build has the page, and the messages about it."""
        setup["configure"](build)
        messages = [line for line in capfd.readouterr().err.splitlines() if line.startswith("hearsay: ")]
        return "HEARSAY_WEB:BOOL=ON" in (build / "CMakeCache.txt").read_text(), messages

    def set_npm(behaviour):
        (programs / "npm").write_text(f"#!/bin/sh\n{NPM[behaviour]}\n")
        (programs / "npm").chmod(0o755)

    failed = "hearsay: the package will have no page of reports, because npm could not build it (its messages are above)"
    set_npm("has no network")
    assert configured() == (False, [failed])
    shutil.rmtree(build)
    set_npm("cannot build")
    assert configured() == (False, [failed])
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "which", lambda name: None)
        missing = "hearsay: the package will have no page of reports, because npm is not installed"
        assert configured() == (False, [missing])
    # The next installation has the page, if npm then works.
    set_npm("works")
    assert configured() == (True, [])
    assert (build / "generated" / "page.cpp").read_text() == "// the page\n"
