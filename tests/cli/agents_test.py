#!/usr/bin/env python3
"""Agents that hold the loop themselves: from a tree to a validated patch by MCP alone and by commands alone, warm sessions, requests that
are none, and the hostile corpus. agents_test.py HONE SOURCE_DIR"""
import glob
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tomllib
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from command_line import HONE, SOURCE, CommandLine, long, text_of  # noqa: E402
from mcp_client import McpClient  # noqa: E402

SCALE = os.path.join(SOURCE, "tests/cli/scale.mep")
HOSTILE = os.path.join(SOURCE, "tests/hostile")
# One for each way of being caught, those that are caught soon.
SAMPLE = ("does-nothing", "changes-its-input", "constant-answer", "assumes-an-even-size", "calls-the-library", "ends-the-worker")


def hidden_sizes(mep):
    """Of held-out workloads only: what no answer may tell before the claim."""
    workloads = tomllib.loads(text_of(mep, "mep.toml"))["workload"]
    shown = {(name, value) for w in workloads if w["role"] != "held-out" for name, value in w["scalars"].items()}
    return {pair for w in workloads if w["role"] == "held-out" for pair in w["scalars"].items()} - shown


class Agents(CommandLine):
    def mcp(self, *words, name="scripted"):
        client = McpClient([HONE, "mcp", *words], self.environment, self.scratch, name)
        self.addCleanup(lambda: client.process.poll() is None and client.close())
        return client

    def said(self, client, tool, **arguments):
        result = client.call(tool, **arguments)
        self.assertFalse(result["isError"], result["content"])
        return result["structuredContent"]

    def refused(self, client, tool, code, **arguments):
        result = client.call(tool, **arguments)
        self.assertTrue(result["isError"], result)
        self.assertEqual(result["structuredContent"]["error"]["code"], code, result)

    def proposers(self):
        log = sqlite3.connect(os.path.join(self.scratch, "state/hone/trials.db"))
        try:
            return {json.loads(record)["proposer"] for (record,) in log.execute("select record from trial")}
        finally:
            log.close()

    def example(self, name):
        return shutil.copytree(os.path.join(SOURCE, "examples", name), os.path.join(self.scratch, name))

    def test_a_tree_becomes_a_validated_patch_by_mcp_alone(self):
        tree = self.example("dotproduct")
        template = os.path.join(SOURCE, "examples/templates/dotproduct")
        client = self.mcp(tree, "--validate", "make -s clean && make -s check", name="painter 2")
        self.assertEqual(client.hello["result"]["serverInfo"]["name"], "hone")
        names = [tool["name"] for tool in client.request("tools/list")["result"]["tools"]]
        for wanted in ("brief", "check", "tune", "profile", "suggest", "apply"):
            self.assertIn(wanted, names)
        self.refused(client, "brief", "E-REQUEST")
        kernels = self.said(client, "scan")["kernels"]
        self.assertEqual([kernel["name"] for kernel in kernels], ["dot_partial"])
        mep = self.said(client, "extract", kernel="dot_partial")["mep"]
        self.assertEqual(os.path.dirname(mep), os.path.realpath(tree))
        self.assertEqual(len(self.said(client, "scan")["kernels"]), 1, "the MEP in the tree is none of its kernels")
        self.refused(client, "apply", "E-UNPROVEN", patch="dot.patch")
        self.assertIn("dot_partial", self.said(client, "brief")["text"])
        self.assertGreater(self.said(client, "profile")["time_ms"], 0)
        self.assertIn("moves", self.said(client, "suggest"))
        broken = self.said(client, "check", source=text_of(template, "kernel.cl").replace("sum +=", "sum -=").replace("+=", "-="),
                           manifest=text_of(template, "template.toml"))
        self.assertFalse(broken["proven"])
        told = "".join(client.heard)
        for name, value in hidden_sizes(mep):
            self.assertNotRegex(told, rf"\b{name}\W{{1,4}}{value}\b")
        tuned = self.said(client, "tune", source=text_of(template, "kernel.cl"), manifest=text_of(template, "template.toml"), budget="4")
        self.assertTrue(tuned["proven"], tuned)
        applied = self.said(client, "apply", patch="dot.patch")
        self.assertTrue(applied["proven"])
        self.assertTrue(applied["validated"], applied)
        self.assertTrue(applied["engaged"], applied)
        patch = text_of(tree, "dot.patch")
        self.assertIn(f"{applied['comparison']['ratio']:.3g}"[:3], patch)
        subprocess.run(["patch", "-p1", "--dry-run", "-i", "dot.patch"], cwd=tree, check=True, capture_output=True)
        self.assertEqual(client.close(), 0)
        self.assertIn("agent:painter-2", self.proposers())

    @long
    def test_a_tree_becomes_a_validated_patch_by_commands_alone(self):
        tree = self.example("matmul")
        template = shutil.copytree(os.path.join(SOURCE, "examples/templates/matmul"), os.path.join(self.scratch, "mine"))
        self.assertEqual(self.data("scan", tree)["kernels"][0]["name"], "matmul")
        self.hone("extract", tree, "--kernel", "matmul", "-o", "matmul.mep")
        self.assertIn("matmul", self.hone("brief", "matmul.mep").stdout)
        self.assertGreater(self.data("call", "matmul.mep", "profile")["time_ms"], 0)
        self.data("check", "matmul.mep", "--template", template, "--agent", "typist")
        self.assertTrue(self.data("tune", "matmul.mep", "--template", template, "--budget", "4", "--agent", "typist")["faster"])
        answer = self.data("optimize", tree, "--kernel", "matmul", "--template", template, "--no-rules", "--budget", "4", "--agent", "typist",
                           "--patch", "matmul.patch", "--validate", "make -s clean && make -s check")
        self.assertTrue(answer["faster"])
        self.assertTrue(answer["validation"]["passed"], answer["validation"])
        subprocess.run(["patch", "-p1", "--dry-run", "-i", os.path.join(self.scratch, "matmul.patch")], cwd=tree, check=True, capture_output=True)
        self.assertIn("agent:typist", self.proposers())

    def test_the_guide_names_commands_and_calls_that_there_are_and_is_installed_where_wanted(self):
        text = self.hone("skill").stdout
        self.assertTrue(text.startswith("---\nname: hone\n"))
        self.assertEqual(text, text_of(SOURCE, "docs/agent.md"))
        commands = set(re.findall(r"^  (\w+) ", self.hone("--help").stdout, re.M))
        for command in set(re.findall(r"`hone (\w+)", text)):
            self.assertIn(command, commands)
        self.hone("skill", "--to", "skills")
        self.assertEqual(text_of(self.scratch, "skills/hone/SKILL.md"), text)

    def test_what_is_no_request_is_answered_and_the_session_lives_on(self):
        client = self.mcp(SCALE)
        for line, code in ((b"{", -32700), (b"\xff\xfe", -32700), (b"[]", -32600), (b"x" * (5 << 20), -32600), (b"[" * 100000, -32700),
                           (b'{"jsonrpc": "2.0", "id": 1, "method": "nothing"}', -32601)):
            client.send_line(line)
            self.assertEqual(client.hear()["error"]["code"], code, line[:40])
        self.assertEqual(client.request("tools/call", name="rm", arguments={})["error"]["code"], -32602)
        self.refused(client, "check", "E-REQUEST", sauce="x")
        self.refused(client, "check", "E-REQUEST")
        self.refused(client, "check", "E-FORMAT", manifest="format = ")
        self.refused(client, "check", "E-OUTSIDE", template="/etc")
        self.refused(client, "check", "E-OUTSIDE", template="../gemm-tiles")
        self.refused(client, "brief", "E-OUTSIDE", mep="../gemm.mep")
        self.refused(client, "apply", "E-OUTSIDE", validate="touch /tmp/x", patch="x")
        self.refused(client, "apply", "E-OUTSIDE", patch="../x", source="")
        self.refused(client, "scan", "E-OUTSIDE", application="..")
        self.refused(client, "tune", "E-BUDGET", rules=True, budget="9h")
        self.assertEqual(client.request("ping")["result"], {})
        self.assertEqual(client.close(), 0)

    def entry(self, path):
        """A kernel of the corpus as source and manifest."""
        heads = dict(re.findall(r"^// (\w+): (.*)$", text_of(path), re.M))
        manifest = 'source = "kernel.cl"\n'
        if "global" in heads:
            kernel = tomllib.loads(text_of(HOSTILE, "meps", heads["base"], "mep.toml"))["kernel"][0]["name"]
            manifest += f'[[launch]]\nkernel = "{kernel}"\n'
            for key in ("global", "local"):
                if key in heads:
                    manifest += f"{key} = {json.dumps([part.strip() for part in heads[key].split(';')])}\n"
        if "options" in heads:
            manifest += f"[build]\noptions = {json.dumps(heads['options'].split())}\n"
        return heads["base"], {"source": text_of(path), "manifest": manifest}

    def play(self, names):
        client = self.mcp(os.path.join(HOSTILE, "meps"))
        for name in names:
            base, candidate = self.entry(os.path.join(HOSTILE, "hostile", name + ".cl"))
            answer = self.said(client, "check", mep=base, **candidate)
            self.assertIs(answer["proven"], False, name)
            self.assertIsNone(answer["comparison"], name)
        base, candidate = self.entry(os.path.join(HOSTILE, "hostile", "does-nothing.cl"))
        self.assertIs(self.said(client, "tune", mep=base, budget="2", **candidate)["proven"], False)
        self.refused(client, "apply", "E-UNPROVEN", mep=base)
        self.assertEqual(client.close(), 0)

    def test_hostile_kernels_get_no_claim(self):
        self.play(SAMPLE)

    @long
    def test_no_kernel_of_the_whole_hostile_corpus_gets_a_claim(self):
        self.play(sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(HOSTILE, "hostile/*.cl"))))

    def test_a_served_mep_answers_all_who_connect_and_ends_with_an_interrupt(self):
        mep = shutil.copytree(SCALE, os.path.join(self.scratch, "scale.mep"))
        server = subprocess.Popen([HONE, "serve", mep, "--agent", "somebody"], stdout=subprocess.PIPE, text=True, env=self.environment,
                                  cwd=self.scratch)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.kill)
        path = json.loads(server.stdout.readline())["socket"]

        def connect():
            link = socket.socket(socket.AF_UNIX)
            self.addCleanup(link.close)
            link.connect(path)
            return link, link.makefile("r")

        cut, _ = connect()
        cut.sendall(b'{"id": 1, "call": "brief"}\n{"id": 2, "ca')
        cut.close()
        link, lines = connect()
        link.sendall(b'nonsense\n{"id": 7, "call": "check", "arguments": {"schedule": ["lanes 0 4"]}, "agent": "first"}\n')
        self.assertEqual(json.loads(lines.readline())["error"]["code"], "E-REQUEST")
        answer = json.loads(lines.readline())
        self.assertEqual(answer["id"], 7)
        self.assertEqual(answer["data"]["verdict"], "Timed", answer)
        self.assertEqual(os.stat(path).st_mode & 0o077, 0, "others may not ask")
        again = subprocess.run([HONE, "serve", mep], capture_output=True, text=True, env=self.environment, timeout=60)
        self.assertIn("E-SOCKET", again.stderr)
        answer = self.data("call", mep, "check", json.dumps({"source": "__kernel void scale() {}"}), "--agent", "second", code=1)
        self.assertFalse(answer["proven"])
        self.assertLessEqual({"agent:first", "agent:second"}, self.proposers())
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=60), 0)
        self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
