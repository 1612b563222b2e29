# What the scripts share. Sourcing it goes to the root of the project.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian's own tools first, whatever else (pyenv, nvm, conda) is on the PATH: those are what `need` installs.
export PATH=/usr/bin:/bin:$PATH

# What it takes to build the library and the program, without the report's page and with it.
library_packages=(cmake ninja-build g++ libfmt-dev nlohmann-json3-dev libcli11-dev librandom123-dev libhwy-dev
  libtomlplusplus-dev libxxhash-dev)
build_packages=("${library_packages[@]}" npm)

die() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit "${2:-1}"
}

say() { printf '\n== %s\n' "$*"; }

# Installs those of the named Debian packages that are missing. A tool that is there from elsewhere (npm comes with
# other Node.js packages, which Debian's conflicts with) is not.
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

# build PRESET [TARGET...]: on all cores.
build() {
  say "building $1"
  mkdir -p build
  cmake --preset "$1" >"build/$1.log" 2>&1 || { cat "build/$1.log" >&2; die "cmake --preset $1 failed"; }
  cmake --build --preset "$1" ${2:+--target "${@:2}"} || die "the $1 build failed"
}
