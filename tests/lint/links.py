#!/usr/bin/env python3
"""Holds the link lists of src/*/CMakeLists.txt against the #include lines: what is linked is included, what is included is linked.

links.py SRC_DIR       checks the tree
links.py --self-test   checks that each kind of breach is found

A folder's own list must name each library whose headers its files include, unless one that it lists lists it too, and none
whose headers they do not. Everything stands on hone_base and hone_core without saying so twice.
"""
import pathlib
import re
import sys

# How the headers of an outside library begin.
HEADERS = {
    "fmt::fmt": ("fmt/",), "tl::expected": ("tl/",), "PkgConfig::xxhash": ("xxhash.h",), "OpenSSL::Crypto": ("openssl/",),
    "PkgConfig::tomlplusplus": ("toml++/",), "nlohmann_json::nlohmann_json": ("nlohmann/",), "PkgConfig::isl": ("isl/",),
    "CURL::libcurl": ("curl/",), "CLI11::CLI11": ("CLI/",), "PkgConfig::seccomp": ("seccomp.h",), "ZLIB::ZLIB": ("zlib.h",),
    "SQLite::SQLite3": ("sqlite3.h",), "Eigen3::Eigen": ("Eigen/",), "hone_ext_clang": ("clang/", "llvm/"), "hone_ext_fibers": ("boost/context/",),
    "Threads::Threads": ("thread", "mutex", "future", "pthread.h"), "${CMAKE_DL_LIBS}": ("dlfcn.h",),
}


def includes_of(texts):
    return {match for text in texts for match in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.M)}


def serves(library, includes):
    prefixes = HEADERS.get(library) or (library.removeprefix("hone_") + "/",)
    return any(include == prefix or prefix.endswith("/") and include.startswith(prefix) for include in includes for prefix in prefixes)


def below(library, lists):
    """All that comes with a library."""
    found, waiting = set(), [library]
    while waiting:
        for further in lists.get(waiting.pop(), []):
            if further not in found:
                found.add(further)
                waiting.append(further)
    return found


def breaches_of(lists, includes):
    """lists: library -> what it links; includes: library -> what its files include."""
    for library, links in sorted(lists.items()):
        own = includes.get(library, set())
        come = {further for link in links for further in {link} | below(link, lists)}
        for link in links:
            if serves(link, own):
                continue
            # A folder that only stands on base and core names the lower of the two that it needs.
            if link in ("hone_core", "hone_base") and any(serves(under, own) for under in {link} | below(link, lists)):
                continue
            yield f"{library} links {link} and includes nothing of it"
        for needed in sorted(set(lists) | set(HEADERS)):
            if needed != library and needed not in come and needed != "Threads::Threads" and serves(needed, own):
                yield f"{library} includes headers of {needed} and does not link it"


def read(root):
    lists, includes = {}, {}
    for cmake in sorted(root.glob("*/CMakeLists.txt")):
        text = re.sub(r"#.*", "", cmake.read_text())
        for name, sources, links in re.findall(r"hone_library\(\s*(\w+)\s+SOURCES\s+(.*?)(?:LINKS\s+(.*?))?\)", text, re.S):
            lists["hone_" + name] = links.split()
            folder = cmake.parent
            files = [folder / source for source in sources.split()]
            headers = [header for place in {file.parent for file in files} for header in place.glob("*.hpp")]
            includes["hone_" + name] = includes_of(f.read_text() for f in {*files, *headers} if f.exists())
    return lists, includes


def self_test():
    includes = {"hone_judge": {"affine/view.hpp", "fmt/format.h"}, "hone_affine": {"isl/set.h"}}
    cases = [
        ({"hone_judge": ["hone_affine", "fmt::fmt"], "hone_affine": ["PkgConfig::isl"]}, 0),
        ({"hone_judge": ["hone_affine", "fmt::fmt", "hone_rules"], "hone_affine": ["PkgConfig::isl"]}, 1),
        ({"hone_judge": ["fmt::fmt"], "hone_affine": ["PkgConfig::isl"]}, 1),
        ({"hone_judge": ["hone_affine"], "hone_affine": ["PkgConfig::isl", "fmt::fmt"]}, 1),
    ]
    return [f"self-test: {lists}" for lists, count in cases if len(list(breaches_of(lists, includes))) != count]


if __name__ == "__main__":
    found = self_test() if sys.argv[1] == "--self-test" else list(breaches_of(*read(pathlib.Path(sys.argv[1]))))
    print("\n".join(found) if found else "no breach")
    sys.exit(1 if found else 0)
