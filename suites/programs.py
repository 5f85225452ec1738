"""The programs of suites/: which there are, how one is built and run, and what it says. Used by verify and sabotage."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent
COMPILER = {"cuda": "nvcc", "hip": "hipcc"}  # OpenCL programs need only the C or C++ compiler
RUN_LIMIT = 120  # seconds; a plain program takes about one


@dataclasses.dataclass(frozen=True)
class Program:
    folder: pathlib.Path  # relative to suites/
    name: str
    group: str
    language: str
    binary: str
    default: list
    odd: list
    small: list
    kernels: list
    shape_names: list = dataclasses.field(default_factory=list)  # of the sizes in `shapes`, as a MEP calls them
    shapes: list = dataclasses.field(default_factory=list)

    @property
    def runs_here(self):
        return self.language == "opencl"

    def missing_compiler(self):
        wanted = COMPILER.get(self.language)
        return wanted if wanted and not shutil.which(wanted) else None


def read_program(folder):
    with open(folder / "suite.toml", "rb") as file:
        data = tomllib.load(file)
    words = {key: [str(word) for word in data[key]] for key in ("default", "odd", "small", "kernels")}
    return Program(folder.relative_to(ROOT), data["name"], data["group"], data["language"], data["program"], **words,
                   shape_names=data.get("shape_names", []), shapes=data.get("shapes", []))


def all_programs(wanted=()):
    """Every folder with a Makefile and a suite.toml; `wanted` narrows by name, by group or by folder."""
    folders = sorted(path.parent for path in ROOT.rglob("suite.toml") if (path.parent / "Makefile").exists())
    programs = [read_program(folder) for folder in folders]
    clean = [word.rstrip("/").removeprefix("suites/") for word in wanted]
    for word in clean:
        if not any(matches(program, word) for program in programs):
            raise SystemExit(f"no program, group or folder of suites/ is called {word}")
    return [program for program in programs if not clean or any(matches(program, word) for word in clean)]


def matches(program, word):
    return word in (program.name, program.group, str(program.folder), program.folder.name) or str(program.folder).startswith(word + "/")


@dataclasses.dataclass(frozen=True)
class Run:
    status: int  # the exit code; negative for a signal; None when it took too long
    output: str
    kernel_ms: float  # None when the line is missing
    check: str  # "OK", "FAILED", or "" when the line is missing

    @property
    def ok(self):
        return self.status == 0 and self.check == "OK" and self.kernel_ms is not None

    @property
    def refused(self):
        """The program noticed wrong results, or they made it crash. Status 2 is the program's word for "I could not run"."""
        if self.status is None or self.status == 2:
            return False
        return (self.check == "FAILED" and self.status == 1) or self.status < 0

    def text(self):
        if self.status is None:
            return f"no end within {RUN_LIMIT} s"
        if self.status < 0:
            return f"signal {-self.status}"
        if self.check:
            return f"check {self.check}" + ("" if (self.status == 0) == (self.check == "OK") else f", but exit code {self.status}")
        return f"exit code {self.status}, no check line"


def build(folder):
    """(succeeded, number of warnings, what the compiler said)"""
    subprocess.run(["make", "-s", "clean"], cwd=folder, capture_output=True, check=False)
    done = subprocess.run(["make", "-s"], cwd=folder, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    return done.returncode == 0, len(re.findall(r"\bwarning\b", said)), said


def run(folder, binary, arguments, before=(), environment=None):
    try:
        done = subprocess.run([*before, "./" + binary, *arguments], cwd=folder, capture_output=True, text=True, errors="replace",
                              timeout=RUN_LIMIT * (10 if before else 1), env={**os.environ, **(environment or {})}, check=False)
    except subprocess.TimeoutExpired:
        return Run(None, "", None, "")
    time = re.search(r"^kernel_ms ([0-9.eE+-]+)$", done.stdout, re.M)
    check = re.findall(r"^check (OK|FAILED)$", done.stdout, re.M)
    return Run(done.returncode, done.stdout + done.stderr, float(time[1]) if time else None, check[0] if len(check) == 1 else "")


def copy_group(program, target):
    """Copies the program with all its group, whose common files it may include, to `target`; returns the program's folder there."""
    top = program.folder.parts[0]
    shutil.rmtree(target / top, ignore_errors=True)
    shutil.copytree(ROOT / top, target / top)
    return target / program.folder
