"""What tests of whole commands share: the program, a state of their own, and a call that fails with what was said. Whoever imports this is
called as TEST.py HONE SOURCE_DIR."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HONE = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
GEMM = os.path.join(SOURCE, "tests/cli/gemm.mep")
TILES = os.path.join(SOURCE, "tests/cli/gemm-tiles")

COMMON = tempfile.TemporaryDirectory(prefix="hone-common-")
MEASURED = ("ceilings", "noise")  # of the device, once for all tests

# What only repeats a whole run in other words: scripts/test --full runs them too.
long = unittest.skipUnless(os.environ.get("HONE_FULL"), "HONE_FULL=1 runs it")


def text_of(*path):
    with open(os.path.join(*path)) as f:
        return f.read()


class CommandLine(unittest.TestCase):
    shares_measurements = True

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="hone-cli-")
        self.addCleanup(shutil.rmtree, self.scratch, True)
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(self.scratch, "state"))
        self.environment.pop("OPENAI_API_KEY", None)
        if not self.shares_measurements:
            return
        self.addCleanup(self.keep_measured)
        for part in MEASURED:
            if os.path.isdir(os.path.join(COMMON.name, part)):
                shutil.copytree(os.path.join(COMMON.name, part), os.path.join(self.scratch, "state/hone", part))

    def keep_measured(self):
        for part in MEASURED:
            measured = os.path.join(self.scratch, "state/hone", part)
            if os.path.isdir(measured) and not os.path.isdir(os.path.join(COMMON.name, part)):
                shutil.copytree(measured, os.path.join(COMMON.name, part))

    def hone(self, *words, code=0):
        done = subprocess.run([HONE, *words], capture_output=True, text=True, env=self.environment, cwd=self.scratch, timeout=300)
        self.assertEqual(done.returncode, code, f"hone {' '.join(words)}\n{done.stdout}\n{done.stderr}")
        return done

    def data(self, *words, code=0):
        return json.loads(self.hone(*words, "--json", code=code).stdout)
