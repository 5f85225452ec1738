#!/usr/bin/env python3
"""bench/corpus --provenance without a device: what a MEP says it has seen, against records that agree and that do not. provenance_test.py SOURCE_DIR"""
import pathlib
import struct
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "bench")]
import corpus_provenance  # noqa: E402

MANIFEST = """
format = 2
name = "scale"
options = ["-DWIDTH=4"]
options_from = { WIDTH = "seen main.c:9" }
[[struct]]
name = "Box"
fields = [ { name = "tag", type = "char", count = 1 }, { name = "edge", type = "int", count = 1 } ]
[[kernel]]
name = "scale"
arguments = [ { name = "x", buffer = "float", access = "readwrite" }, { name = "n", scalar = "int" }, { name = "by", scalar = "float" },
              { name = "tmp", local = "float" }, { name = "box", struct = "Box" }, { name = "seed", scalar = "uint" } ]
[[workload]]
name = "tune"
role = "tune"
scalars = { n = 65536, seed = 7 }
scalars_from = { n = "guessed", seed = "guessed" }
launches = [ { loop = "k in 0..3", launches = [
  { kernel = "scale", arguments = { x = "x", n = "n", by = "0.1", tmp = "64", box = { tag = "1", edge = "n // 2" }, seed = "seed" }, global = ["(n + 63) // 64 * 64"], local = ["64"], from = "seen main.c:20", arguments_from = { n = "seen main.c:11", by = "seen main.c:12", tmp = "seen main.c:13", box = "seen main.c:14", seed = "guessed" } } ] } ]
"""


def launch(n=1000, by=0.1, global_=1024, edge=500, options="-DWIDTH=4"):
    arguments = [{"buffer": 1, "size": 4 * n}, {"bytes": struct.pack("<i", n).hex()}, {"bytes": struct.pack("<f", by).hex()}, {"local": 256},
                 {"bytes": struct.pack("<bxxxi", 1, edge).hex()}, {"bytes": struct.pack("<I", 99).hex()}]
    return {"event": "launch", "kernel": "scale", "options": options, "global": [global_], "local": [64], "offset": [], "arguments": arguments}


def compare(*events):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "mep.toml").write_text(MANIFEST)
        return corpus_provenance.compare(pathlib.Path(folder), list(events))


class Provenance(unittest.TestCase):
    def test_formulas_hold_at_the_programs_own_size(self):
        found = compare(launch())
        self.assertEqual(found["wrong"], [])
        self.assertEqual((found["values"], found["seen"]), (9, 8))  # two sizes, six values of arguments, a define; the seed is guessed

    def test_any_recorded_launch_will_do(self):
        self.assertEqual(compare(launch(global_=64), launch())["wrong"], [])

    def test_a_wrong_size_scalar_field_and_define_are_named(self):
        for event, what in ((launch(global_=1000), "global[0]"), (launch(by=0.2), "by"), (launch(edge=499), "box.edge"), (launch(options="-DWIDTH=8"), "-DWIDTH")):
            wrong = compare(event)["wrong"]
            self.assertEqual(len(wrong), 1, wrong)
            self.assertIn(what, wrong[0])

    def test_a_program_that_does_not_launch_it_says_nothing(self):
        self.assertEqual(compare()["values"], 0)


if __name__ == "__main__":
    unittest.main()
