"""Others on the same cores, the same problem, the same minute: the program's loops in OpenMP C, its products by OpenBLAS (bench/peers/*.c), and
Kernel Tuner on the same kernel (kernel_tuner_peer.py). Processes in turn, the best of three
each; a peer's process makes three passes itself, which favours it."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import figures
import measure
import programs

PEER_RUNS = 3
KERNEL_TUNER_LIMIT = 120  # seconds a program


def sources(program, root):
    """[(what it is called, its C file)]: those that have an entry of the program's name."""
    kinds = (("OpenBLAS", "products.c"), ("OpenMP C", "stencils.c"), ("OpenMP C", "vectors.c"))
    folder = pathlib.Path(root) / "bench/peers"
    return [(name, folder / file) for name, file in kinds if f'{{"{program.name}",' in (folder / file).read_text()]


def architecture():
    with open("/proc/cpuinfo") as file:
        flags = re.search(r"^flags\s*:(.*)$", file.read(), re.M)
    wide = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
    return "x86-64-v4" if flags and wide <= set(flags[1].split()) else "x86-64-v3"


def built(source, scratch):
    """(program, what the compiler said)"""
    scratch.mkdir(parents=True, exist_ok=True)
    binary = scratch / source.stem
    libraries = ["-lopenblas"] if source.stem == "products" else []
    done = subprocess.run(["gcc", "-O3", "-march=" + architecture(), "-fopenmp", "-std=gnu11", "-o", str(binary), str(source), *libraries, "-lm"],
                          capture_output=True, text=True, check=False)
    return (binary if done.returncode == 0 else None), done.stderr.strip()


def passes_of(binary, name):
    """Milliseconds of one process; None when it fails."""
    done = subprocess.run([str(binary), name], capture_output=True, text=True, timeout=120, check=False)
    found = re.search(r"^kernel_ms ([0-9.eE+-]+)$", done.stdout, re.M)
    return float(found[1]) if done.returncode == 0 and found else None


def program_now(program, record, scratch):
    """The program built as it is now: with the patch where that was put back, else as it was; None when it does not build."""
    folder, application = measure.copy_of(program, scratch / "now")
    if (record.get("integrated") or {}).get("ratio"):
        patch = record["runs"][0]["patch"]
        subprocess.run(["patch", "-p1", "-s", "-d", str(application), "-i", patch], capture_output=True, check=False)
    return folder if programs.build(folder)[0] else None


def in_turn(binary, program, folder):
    """(the peer's best, the program's best), one process of each in turn; None when one fails."""
    theirs, ours = [], []
    for _ in range(PEER_RUNS):
        theirs.append(passes_of(binary, program.name))
        done = programs.run(folder, program.binary, program.default)
        ours.append(done.kernel_ms if done.ok else None)
    return None if None in theirs + ours else (min(theirs), min(ours))


def in_c(program, record, scratch, root):
    for name, source in sources(program, root):
        binary, said = built(source, scratch / "peers")
        folder = program_now(program, record, scratch)
        both = in_turn(binary, program, folder) if binary and folder else None
        if both is None:
            yield {"name": name, "fault": said[:200] or "it or the program did not run"}
        else:
            yield {"name": f"{name}, {architecture()}" if name == "OpenMP C" else name, "ms": both[0], "hone_ms": both[1]}


def kernel_tuner_python(root):
    """The interpreter of a virtual environment with Kernel Tuner, made when it is not there; None when that fails."""
    venv = pathlib.Path(root) / "build/kernel_tuner_opencl"
    python = venv / "bin/python"
    if not python.exists():
        print("installing Kernel Tuner in " + str(venv), file=sys.stderr)
        made = subprocess.run([sys.executable, "-m", "venv", str(venv)], capture_output=True, check=False)
        if made.returncode == 0:
            subprocess.run([str(venv / "bin/pip"), "install", "--quiet", "kernel_tuner", "pyopencl"], capture_output=True, check=False)
    works = python.exists() and subprocess.run([str(python), "-c", "import kernel_tuner, pyopencl"], capture_output=True, check=False).returncode == 0
    return python if works else None


def kernel_tuner(program, record, root, hone):
    """Work-group sizes of the original, and our template by its search, each with as many evaluations as we had. Times are of the MEP's tune
    workload, ours too."""
    run = record["runs"][0]
    mep = run.get("mep")
    if not mep or not pathlib.Path(mep, "mep.toml").exists():
        return [{"name": "Kernel Tuner", "fault": "there is no MEP: " + run["why_not"][:160]}]
    python = kernel_tuner_python(root)
    if python is None:
        return [{"name": "Kernel Tuner", "fault": "cannot be installed here"}]
    command = [str(python), str(pathlib.Path(root) / "bench/suite_parts/kernel_tuner_peer.py"), mep, "--evaluations", str(max(run["evaluations"] or 0, 10)),
               "--hone", str(hone)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=KERNEL_TUNER_LIMIT, check=False)
        answer = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return [{"name": "Kernel Tuner", "fault": f"no end within {KERNEL_TUNER_LIMIT} s"}]
    except (json.JSONDecodeError, IndexError):
        return [{"name": "Kernel Tuner", "fault": (done.stderr.strip().splitlines() or ["no answer"])[-1][:200]}]
    return compared_with_tuner(answer, run)


def compared_with_tuner(answer, run):
    """Kernel Tuner times kernels in its own way, so that speedups over the original are compared, not times: the peer's time is the original's, as
    we measured it, by its speedup."""
    before = figures.geometric_mean(run["original_ns"].values()) if run.get("original_ns") else None
    out = []
    for name, one in answer.items():
        if "fault" in one or not before:
            out.append({"name": "Kernel Tuner, " + name, "fault": one.get("fault", "the original has no time")})
            continue
        ours = (run["standalone"] if run["faster"] else 1.0)
        out.append({"name": f"Kernel Tuner, {name}, {one['evaluations']} evaluations", "ms": 1e-6 * before / one["speedup"], "hone_ms": 1e-6 * before / ours})
    return out


def of(program, record, scratch, root, hone):
    found = list(in_c(program, record, scratch, root)) + kernel_tuner(program, record, root, hone)
    shutil.rmtree(scratch / "now", ignore_errors=True)
    return found
