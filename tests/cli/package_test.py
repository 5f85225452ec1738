#!/usr/bin/env python3
"""The archive of scripts/package on a machine that has libc and nothing else. package_test.py SOURCE_DIR BINARY_DIR"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BINARY = (pathlib.Path(word).resolve() for word in sys.argv[1:3])


class Package(unittest.TestCase):
    def setUp(self):
        if not shutil.which("bwrap"):
            if "HONE_MUST_RUN" in os.environ:
                self.fail("no bubblewrap here")
            self.skipTest("no bubblewrap here")
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="hone-package-"))
        self.addCleanup(shutil.rmtree, self.scratch, True)

    def bare_root(self):
        """The loader and libc's own libraries, where they were; no shell, no other library."""
        root = self.scratch / "root"
        for name in ("proc", "dev", "tmp"):
            (root / name).mkdir(parents=True)
        listed = subprocess.run(["ldd", BINARY / "bin/hone-worker"], capture_output=True, text=True, check=True).stdout
        for path in re.findall(r"(/\S+/(?:libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so\S*)", listed):
            to = root / path.lstrip("/")
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
        return root

    def test_it_starts_with_libc_alone_and_says_what_each_kind_of_device_lacks(self):
        archive = self.scratch / "worker.tar.gz"
        made = subprocess.run([SOURCE / "scripts/package", archive], capture_output=True, text=True, env=dict(os.environ, HONE_BUILD=str(BINARY)))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(made.stdout, r"runs with glibc 2\.\d+ and later")
        root = self.bare_root()
        subprocess.run(["tar", "xzf", archive, "-C", root], check=True)
        done = subprocess.run(["bwrap", "--bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--clearenv",
                               "/hone-worker/bin/hone-worker", "--devices"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("libOpenCL.so.1", done.stdout)
        self.assertIn("libcuda.so.1", done.stdout)
        self.assertIn("no HIP device", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
