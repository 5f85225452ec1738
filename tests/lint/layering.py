#!/usr/bin/env python3
"""Checks the borders of docs/architecture.md from the #include lines of src/, and prints every breach.

layering.py SRC_DIR       checks the tree
layering.py --self-test   checks that each kind of breach is found
"""
import pathlib
import re
import sys

# A folder may include itself, base/, core/ and what stands here.
STAGES = {"source", "mep", "judge", "rules", "agents", "search", "patterns", "patch", "report"}
ALLOWED = {
    "base": set(), "core": {"base"}, "ir": set(), "affine": {"ir"}, "interpreter": {"ir"},
    "os": set(), "inputs": set(), "device": {"os", "inputs"}, "worker": {"os", "inputs", "device"},
    "emulator": {"os"}, "store": {"os"}, "llm": {"os"}, "layer": set(),
    "loop": {"ir", "affine", "search", "patterns"},
    **{stage: {"ir", "affine", "interpreter", "inputs"} for stage in STAGES},
}
# Each outside library has one home; OpenCL's headers have two, for the layer stands on the other side of them.
HOMES = {
    "clang/": {"source"}, "llvm/": {"source"}, "isl/": {"affine"}, "sqlite3.h": {"store"}, "curl/": {"llm"},
    "boost/context/": {"emulator"}, "CL/": {"device", "layer"}, "cuda": {"device"}, "hip/": {"device"}, "Eigen/": {"search"}, "CLI/": {"app"},
    "openssl/": {"base"}, "xxhash.h": {"base"}, "toml++/": {"core"}, "seccomp.h": {"os"}, "httplib.h": set(),
}
PURE = {"search", "rules", "ir", "affine", "interpreter", "patterns"}
IMPURE_INCLUDES = {"chrono", "random", "fstream", "iostream", "cstdio", "filesystem", "unistd.h", "thread"}
PRINTS = re.compile(r"\b(std::cout|std::cerr|printf\(|fmt::print\(|std::exit\(|exit\()")


def breaches_of(folder, name, text):
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if include:
            kind, path = include.groups()
            top = path.split("/")[0]
            if kind == '"' and top in KNOWN and top != folder:
                if folder != "app" and top not in {"base", "core"} | ALLOWED.get(folder, set()) or folder in ("base", "core") and top not in ALLOWED[folder]:
                    yield f"{where}: {folder}/ may not include {path}"
            for prefix, homes in HOMES.items():
                if path.startswith(prefix) and kind == "<" and folder not in homes:
                    yield f"{where}: <{path}> belongs to {', '.join(sorted(homes)) or 'tests'} only"
            if folder in PURE and kind == "<" and path in IMPURE_INCLUDES:
                yield f"{where}: {folder}/ has no clock, randomness or I/O of its own, but includes <{path}>"
        elif folder not in ("app", "worker") and PRINTS.search(line.split("//")[0]) and '"' not in line.split("(")[0]:
            if re.search(r"\bf?s?n?printf\(", line) and not re.search(r"(?<![\w.:>])printf\(", line):
                continue
            yield f"{where}: only app/ prints or exits"


KNOWN = set(ALLOWED) | {"app"}


def check(root):
    found = []
    for path in sorted(root.rglob("*")):
        if path.suffix in (".hpp", ".cpp"):
            folder = path.relative_to(root).parts[0]
            found += breaches_of(folder, str(path.relative_to(root.parent)), path.read_text())
    return found


def self_test():
    cases = [
        ("rules", '#include "judge/judge.hpp"', 1), ("core", '#include "ir/tree.hpp"', 1), ("rules", '#include "affine/view.hpp"', 0), ("interpreter", '#include "affine/view.hpp"', 1),
        ("judge", '#include "interpreter/run.hpp"', 0), ("interpreter", "#include <random>", 1),
        ("mep", "#include <clang/AST/Decl.h>", 1), ("source", "#include <clang/AST/Decl.h>", 0), ("search", "#include <chrono>", 1),
        ("judge", 'std::cout << 1;', 1), ("app", 'std::cout << 1;', 0), ("base", '#include "core/mep.hpp"', 1), ("store", "#include <sqlite3.h>", 0),
        ("judge", 'const char* s = "printf(";', 0), ("core", "std::exit(1);", 1),
    ]
    wrong = [c for c in cases if len(list(breaches_of(c[0], "x", c[1]))) != c[2]]
    return [f"self-test: {c}" for c in wrong]


if __name__ == "__main__":
    breaches = self_test() if sys.argv[1] == "--self-test" else check(pathlib.Path(sys.argv[1]))
    print("\n".join(breaches) if breaches else "no breach")
    sys.exit(1 if breaches else 0)
