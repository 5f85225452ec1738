"""The same kernel and space by Kernel Tuner: kernel_tuner_side.py KERNEL [--runs N]"""
import argparse
import contextlib
import io
import time

import numpy
import kernel_tuner

parser = argparse.ArgumentParser()
parser.add_argument("kernel")
parser.add_argument("--runs", type=int, default=7)
options = parser.parse_args()

size = numpy.int32(192)
random = numpy.random.default_rng(1)
a = random.uniform(-1, 1, (size, size)).astype(numpy.float32)
b = random.uniform(-1, 1, (size, size)).astype(numpy.float32)
c = numpy.zeros((size, size), numpy.float32)
expected = (a.astype(numpy.float64) @ b).astype(numpy.float32)
space = {"block_size_x": [1, 2, 4, 8], "block_size_y": [1], "ROWS": [1, 2, 4, 8], "STEPS": [1, 2, 4, 8]}

start = time.monotonic()
with contextlib.redirect_stdout(io.StringIO()):
    results, _ = kernel_tuner.tune_kernel(
        "gemm", options.kernel, (int(size), int(size)), [a, b, c, size, size, size], space, lang="OpenCL",
        grid_div_x=["8*block_size_x"], grid_div_y=["ROWS"], answer=[None, None, expected, None, None, None], atol=1e-3,
        iterations=options.runs, strategy="brute_force")
took = time.monotonic() - start
right = [r for r in results if isinstance(r["time"], float)]
print(f"kernel_tuner {kernel_tuner.__version__}: {len(right)} of {len(results)} right, {took:.1f} s, {len(results) / took:.2f} evaluations/s")
print(f"  each: checked on the tune size, {options.runs} timed runs; start included")
