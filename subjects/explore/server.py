"""Serves one of the applications beside this file from a database of its own (SQLite, in memory).

Usage: python3 server.py APPLICATION [--twin bug|fixed] [--data full|empty|random] [--replace FILE OLD NEW]

Prints its address. `--data random` answers every call with JSON that has nothing to do with what was asked for. `--replace` changes one
place of a file that is served, and ends with 2 if the file has no such place.
"""
import argparse
import json
import pathlib
import random
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

sys.dont_write_bytecode = True
from api import APPLICATIONS, NotThere  # noqa: E402

TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css"}


def random_json(depth=0):
    """Any JSON, of a few levels."""
    scalars = [None, True, False, random.randint(-5, 500), "", "lorem", "42"]
    if depth < 3 and random.random() < 0.5:
        if random.random() < 0.5:
            return [random_json(depth + 1) for _ in range(random.randint(0, 3))]
        return {random.choice("abcdef"): random_json(depth + 1) for _ in range(random.randint(0, 3))}
    return random.choice(scalars)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def call(self, path, query, body):
        if self.server.options.data == "random":
            return random_json()
        with self.server.lock:
            return self.server.application.call(self.command, path, query, body)

    def do_GET(self):
        address = urlsplit(self.path)
        path = [unquote(part) for part in address.path.strip("/").split("/")]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path[0] == "api":
            query = {name: values[0] for name, values in parse_qs(address.query).items()}
            try:
                told = self.call(path[1:], query, json.loads(body) if body else None)
            except (NotThere, ValueError, KeyError, TypeError) as problem:
                return self.answer(404, "application/json", json.dumps({"error": str(problem)}).encode())
            return self.answer(200, "application/json", json.dumps(told).encode())
        return self.file(path[-1] or "index.html")

    do_POST = do_PUT = do_DELETE = do_GET

    def file(self, name):
        options = self.server.options
        name = pathlib.PurePath(name)
        twin = self.server.folder / f"{name.stem}-{options.twin}{name.suffix}"
        file = twin if twin.is_file() else self.server.folder / name
        if not file.is_file():
            return self.answer(404, "text/plain", b"not there")
        text = file.read_text()
        if options.replace and options.replace[0] == file.name:
            text = text.replace(options.replace[1], options.replace[2], 1)
        return self.answer(200, TYPES.get(name.suffix, "application/octet-stream"), text.encode())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("application", choices=sorted(APPLICATIONS))
    parser.add_argument("--twin", choices=["bug", "fixed"], default="bug")
    parser.add_argument("--data", choices=["full", "empty", "random"], default="full")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replace", nargs=3, metavar=("FILE", "OLD", "NEW"))
    options = parser.parse_args()
    random.seed(options.seed)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.options, server.lock = options, threading.Lock()
    server.folder = pathlib.Path(__file__).parent / options.application
    if options.replace and options.replace[1] not in (server.folder / options.replace[0]).read_text():
        sys.exit(2)
    server.application = APPLICATIONS[options.application](options.data)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    # Ends with the process that holds its standard input.
    threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
    server.serve_forever()


main()
