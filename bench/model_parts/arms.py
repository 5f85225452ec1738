"""Matched arms: the same kernels, the same budget and seed, one difference each. What a run of an arm gave is kept by its words, so that a bench
that is killed goes on where it was."""
import hashlib
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench/suite_parts"), str(ROOT / "suites")]
import figures  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402


class Arms:
    def __init__(self, hone, state, budget, seed):
        self.hone, self.state, self.budget, self.seed = pathlib.Path(hone), pathlib.Path(state), budget, seed
        self.state.mkdir(parents=True, exist_ok=True)

    def mep_of(self, program):
        """Taken out once, so that every arm works on the same sizes."""
        mep = self.state / "meps" / (program.name + ".mep")
        if not (mep / "mep.toml").exists():
            _, application = measure.copy_of(program, self.state / "taken")
            tool = measure.Hone(self.hone, self.state / "state", "", "")
            code, _, err = tool.run("extract", application, "--kernel", ",".join(program.kernels), "-o", mep, "--json", limit=300)
            if code != 0:
                raise SystemExit(f"{program.name}: {err.strip()}")
            shutil.rmtree(self.state / "taken")
        return mep

    def speedup(self, program, words, repetition=0):
        """Proven, against K(0); 1 where nothing was. Each run has a log and recordings of its own."""
        mep = self.mep_of(program)
        key = hashlib.sha256(json.dumps([program.name, self.budget, self.seed, words, repetition]).encode()).hexdigest()[:16]
        kept = self.state / "results" / (key + ".json")
        if not kept.exists():
            state = self.state / "state"
            for log in [*state.glob("hone/trials.db*"), *state.glob("hone/recordings")]:
                shutil.rmtree(log) if log.is_dir() else log.unlink()
            tool = measure.Hone(self.hone, state, "", "")
            _, out, err = tool.run("optimize", mep, "--budget", self.budget, "--seed", self.seed + repetition, "--json", *words,
                                   limit=measure.seconds_of(self.budget) + measure.OVER_BUDGET)
            try:
                data = json.loads(out)
            except json.JSONDecodeError:
                data = {"error": {"code": "E-CRASH", "message": err.strip()[-300:]}}
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(data))
            shutil.rmtree(mep / "best", ignore_errors=True)
            shutil.rmtree(mep / "template", ignore_errors=True)
        data = json.loads(kept.read_text())
        if "error" in data:
            print(f"  {program.name}: {data['error']['code']} {data['error']['message']}", file=sys.stderr)
            return 1.0
        return data["comparison"]["ratio"] if data.get("faster") and data["comparison"].get("ratio") else 1.0


def table(programs_of, arms, figure):
    """One row for each program, the geometric means last. `figure(program, arm)`."""
    lines = ["| program | " + " | ".join(arms) + " |", "|---" * (len(arms) + 1) + "|"]
    columns = {arm: [] for arm in arms}
    for program in programs_of:
        row = []
        for arm in arms:
            value = figure(program, arm)
            columns[arm].append(value)
            row.append(f"{value:.2f}x")
        lines.append(f"| {program.name} | " + " | ".join(row) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    means = {arm: figures.geometric_mean(values) for arm, values in columns.items()}
    lines.append("| geometric mean | " + " | ".join(f"{means[arm]:.2f}x" for arm in arms) + " |")
    return "\n".join(lines), means, columns
