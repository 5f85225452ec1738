#!/usr/bin/env python3
"""A worker on another machine: a real sshd on loopback, with keys, a port and a folder of its own, started and ended here.
remote_test.py HONE SOURCE_DIR"""
import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HONE, SOURCE = (os.path.abspath(word) for word in sys.argv[1:3])
WORKER = os.path.join(os.path.dirname(HONE), "hone-worker")
SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
MEP = os.path.join(SOURCE, "tests/cli/scale.mep")


class Remote(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (os.path.exists(SSHD) and shutil.which("ssh")):
            if "HONE_MUST_RUN" in os.environ:
                raise AssertionError("no sshd here: apt-get install openssh-server")
            raise unittest.SkipTest("no sshd here")
        cls.folder = tempfile.mkdtemp(prefix="hone-remote-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{cls.folder}/{key}"], check=True)
        shutil.copy(f"{cls.folder}/user.pub", f"{cls.folder}/authorized")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with open(f"{cls.folder}/sshd_config", "w") as file:
            file.write(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {cls.folder}/host\nAuthorizedKeysFile {cls.folder}/authorized\n"
                       f"PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n")
        with open(f"{cls.folder}/config", "w") as file:
            file.write(f"Host gpu01\n  HostName 127.0.0.1\n  Port {port}\n  User {getpass.getuser()}\n  IdentityFile {cls.folder}/user\n"
                       f"  IdentitiesOnly yes\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)  # where it wants to live when it is root's
        cls.sshd = subprocess.Popen([SSHD, "-D", "-e", "-f", f"{cls.folder}/sshd_config"], stderr=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.end_sshd)
        for line in cls.sshd.stderr:
            if "Server listening" in line:
                break
        else:
            raise AssertionError("sshd did not start")

    @classmethod
    def end_sshd(cls):
        cls.sshd.terminate()
        cls.sshd.wait()
        cls.sshd.stderr.close()

    def setUp(self):
        self.environment = dict(os.environ, XDG_STATE_HOME=os.path.join(self.folder, "state"))
        self.worker = f"ssh -F {self.folder}/config gpu01 {WORKER}"

    def hone(self, *words, code=0):
        done = subprocess.run([HONE, *words], capture_output=True, text=True, env=self.environment, timeout=120)
        self.assertEqual(done.returncode, code, f"hone {' '.join(words)}\n{done.stdout}\n{done.stderr}")
        return done

    def remote_workers(self):
        """Processes of hone-worker that came through this sshd."""
        children = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/stat") as file:
                        fields = file.read().rsplit(")", 1)[1].split()
                    children.setdefault(int(fields[1]), []).append(int(entry))
                except OSError:
                    continue
        found, look = [], [self.sshd.pid]
        while look:
            for child in children.get(look.pop(), []):
                look.append(child)
                try:
                    with open(f"/proc/{child}/cmdline", "rb") as file:
                        if b"hone-worker" in file.read():
                            found.append(child)
                except OSError:
                    continue
        return found

    def eventually(self, condition, what):
        limit = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), limit, what)
            time.sleep(0.05)

    def test_devices_of_the_other_machine_are_listed(self):
        devices = json.loads(self.hone("devices", "--quick", "--json", "--worker", self.worker).stdout)["devices"]
        self.assertTrue(any(device["id"].startswith("opencl") for device in devices))

    def test_a_kernel_is_checked_there(self):
        there = json.loads(self.hone("check", MEP, "--json", "--worker", self.worker).stdout)
        here = json.loads(self.hone("check", MEP, "--json").stdout)
        self.assertEqual(there["verdict"], here["verdict"])

    def test_a_host_that_does_not_answer_is_named(self):
        done = self.hone("devices", "--quick", "--worker", f"ssh -F {self.folder}/config -o ConnectTimeout=2 -p 1 gpu01 {WORKER}", code=2)
        self.assertIn("E-WORKER", done.stderr)
        self.assertIn("refused", done.stderr)

    def test_a_worker_that_is_not_there_is_named(self):
        done = self.hone("devices", "--quick", "--worker", f"ssh -F {self.folder}/config gpu01 /no/such/hone-worker", code=2)
        self.assertIn("/no/such/hone-worker", done.stderr)

    def test_interrupting_ends_the_remote_side(self):
        running = subprocess.Popen([HONE, "optimize", MEP, "--budget", "60s", "--worker", self.worker], env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.eventually(self.remote_workers, "no worker came up on the other side")
        running.send_signal(signal.SIGINT)
        running.wait(timeout=60)
        self.eventually(lambda: not self.remote_workers(), "a worker was left behind on the other side")

    def test_a_lost_connection_is_a_lost_worker_and_the_run_goes_on(self):
        running = subprocess.Popen([HONE, "check", MEP, "--json", "--worker", self.worker], env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.eventually(self.remote_workers, "no worker came up on the other side")
        for pid in self.remote_workers():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        out, err = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 0, out + err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
