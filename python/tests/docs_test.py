"""Runs the code of the docstrings, README.md, pages of docs/ and the examples, and checks the type stubs."""

import doctest
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import hearsay
import hearsay._toml
import pytest

ROOT = Path(__file__).parents[2]


def all_docstrings():
    """The docstrings of the package by name."""
    found = {}
    for module in [hearsay, hearsay.own, hearsay._toml]:
        found[module.__name__] = module.__doc__
        for name, value in vars(module).items():
            if not (inspect.isclass(value) or inspect.isroutine(value)) or name.startswith("__"):
                continue
            if not str(getattr(value, "__module__", "")).startswith("hearsay"):
                continue
            found[name] = value.__doc__
            if inspect.isclass(value):
                for member in vars(value):
                    doc = getattr(getattr(value, member), "__doc__", None)
                    if not member.startswith("_") and isinstance(doc, str):
                        found[f"{name}.{member}"] = doc
    return found


DOCS = all_docstrings()


@pytest.mark.parametrize("name", sorted(name for name, doc in DOCS.items() if doc and ">>>" in doc))
def test_docstring_examples_run(name):
    names = {**vars(hearsay), **vars(hearsay._toml)}
    test = doctest.DocTestParser().get_doctest(DOCS[name], dict(names), name, None, 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert tried > 0 and failed == 0


def test_docstring_examples_are_found():
    names = {name for name, doc in DOCS.items() if doc and ">>>" in doc}
    assert {"Graph", "Learner.observe", "simulate", "hearsay.own", "effective_independence"} <= names


def test_docstrings_with_graphs_say_that_rows_are_the_arms_played():
    for name in (
        "Graph Graph.from_arcs Graph.weight Graph.to_numpy Graph.to_scipy Graph.to_networkx Graph.to_arcs Learner "
        "Learner.observe Learner.tell simulate run make_graph read_graph write_graph effective_independence Exp3Wix "
        "OwnEnvironment.next OwnLearner.observe"
    ).split():
        assert re.search(r"row = played|[Pp]laying|played", DOCS[name]), name


def mypy(*arguments, cwd):
    # Not run in the root of the project, where the directory of the C++ library has the package's name.
    return subprocess.run(
        ["/usr/bin/mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", cwd / "cache", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": str(ROOT / "python")},
    )


def test_mypy_accepts_the_package_and_rejects_wrong_calls(tmp_path):
    (tmp_path / "user.py").write_text(
        "import hearsay\n"
        "learner = hearsay.Exp3Wix(arms=3, rate=0.1)\n"
        "arm: int = learner.choose().arm\n"
        "hearsay.simulate([[1.0]], ['exp3', hearsay.Exp3], rounds=5).plot()\n"
    )
    correct = mypy("-p", "hearsay", "-p", "user", cwd=tmp_path)
    assert correct.returncode == 0, correct.stdout
    (tmp_path / "user.py").write_text(
        "import hearsay\nhearsay.Exp3Wix(arms='3')\nhearsay.Learner('exp3', arms=3).chose()\n"
    )
    wrong = mypy("user.py", cwd=tmp_path)
    assert "user.py:2" in wrong.stdout and "user.py:3" in wrong.stdout


def test_the_stub_declares_every_name_of_the_module():
    stub = (ROOT / "python" / "hearsay" / "_core.pyi").read_text()
    for name, value in vars(hearsay._core).items():
        if name.startswith("__"):
            continue
        assert re.search(rf"^(class|def) {name}\b|^{name}:", stub, re.MULTILINE), name
        if inspect.isclass(value):
            body = re.search(rf"^class {name}\b.*?(?=^\S|\Z)", stub, re.MULTILINE | re.DOTALL).group()
            for member in vars(value):
                assert member.startswith("_") or f"def {member}(" in body, f"{name}.{member}"


def python_blocks(path):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / path).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", ["README.md", "docs/python.md", "docs/calibrate.md", "docs/your-data.md"])
def test_python_blocks_of_the_pages_run(path, tmp_path, monkeypatch):
    """The blocks run in order and share their variables."""
    monkeypatch.chdir(tmp_path)
    names = {}
    assert python_blocks(path)
    for code in python_blocks(path):
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, path, path, 0)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names = test.globs
        else:
            exec(compile(code, path, "exec"), names)


@pytest.mark.parametrize("page", ["README.md", "docs/evaluate.md"])
def test_console_blocks_of_the_pages_print_what_they_show(page, tmp_path):
    blocks = re.findall(r"^```console\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for name in ("examples", "experiments"):
        (tmp_path / name).symlink_to(ROOT / name)
    path = f"{Path(os.environ['HEARSAY_PROGRAM']).parent}:{os.environ['PATH']}"
    for block in blocks:
        for command, shown in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE):
            run = subprocess.run(
                command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True
            )
            assert (run.returncode, run.stdout) == (0, shown), run.stderr


@pytest.mark.parametrize("example", sorted(path.name for path in (ROOT / "examples").glob("*.py")))
def test_examples_write_a_picture(example, tmp_path):
    subprocess.run([sys.executable, ROOT / "examples" / example], cwd=tmp_path, check=True)
    (picture,) = tmp_path.iterdir()
    assert picture.name == Path(example).with_suffix(".png").name
    assert picture.read_bytes().startswith(b"\x89PNG")
