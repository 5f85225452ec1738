#!/usr/bin/env python3
"""An installed hone is whole: it says its version and starts the worker beside it. install_test.py CMAKE BUILD_DIR"""
import json
import os
import subprocess
import sys
import tempfile

cmake, build = sys.argv[1:3]
with tempfile.TemporaryDirectory(prefix="hone-install-") as prefix:
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    hone = os.path.join(prefix, "bin", "hone")
    # Nothing of the build may be found by chance: no PATH to it, another working directory, a state of its own.
    environment = {"PATH": "/usr/bin:/bin", "HOME": prefix, "XDG_STATE_HOME": os.path.join(prefix, "state")}

    def run(*words):
        done = subprocess.run([hone, *words], capture_output=True, text=True, env=environment, cwd=prefix, timeout=120)
        assert done.returncode == 0, f"hone {' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    assert os.path.exists(os.path.join(prefix, "lib", "hone", "libhone_layer.so")), "the layer is not installed"
    version = run("--version")
    assert version.startswith("hone "), version
    devices = json.loads(run("devices", "--json"))
    assert devices["devices"], devices
    print(version.strip(), "finds", devices["devices"][0]["name"])
