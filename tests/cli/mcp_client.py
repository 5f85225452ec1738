"""A client of the Model Context Protocol that does what it is told: one request, one answer."""
import json
import subprocess


class McpClient:
    def __init__(self, command, environment, folder, name="scripted"):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                        cwd=folder)
        self.number = 0
        self.heard = []  # every line, as it came
        self.hello = self.request("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": name, "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send_line(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.send_line(json.dumps(message).encode())

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError("hone mcp ended: " + self.process.stderr.read().decode())
        self.heard.append(line.decode())
        return json.loads(line)

    def request(self, method, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        answer = self.hear()
        assert answer["id"] == self.number, answer
        return answer

    def call(self, tool, **arguments):
        answer = self.request("tools/call", name=tool, arguments=arguments)
        return answer["result"]

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code
