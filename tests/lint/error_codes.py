#!/usr/bin/env python3
"""Holds docs/errors.md against the code: every code that src/ can print is explained, and nothing else is."""
import pathlib
import re
import sys

CODE = re.compile(r'"(E-[A-Z0-9]+(?:-[A-Z]+)?)"')


def codes_of_source(source):
    found = {}
    for path in sorted(source.rglob("*.[ch]pp")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0]
            for name in CODE.findall(code):
                found.setdefault(name, f"{path.relative_to(source.parent)}:{number}")
    return found


def differences(used, text):
    explained = set(re.findall(r"E-[A-Z0-9]+(?:-[A-Z]+)?", text))
    missing = [f"{where}: {name} is not in docs/errors.md" for name, where in sorted(used.items()) if name not in explained]
    return missing + [f"docs/errors.md: {name} is nowhere in src/" for name in sorted(explained - set(used))]


def main():
    root = pathlib.Path(sys.argv[1])
    used = codes_of_source(root / "src")
    found = differences(used, (root / "docs/errors.md").read_text())
    assert differences({"E-NEW": "a.cpp:1"}, "| E-OLD |") == ["a.cpp:1: E-NEW is not in docs/errors.md", "docs/errors.md: E-OLD is nowhere in src/"]
    print("\n".join(found) or f"{len(used)} codes explained")
    return 1 if found or not used else 0


sys.exit(main())
