"""The arithmetic of the tables: means, spreads, and what is read off `hone optimize --json`. No clock, no processes."""

import math
import statistics


def geometric_mean(values):
    """None for nothing; a value of zero or less has no geometric mean and is a fault of the caller."""
    values = list(values)
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def arithmetic_mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def median(values):
    values = list(values)
    return statistics.median(values) if values else None


def spread(values):
    """How far the largest is above the smallest, as a share of the smallest; None for fewer than two."""
    values = list(values)
    return max(values) / min(values) - 1 if len(values) > 1 else None


def ratio_of_role(data, role):
    """The geometric mean over the workloads of a role that have a figure: a busy machine gives none."""
    found = [one["comparison"]["ratio"] for one in data.get("workloads", [])
             if one["role"] == role and one["comparison"].get("ratio")]
    return geometric_mean(found)


def share_of_least(data):
    """Of the winner where there is one, else of the original; the geometric mean over the tune workloads that have a least time."""
    found = []
    for one in data.get("least", {}).values():
        share = one.get("winner_share", one.get("original_share"))
        if share:
            found.append(share)
    return geometric_mean(found)


def why_not(data):
    """The line that says why there is no win, exactly as hone printed it; empty when there is one."""
    if data.get("faster"):
        return ""
    if "error" in data:
        error = data["error"]
        return f"{error['code']}  {error['message']}"
    reasons = data.get("reasons", [])
    tried = [f"{one['template']} ({one['speedup']:.2f}x screened)" for one in data.get("attempts", []) if one.get("speedup")]
    lines = [*reasons, *(["screened only: " + ", ".join(tried)] if tried else []), "ended by: " + (data.get("ended") or "nothing said")]
    return "; ".join(lines)


def no_patch(data):
    """Why a win did not become a patch; empty when it did."""
    if not data.get("faster") or data.get("patch"):
        return ""
    said = [note for note in data.get("notes", []) if note.startswith("no patch: ")]
    return said[0] if said else "no patch, and no reason was given"


def seen(data):
    """What the tables need of one run, so that the state stays small."""
    comparison = data.get("comparison") or {}
    return {
        "faster": bool(data.get("faster")), "device": data.get("device", ""),
        "standalone": comparison.get("ratio"), "low": comparison.get("low"), "high": comparison.get("high"),
        "held_out": ratio_of_role(data, "held-out"), "awkward": ratio_of_role(data, "awkward"),
        "share_of_least": share_of_least(data), "first_proof_s": data.get("first_proof_seconds"),
        "evaluations": data.get("evaluations"), "why_not": why_not(data), "no_patch": no_patch(data), "ended": data.get("ended", ""),
        "template": (data.get("winner") or {}).get("template"), "schedule": (data.get("winner") or {}).get("schedule"),
        "configuration": (data.get("winner") or {}).get("configuration"),
        "reasons": data.get("reasons", []), "notes": data.get("notes", []), "shapes": data.get("shapes"),
        "original_ns": data.get("original_ns", {}), "workloads": data.get("workloads", [])}


def standalone_of(record):
    """The median over seeds; a seed without a win counts as 1. None before anything ran."""
    runs = record.get("runs", [])
    return median(run["standalone"] if run["faster"] else 1.0 for run in runs) if runs else None


def integrated_of(record):
    """The program's own timer, before by after; 1 where nothing was put back."""
    integrated = record.get("integrated")
    return integrated["ratio"] if integrated and integrated.get("ratio") else 1.0


def agrees(record):
    """Whether the application saw what was claimed; None without a win that was put back."""
    integrated = record.get("integrated") or {}
    claimed = next((run["standalone"] for run in record.get("runs", []) if run["seed"] == integrated.get("seed")), None)
    return 0.8 <= integrated["ratio"] / claimed <= 1.25 if integrated.get("ratio") and claimed else None
