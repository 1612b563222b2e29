"""`pip install --no-build-isolation .`: CMake builds the module and the program, setuptools packages them. The rest is in pyproject.toml.

HEARSAY_BUILD_DIR: a CMake build directory to use (one that is configured stays as it is); else build/python.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent


def configure(build):
    """Configures the build directory: with the page of reports if npm builds it, otherwise without it."""

    def cmake(page):
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "HEARSAY_PYTHON": "ON",
            "HEARSAY_TESTS": "OFF",
            "HEARSAY_UNITY": "ON",
            "HEARSAY_WEB": page,
            "Python_EXECUTABLE": sys.executable,
        }
        defines = [f"-D{key}={value}" for key, value in options.items()]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *defines], check=True)

    missing = "npm is not installed"
    if shutil.which("npm"):
        cmake(page="ON")
        # npm asks again after 10 and 60 seconds if it has no connection; once is enough to find that out.
        environment = {"npm_config_fetch_retries": "0", **os.environ}
        page = subprocess.run(["cmake", "--build", build, "--target", "hearsay_page"], env=environment)
        if page.returncode == 0:
            return
        missing = "npm could not build it (its messages are above)"
    print(f"hearsay: the package will have no page of reports, because {missing}", file=sys.stderr)
    cmake(page="OFF")


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        chosen = os.environ.get("HEARSAY_BUILD_DIR")
        build = Path(chosen or ROOT / "build" / "python").absolute()
        # The default directory is configured again each time, because npm, the network or another Python may have become
        # available.
        if not chosen or not (build / "CMakeCache.txt").exists():
            configure(build)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(
            ["cmake", "--build", build, "--target", "hearsay_python", "hearsay_cli", "-j", jobs], check=True
        )
        (module,) = (build / "python" / "hearsay").glob("_core.*.so")
        target = Path(self.get_ext_fullpath(extension.name))
        (target.parent / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(module, target)
        shutil.copyfile(module.parent / "styles.json", target.parent / "styles.json")  # of the report
        shutil.copy(build / "bin" / "hearsay", target.parent / "bin" / "hearsay")  # hearsay.__main__ starts it


if __name__ == "__main__":
    version = re.search(r"project\(hearsay VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    setup(
        version=version.group(1),
        ext_modules=[Extension("hearsay._core", [])],
        cmdclass={"build_ext": BuildByCMake},
    )
