"""`pip install --no-build-isolation .`: CMake builds the module and the program, setuptools packs them. The rest is in pyproject.toml.

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


class BuildByCMake(build_ext):
    def build_extension(self, extension):
        build = Path(os.environ.get("HEARSAY_BUILD_DIR", ROOT / "build" / "python")).absolute()
        if not (build / "CMakeCache.txt").exists():
            options = {
                "CMAKE_BUILD_TYPE": "Release",
                "HEARSAY_PYTHON": "ON",
                "HEARSAY_TESTS": "OFF",
                "HEARSAY_UNITY": "ON",
                "HEARSAY_WEB": "ON" if shutil.which("npm") else "OFF",  # the page of reports: to_html()
                "Python_EXECUTABLE": sys.executable,
            }
            defines = [f"-D{key}={value}" for key, value in options.items()]
            subprocess.run(["cmake", "-S", ROOT, "-B", build, *defines], check=True)
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


version = re.search(r"project\(hearsay VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
setup(
    version=version.group(1),
    ext_modules=[Extension("hearsay._core", [])],
    cmdclass={"build_ext": BuildByCMake},
)
