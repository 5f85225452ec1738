"""A model's server for tests: real HTTP on loopback, OpenAI's chat and responses and Anthropic's messages, streamed or not.

A script is a list of steps, one per request, the last one for ever after: a text is an answer; a dictionary is a fault:
{"status": 429, "retry_after": 1}, {"cut_stream": TEXT} (its first half, and no end), {"raw": BYTES}, {"cut": TEXT} (an answer that met its length limit),
{"hang": SECONDS} (a connection that says nothing), {"drip": TEXT} (its stream in pieces, each a little later). A function is asked for its step."""
import http.server
import json
import threading
import time


class ModelServer:
    def __init__(self, script):
        self.script, self.requests, self.lock = script, [], threading.Lock()
        handler = type("Handler", (Handler,), {"model": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def step(self, path, body):
        with self.lock:
            self.requests.append((path, body))
            return self.script[min(len(self.requests), len(self.script)) - 1]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, content, kind="application/json", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def drip(self, content, pieces=20, pause=0.1):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        size = len(content) // pieces + 1
        for begin in range(0, len(content), size):
            self.wfile.write(content[begin:begin + size])
            self.wfile.flush()
            time.sleep(pause)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        step = self.model.step(self.path, body)
        if callable(step):
            step = step(body)
        if isinstance(step, str):
            step = {"text": step}
        if "status" in step:
            return self.send(step["status"], b'{"error": {"message": "scripted"}}',
                             headers=[("Retry-After", str(step["retry_after"]))] if "retry_after" in step else [])
        if "hang" in step:
            return time.sleep(step["hang"])
        if "raw" in step:
            return self.send(200, step["raw"])
        text = step.get("text", step.get("cut", step.get("cut_stream", step.get("drip"))))
        if body.get("stream"):
            events = STREAMS[self.path.rsplit("/", 1)[1]](text, "cut" in step)
            if "cut_stream" in step:
                events = events[:-3]
            if "drip" in step:
                return self.drip("".join(events).encode())
            return self.send(200, "".join(events).encode(), "text/event-stream")
        self.send(200, json.dumps(WHOLE[self.path.rsplit("/", 1)[1]](text, "cut" in step)).encode())


def event(value):
    return "data: " + json.dumps(value) + "\n\n"


def halves(text):
    return [text[:len(text) // 2], text[len(text) // 2:]]


OPENAI = {"prompt_tokens": 1000, "completion_tokens": 200, "prompt_tokens_details": {"cached_tokens": 600}}
RESPONSES = {"input_tokens": 1000, "output_tokens": 200, "input_tokens_details": {"cached_tokens": 600}}
ANTHROPIC = {"input_tokens": 400, "cache_read_input_tokens": 600, "output_tokens": 200}
STREAMS = {
    "completions": lambda text, cut: [event({"choices": [{"delta": {"content": half}}]}) for half in halves(text)]
    + [event({"choices": [{"delta": {}, "finish_reason": "length" if cut else "stop"}], "usage": OPENAI}), "data: [DONE]\n\n"],
    "responses": lambda text, cut: [event({"type": "response.output_text.delta", "delta": half}) for half in halves(text)]
    + [event({"type": "response.incomplete" if cut else "response.completed",
              "response": {"usage": RESPONSES, "incomplete_details": {"reason": "max_output_tokens"} if cut else None}}), "\n"],
    "messages": lambda text, cut: [event({"type": "message_start", "message": {"usage": ANTHROPIC}})]
    + [event({"type": "content_block_delta", "delta": {"text": half}}) for half in halves(text)]
    + [event({"type": "message_delta", "delta": {"stop_reason": "max_tokens" if cut else "end_turn"}, "usage": ANTHROPIC}),
       event({"type": "message_stop"})],
}
WHOLE = {
    "completions": lambda text, cut: {"choices": [{"message": {"content": text}, "finish_reason": "length" if cut else "stop"}], "usage": OPENAI},
    "responses": lambda text, cut: {"output": [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": text}]}],
                                    "incomplete_details": {"reason": "max_output_tokens"} if cut else None, "usage": RESPONSES},
    "messages": lambda text, cut: {"content": [{"type": "text", "text": text}], "stop_reason": "max_tokens" if cut else "end_turn", "usage": ANTHROPIC},
}
