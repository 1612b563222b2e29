# Functions that the scripts share. Sourcing this file changes to the root of the project.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian's tools, which `need` installs, come before those of pyenv, nvm or conda.
export PATH=/usr/bin:/bin:$PATH

# The packages that build the library and the program, without and with the report's page.
library_packages=(cmake ninja-build g++ libfmt-dev nlohmann-json3-dev libcli11-dev librandom123-dev libhwy-dev
  libtomlplusplus-dev libxxhash-dev zlib1g-dev coinor-libclp-dev)
build_packages=("${library_packages[@]}" npm)

die() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit "${2:-1}"
}

say() { printf '\n== %s\n' "$*"; }

# need PACKAGE... installs the named Debian packages that are missing. A package is not installed if a command of its
# name exists: npm may come from another Node.js package, with which Debian's package conflicts.
need() {
  local package missing=() root=()
  command -v apt-get >/dev/null ||
    die "this is not Debian: install $* your way, then run with --no-install"
  for package; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      command -v "$package" >/dev/null || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "missing ${missing[*]}: run as root or install sudo, or install them yourself"
    root=(sudo)
  fi
  say "installing ${missing[*]}"
  root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  "${root[@]}" update || die "apt-get update failed"
  "${root[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null || die "could not install ${missing[*]}"
}

# build PRESET [TARGET...] configures and builds on all cores.
build() {
  say "building $1"
  mkdir -p build
  cmake --preset "$1" >"build/$1.log" 2>&1 || { cat "build/$1.log" >&2; die "cmake --preset $1 failed"; }
  cmake --build --preset "$1" ${2:+--target "${@:2}"} || die "the $1 build failed"
}
