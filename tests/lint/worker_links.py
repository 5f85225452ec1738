#!/usr/bin/env python3
"""Holds what hone-worker is linked with: no compiler of ours, whose LLVM would meet that of an OpenCL runtime in one process, and no
device library, since each is loaded at run time where it is there.

worker_links.py WORKER
"""
import re
import subprocess
import sys

FORBIDDEN = ("libclang", "libLLVM", "libOpenCL", "libcuda", "libnvrtc", "libamdhip", "libhiprtc", "libcurl", "libsqlite3")

needed = re.findall(r"\(NEEDED\).*\[(.+)\]", subprocess.run(["readelf", "-d", sys.argv[1]], capture_output=True, text=True, check=True).stdout)
wrong = [library for library in needed if library.startswith(FORBIDDEN)]
if not needed:
    wrong = ["nothing at all is linked: not read"]
print("\n".join(wrong) if wrong else "no breach")
sys.exit(1 if wrong else 0)
