"""One program through hone and back: standalone, and integrated with the program's own timer and its own check."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import tomllib

import figures
import programs

RUNS_EACH = 5          # of the program before and after the patch, in turn: a machine's speed changes within minutes
RUNS_SECONDS = 40      # no new pair after this
OVER_BUDGET = 240      # what a run may take beside its budget: taking out, completing, the proof


def seconds_of(budget):
    """"20s", "2m", "200,5m": the seconds in a budget; 60 where it has only evaluations."""
    units = {"s": 1, "m": 60, "h": 3600}
    found = [float(number) * units[unit] for number, unit in re.findall(r"([0-9.]+)([smh])", budget)]
    return sum(found) if found else 60.0


def copy_of(program, target):
    """The program alone with what its group shares, and the application's folder in it: the group's where the program reaches out of its own."""
    shutil.rmtree(target, ignore_errors=True)
    group = program.folder.parts[0]
    source = programs.ROOT / program.folder
    for part in (programs.ROOT / group).iterdir():
        if part.is_dir() and not list(part.rglob("suite.toml")):
            shutil.copytree(part, target / group / part.name)
    shutil.copytree(source, target / program.folder)
    reaches_out = any("../" in path.read_text(errors="replace") for path in source.iterdir() if path.is_file() and path.name != "suite.toml")
    return target / program.folder, target / group if reaches_out else target / program.folder


class Hone:
    def __init__(self, binary, state, device, model):
        self.binary, self.state, self.device, self.model = pathlib.Path(binary), pathlib.Path(state), device, model

    def run(self, *words, limit):
        """(exit code, standard output, standard error); everything the command started ends with it."""
        environment = dict(os.environ, XDG_STATE_HOME=str(self.state))
        process = subprocess.Popen([str(self.binary), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment, start_new_session=True)
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, "", f"no end within {limit:.0f} s"
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
        return process.returncode, out, err

    def optimize(self, program, application, budget, seed, *words):
        """A run of its own: nothing is remembered but what was measured of the device. Errors come back as data too."""
        for log in [*self.state.glob("hone/trials.db*"), *self.state.glob("replies-given")]:
            log.unlink()
        where = ["--device", self.device] if self.device else []
        model = ["--model", self.model.format(program=program.name, counter=self.state / "replies-given")] if self.model else []
        status, out, err = self.run("optimize", application, "--kernel", ",".join(program.kernels), "--budget", budget, "--seed", seed,
                                    "--json", *where, *model, *words, limit=seconds_of(budget) + OVER_BUDGET)
        try:
            return json.loads(out)
        except json.JSONDecodeError:
            said = err.strip().splitlines()[-1] if err.strip() else f"exit code {status}"
            return {"error": {"code": "E-CRASH", "message": said}}


def standalone(hone, program, scratch, budget, seed, keep):
    """One seed. The patch and the MEP stay in `keep`."""
    _, application = copy_of(program, scratch / "taken")
    patch, mep = keep / f"seed{seed}.patch", keep / f"seed{seed}.mep"
    patch.unlink(missing_ok=True)
    shutil.rmtree(mep, ignore_errors=True)
    start = time.monotonic()
    data = hone.optimize(program, application, budget, seed, "--patch", patch, "--keep-mep", mep)
    run = figures.seen(data)
    run.update(seed=seed, seconds=time.monotonic() - start, patch=str(patch) if patch.exists() else None, mep=str(mep) if mep.exists() else None)
    return run


def direct(hone, program, scratch, budget, seed):
    """What a model gives when asked once, without rules and without feedback."""
    _, application = copy_of(program, scratch / "direct")
    return figures.seen(hone.optimize(program, application, budget, seed, "--no-rules", "--rounds", 1, "--candidates", 1))


def scalars_of(mep):
    with open(pathlib.Path(mep) / "mep.toml", "rb") as file:
        return set(next(one for one in tomllib.load(file)["workload"] if one["role"] == "tune").get("scalars", {}))


def shape_words(program, scalars):
    """--shape and --held-out of a program's shapes, of the sizes the MEP has: of three shapes of a model the first is tuned on and the second held
    out; where the MEP has only some of the sizes, every second distinct one is held out."""
    def text(shape):
        return ",".join(f"{name}={size}" for name, size in zip(program.shape_names, shape) if name in scalars)

    if set(program.shape_names) <= scalars:
        tune, held_out = program.shapes[0::3], program.shapes[1::3]
    else:
        distinct = list({text(shape): shape for shape in program.shapes}.values())
        tune, held_out = distinct[0::2], distinct[1::2]
    if len(tune) < 2 or not text(tune[0]):
        return []
    return [word for role, shapes in (("--shape", tune), ("--held-out", held_out)) for shape in shapes for word in (role, text(shape))]


def by_shape(hone, program, scratch, budget, run, keep):
    """General and per shape; the patch chooses by size. A person's template in suites/templates takes part."""
    words = shape_words(program, scalars_of(run["mep"])) if run.get("mep") else []
    if not words:
        return {"fault": "the MEP has none of the sizes as scalars" if run.get("mep") else run["why_not"]}
    _, application = copy_of(program, scratch / "shapes")
    patch, template = keep / "shapes.patch", programs.ROOT / "templates" / program.folder.name
    patch.unlink(missing_ok=True)
    templates = ["--template", template] if template.exists() else []
    data = hone.optimize(program, application, budget, 1, *words, "--per-shape", "--patch", patch, *templates)
    out = figures.seen(data)
    out["proposer"] = (data.get("winner") or {}).get("proposer")
    if patch.exists():
        out["integrated"] = integrated(program, scratch, {"seed": 1, "patch": str(patch)})
    return out


def integrated(program, scratch, run):
    """The program with the patch and without it, in turn; its check at the default and at the odd size."""
    folders = {}
    for side in ("before", "after"):
        folder, application = copy_of(program, scratch / side)
        if side == "after":
            done = subprocess.run(["patch", "-p1", "-s", "-d", str(application), "-i", run["patch"]], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return {"seed": run["seed"], "fault": "the patch does not apply: " + (done.stdout + done.stderr).strip()}
        built, _, said = programs.build(folder)
        if not built:
            return {"seed": run["seed"], "fault": f"does not build {side} the patch: " + said.strip()[-300:]}
        folders[side] = folder
    odd = programs.run(folders["after"], program.binary, program.odd)
    if not odd.ok:
        return {"seed": run["seed"], "fault": f"with the patch, at {' '.join(program.odd)}: {odd.text()}"}
    return timed_in_turn(program, folders, run["seed"])


def timed_in_turn(program, folders, seed):
    times = {side: [] for side in folders}
    start = time.monotonic()
    for turn in range(RUNS_EACH):
        for side, folder in folders.items():
            done = programs.run(folder, program.binary, program.default)
            if not done.ok:
                return {"seed": seed, "fault": f"{side} the patch, at the default size: {done.text()}"}
            times[side].append(done.kernel_ms)
        if time.monotonic() - start > RUNS_SECONDS and turn >= 2:
            break
    before, after = figures.median(times["before"]), figures.median(times["after"])
    return {"seed": seed, "before_ms": before, "after_ms": after, "ratio": before / after, "runs": len(times["after"]),
            "spread": [figures.spread(times["before"]), figures.spread(times["after"])]}
