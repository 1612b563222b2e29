"""What the docs say is so: docstrings, type stubs, the README's Python, docs/python.md and the examples."""

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


def documented():
    """Every docstring of the package, by name."""
    seen = {}
    for module in [hearsay, hearsay.own, hearsay._toml]:
        seen[module.__name__] = module.__doc__
        for name, value in vars(module).items():
            if not (inspect.isclass(value) or inspect.isroutine(value)) or name.startswith("__"):
                continue
            if not str(getattr(value, "__module__", "")).startswith("hearsay"):
                continue
            seen[name] = value.__doc__
            if inspect.isclass(value):
                for member in vars(value):
                    doc = getattr(getattr(value, member), "__doc__", None)
                    if not member.startswith("_") and isinstance(doc, str):
                        seen[f"{name}.{member}"] = doc
    return seen


DOCS = documented()


@pytest.mark.parametrize("name", sorted(name for name, doc in DOCS.items() if doc and ">>>" in doc))
def test_docstrings(name):
    names = {**vars(hearsay), **vars(hearsay._toml)}
    test = doctest.DocTestParser().get_doctest(DOCS[name], dict(names), name, None, 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert tried > 0 and failed == 0


def test_the_docstrings_were_found():
    names = {name for name, doc in DOCS.items() if doc and ">>>" in doc}
    assert {"Graph", "Learner.observe", "simulate", "hearsay.own", "effective_independence"} <= names


def test_everything_that_takes_a_graph_says_its_orientation():
    for name in (
        "Graph Graph.from_arcs Graph.weight Graph.to_numpy Graph.to_scipy Graph.to_networkx Graph.to_arcs Learner "
        "Learner.observe Learner.tell simulate run make_graph read_graph write_graph effective_independence Exp3Wix "
        "OwnEnvironment.next OwnLearner.observe"
    ).split():
        assert re.search(r"row = played|[Pp]laying|played", DOCS[name]), name


def mypy(*arguments, cwd):
    # From elsewhere: at the root the folder of the C++ library is called hearsay too.
    return subprocess.run(
        ["/usr/bin/mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", cwd / "cache", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "MYPYPATH": str(ROOT / "python")},
    )


def test_the_package_and_its_stubs_are_typed(tmp_path):
    (tmp_path / "user.py").write_text(
        "import hearsay\n"
        "learner = hearsay.Exp3Wix(arms=3, rate=0.1)\n"
        "arm: int = learner.choose().arm\n"
        "hearsay.simulate([[1.0]], ['exp3', hearsay.Exp3], rounds=5).plot()\n"
    )
    right = mypy("-p", "hearsay", "-p", "user", cwd=tmp_path)
    assert right.returncode == 0, right.stdout
    (tmp_path / "user.py").write_text(
        "import hearsay\nhearsay.Exp3Wix(arms='3')\nhearsay.Learner('exp3', arms=3).chose()\n"
    )
    wrong = mypy("user.py", cwd=tmp_path)
    assert "user.py:2" in wrong.stdout and "user.py:3" in wrong.stdout


def test_the_stub_has_all_that_the_module_has():
    stub = (ROOT / "python" / "hearsay" / "_core.pyi").read_text()
    for name, value in vars(hearsay._core).items():
        if name.startswith("__"):
            continue
        assert re.search(rf"^(class|def) {name}\b|^{name}:", stub, re.MULTILINE), name
        if inspect.isclass(value):
            body = re.search(rf"^class {name}\b.*?(?=^\S|\Z)", stub, re.MULTILINE | re.DOTALL).group()
            for member in vars(value):
                assert member.startswith("_") or f"def {member}(" in body, f"{name}.{member}"


def blocks(path):
    return re.findall(r"^```python\n(.*?)^```$", (ROOT / path).read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("path", ["README.md", "docs/python.md"])
def test_the_python_of_the_pages_runs(path, tmp_path, monkeypatch):
    """Block after block, each with what those before it have left."""
    monkeypatch.chdir(tmp_path)
    names = {}
    assert blocks(path)
    for code in blocks(path):
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, path, path, 0)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names = test.globs
        else:
            exec(compile(code, path, "exec"), names)


@pytest.mark.parametrize("example", sorted(path.name for path in (ROOT / "examples").glob("*.py")))
def test_examples_make_a_picture(example, tmp_path):
    subprocess.run([sys.executable, ROOT / "examples" / example], cwd=tmp_path, check=True)
    (picture,) = tmp_path.iterdir()
    assert picture.name == Path(example).with_suffix(".png").name
    assert picture.read_bytes().startswith(b"\x89PNG")
