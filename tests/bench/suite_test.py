#!/usr/bin/env python3
"""bench/suite without a device: the maths of its tables, what it remembers when it is killed, what it says of losses. suite_test.py SOURCE_DIR"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "bench/suite_parts"), str(SOURCE / "suites")]
import figures  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402
import programs  # noqa: E402
import state  # noqa: E402
import tables  # noqa: E402
from progress import Progress  # noqa: E402


def run(standalone, seed=1, **more):
    faster = standalone is not None
    return {"seed": seed, "faster": faster, "standalone": standalone, "low": None, "high": None, "held_out": standalone, "share_of_least": 0.5,
            "first_proof_s": 4.0 if faster else None, "why_not": "" if faster else "rules: lanes: no stride is one", "no_patch": "", "seconds": 30.0,
            **more}


def record(title, runs, integrated=None, group="polybench", **more):
    return {"name": title, "title": title, "group": group, "runs": runs, "integrated": integrated, "date": "2026-01-01", **more}


def put_back(ratio, seed=1):
    return {"seed": seed, "ratio": ratio, "before_ms": 100.0, "after_ms": 100.0 / ratio, "runs": 5}


class Figures(unittest.TestCase):
    def test_means_of_the_papers_own_column(self):
        column = [1.45, 3.13, 1.58, 1.06, 7.22, 14.27, 13.78, 3.48, 7.23, 1.84, 5.89, 3.74, 1.08]
        self.assertAlmostEqual(figures.geometric_mean(column), 3.50, places=2)
        self.assertAlmostEqual(figures.arithmetic_mean(column), 5.06, places=2)

    def test_a_seed_without_a_win_counts_as_one(self):
        self.assertEqual(figures.standalone_of(record("A", [run(4.0), run(None, 2), run(3.0, 3)])), 3.0)
        self.assertEqual(figures.standalone_of(record("A", [run(None)])), 1.0)

    def test_spread_is_how_far_the_largest_is_above_the_smallest(self):
        self.assertAlmostEqual(figures.spread([2.0, 2.5, 2.2]), 0.25)
        self.assertIsNone(figures.spread([2.0]))

    def test_the_application_agrees_within_a_fifth_below_and_a_quarter_above(self):
        for ratio, expected in ((3.2, True), (3.19, False), (5.0, True), (5.01, False)):
            self.assertEqual(figures.agrees(record("A", [run(4.0)], put_back(ratio))), expected, ratio)
        self.assertIsNone(figures.agrees(record("A", [run(None)])))

    def test_why_not_is_the_line_hone_printed(self):
        self.assertEqual(figures.why_not({"error": {"code": "E-DEFINE", "message": "COMBINE is not defined"}}), "E-DEFINE  COMBINE is not defined")
        said = figures.why_not({"faster": False, "reasons": ["rules: lanes: a"], "ended": "20 seconds",
                                "attempts": [{"template": "merge", "speedup": 1.01}]})
        self.assertEqual(said, "rules: lanes: a; screened only: merge (1.01x screened); ended by: 20 seconds")
        self.assertEqual(figures.why_not({"faster": True}), "")

    def test_held_out_is_the_mean_over_those_with_a_figure(self):
        data = {"workloads": [{"role": "held-out", "comparison": {"ratio": 2.0}}, {"role": "held-out", "comparison": {"ratio": 8.0}},
                              {"role": "held-out", "comparison": {}}, {"role": "tune", "comparison": {"ratio": 100.0}}]}
        self.assertAlmostEqual(figures.ratio_of_role(data, "held-out"), 4.0)
        self.assertIsNone(figures.ratio_of_role(data, "awkward"))

    def test_budgets_are_read_as_hone_reads_them(self):
        self.assertEqual([measure.seconds_of(text) for text in ("20s", "2m", "200,5m", "40")], [20, 120, 300, 60])


class Tables(unittest.TestCase):
    def setUp(self):
        self.records = [record("GEMM", [run(40.0, low=35.0, high=44.0)], put_back(38.0)), record("LU", [run(None)]),
                        record("vectoradd", [run(1.5)], put_back(1.0), group="appsdk")]

    def test_every_program_has_a_row_and_every_group_its_means(self):
        table = tables.main_table(self.records)
        self.assertIn("| GEMM | 40.0 (35.0 to 44.0) | 40.0 | 38.0: 100.0 to 2.6 ms |", table)
        self.assertIn("| LU | none |", table)
        self.assertIn("| **PolyBench, geometric mean of 2** | 6.32 | 6.32 | 6.16 |", table)
        self.assertIn("| **all, arithmetic mean of 3** | 14.2 |", table)

    def test_losses_are_named_with_their_reason(self):
        losses = tables.losses(self.records)
        self.assertIn("| LU | no win | rules: lanes: no stride is one |", losses)
        self.assertIn("| vectoradd | another figure | integrated 1.00x against 1.50x standalone |", losses)
        self.assertNotIn("GEMM", losses)

    def test_a_fault_of_the_application_is_no_figure(self):
        broken = record("GEMM", [run(40.0)], {"seed": 1, "fault": "check FAILED"})
        self.assertIn("| GEMM | not integrated | check FAILED |", tables.losses([broken]))
        self.assertEqual(figures.integrated_of(broken), 1.0)

    def test_a_peer_that_is_ahead_is_said_to_be(self):
        ahead = record("GEMM", [run(40.0)], peers=[{"name": "OpenBLAS", "ms": 1.0, "hone_ms": 2.0}, {"name": "OpenMP C", "ms": 6.0, "hone_ms": 2.0}])
        table = tables.peers_table([ahead])
        self.assertIn("| GEMM | OpenBLAS | 1.00 ms | 2.00 ms | 0.50 | **the peer is ahead** |", table)
        self.assertIn("| GEMM | OpenMP C | 6.00 ms | 2.00 ms | 3.00 |  |", table)

    def test_shapes_have_both_figures(self):
        shapes = {"shapes": [{"workload": "d4096", "role": "tune", "general": 2.0, "per_shape": 2.5, "configuration": "VX=8"}],
                  "means": {"held-out": {"general": 1.9, "per_shape": None}}}
        table = tables.shapes_table([record("silu", [run(2.0)], group="sglang", by_shape=run(2.0, shapes=shapes))])
        self.assertIn("| silu | d4096 | tune | 2.00 | 2.50 | VX=8 |", table)
        self.assertIn("| **silu** | **geometric mean** | held-out | 1.90 |  |  |", table)

    def test_only_what_is_between_the_markers_changes(self):
        self.assertEqual(tables.between_markers("a\n<!-- suite -->\nold\n<!-- /suite -->\nb", "new\n"), "a\n<!-- suite -->\nnew\n<!-- /suite -->\nb")
        with self.assertRaises(ValueError):
            tables.between_markers("a", "new")


class Remembering(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_a_record_is_found_again_until_its_files_change(self):
        state.State(self.folder, "key").save({"name": "a/b", "files": "1", "runs": [1]})
        again = state.State(self.folder, "other")
        self.assertEqual(again.load("a/b", "1"), {"name": "a/b", "files": "1"}, "another key knows nothing of it")
        kept = state.State.__new__(state.State)
        kept.folder = self.folder / "key"
        self.assertEqual(kept.load("a/b", "1")["runs"], [1])
        self.assertEqual(kept.load("a/b", "2"), {"name": "a/b", "files": "2"})

    def test_a_torn_record_counts_as_none(self):
        kept = state.State(self.folder, "key")
        (kept.folder / "a--b.json").write_text('{"name": "a/')
        self.assertEqual(kept.load("a/b", "1"), {"name": "a/b", "files": "1"})

    def test_two_at_once_are_refused(self):
        kept = state.State(self.folder, "key")
        with self.assertRaises(SystemExit):
            state.State(self.folder, "key")
        del kept

    def test_the_estimate_follows_what_was_measured_and_not_what_was_remembered(self):
        progress = Progress(4, guess=60, now=lambda: 0.0)
        self.assertEqual(progress.left(), 240)
        progress.finished(None)
        progress.finished(20)
        self.assertEqual(progress.left(), 40)


STAND_IN = """#!/usr/bin/env python3
import json, os, pathlib, sys
words = sys.argv[1:]
if words[0] != "optimize":
    sys.exit(0)
kernel = words[words.index("--kernel") + 1]
log = pathlib.Path(os.environ["STAND_IN_LOG"])
with log.open("a") as file:
    file.write(kernel + "\\n")
if len(log.read_text().splitlines()) == int(os.environ.get("STAND_IN_DIES_AT", "0")):
    os.kill(os.getppid(), 9)
print(json.dumps({"faster": False, "reasons": ["rules: nothing for " + kernel], "ended": "nothing left to try"}))
sys.exit(1)
"""


class Killed(unittest.TestCase):
    """The whole command, with a stand-in for hone that can kill it."""

    def test_a_run_that_was_killed_goes_on_where_it_was(self):
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            hone, log, out = scratch / "hone", scratch / "log", scratch / "out.json"
            hone.write_text(STAND_IN)
            (scratch / "hone-worker").write_text("")
            hone.chmod(0o755)
            command = [sys.executable, str(SOURCE / "bench/suite"), "--hone", str(hone), "--state", str(scratch / "state"), "--budget", "1s",
                       "--json", str(out), "--markdown", str(scratch / "page.md"), "polybench/lu", "appsdk/vectoradd", "polybench/syrk"]

            def called(dies_at):
                environment = dict(os.environ, STAND_IN_LOG=str(log), STAND_IN_DIES_AT=str(dies_at))
                return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

            self.assertEqual(called(2).returncode, -9)
            done = called(0)
            self.assertEqual(done.returncode, 0, done.stderr)
            asked = log.read_text().splitlines()
            self.assertEqual(len(asked), 4, "the one that was killed is asked again, the one before it is not")
            self.assertEqual(len(set(asked)), 3)
            self.assertEqual(len(json.loads(out.read_text())["programs"]), 3)
            self.assertIn("rules: nothing for vector_add; ended by: nothing left to try", (scratch / "page.md").read_text())
            self.assertIn("[3/3] polybench/syrk", done.stderr)


class Programs(unittest.TestCase):
    def test_all_33_are_there_and_say_what_a_run_needs(self):
        here = [program for program in programs.all_programs() if program.runs_here]
        self.assertEqual(len(here), 33)
        for program in here:
            self.assertTrue(program.kernels, program.name)

    def test_a_copy_holds_the_program_and_what_its_group_shares_and_no_other_program(self):
        with tempfile.TemporaryDirectory() as scratch:
            gemm = programs.all_programs(["polybench/gemm"])[0]
            folder, application = measure.copy_of(gemm, pathlib.Path(scratch))
            self.assertEqual(sorted(path.name for path in application.iterdir()), ["common", "gemm"])
            self.assertTrue((folder / "Makefile").exists())
            alone = programs.all_programs(["appsdk/vectoradd"])[0]
            self.assertEqual(*measure.copy_of(alone, pathlib.Path(scratch)))

    def test_shapes_are_split_into_tuned_and_held_out_by_what_the_mep_can_set(self):
        silu = programs.all_programs(["sglang/silu_and_mul"])[0]
        both = measure.shape_words(silu, {"tokens", "d"})
        self.assertEqual(both[:2], ["--shape", "tokens=64,d=11008"])
        self.assertEqual(both.count("--shape"), 3)
        self.assertEqual(both[both.index("--held-out") + 1], "tokens=256,d=11008")
        self.assertEqual(measure.shape_words(silu, {"d", "x"}), ["--shape", "d=11008", "--shape", "d=28672", "--held-out", "d=13824"])
        self.assertEqual(measure.shape_words(silu, {"x"}), [])

    def test_at_least_20_programs_have_a_peer_of_ours(self):
        here = [program for program in programs.all_programs() if program.runs_here]
        self.assertGreaterEqual(sum(bool(peers.sources(program, SOURCE)) for program in here), 20)


if __name__ == "__main__":
    unittest.main()
