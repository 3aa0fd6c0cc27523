"""A small HTTP server for tests, on loopback, with the standard library only.

Prints "port N" first, then one line per event: "request PATH" when a request has been received, "sent PATH" when the
complete answer has been written to the connection, and "gone PATH" when the client has disconnected before. Ends when
its standard input ends.

Paths (SIZE and COUNT are numbers; a path may end in a file name and in a ?query with `type` and `length`):

  /bytes/SIZE/...            SIZE bytes of text
  /binary/SIZE/...           SIZE bytes with zeros among them
  /invalid-utf8/...          text with a byte that is no UTF-8
  /file/PATH                 a file under the directory given as first argument
  /status/CODE[/stall]       that status, with a short body [that never ends]
  /redirect/PATH             a redirection to /PATH
  /redirect-to/URL           a redirection to a URL, whose slashes are escaped
  /malformed-chunk           the head of an answer in chunks, and no chunk after it
  /stall                     never answers
  /unwell/NAME/COUNT/HOW/SIZE  the first COUNT requests get HOW (a status, or `stall`); from then on SIZE bytes
  /stall-after/COUNT/SIZE    promises SIZE bytes, sends COUNT, then nothing
  /drop                      closes the connection instead of answering
  /drop-after/COUNT/SIZE     promises SIZE bytes, sends COUNT, closes the connection
  /reset-after/COUNT/SIZE    the same, with a reset
  /drip/NAME/COUNT/SIZE      promises SIZE bytes, sends COUNT at each request of /release/NAME
  /release/NAME              see /drip; answers when the bytes have been handed to the connection
  /empty                     an answer without a body
  /posts[/ID]                JSON posts in memory, "First" and "Second" at first: GET, POST, DELETE
  /control/MODE              how /posts answers from now on: ok; status-CODE; malformed and untitled (JSON that is cut
                             off, or lacks something); drop; stall (never); hold (when there is another mode)

`?type=T` sets the Content-Type (`?type=` leaves it out), `?length=no` leaves the Content-Length out.
"""

import http.server
import json
import os
import socket
import struct
import sys
import threading
import urllib.parse

LINE = b"The quick brown fox jumps over the lazy dog, again and again and again and over.\n"
BLOCK = LINE * 1000

output = threading.Lock()
gates = {}
gates_lock = threading.Lock()


def say(text):
    with output:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


visits = {}
visits_lock = threading.Lock()


def visit(name):
    """Returns the number of earlier requests for the name."""
    with visits_lock:
        visits[name] = visits.get(name, 0) + 1
        return visits[name] - 1


class Gate:
    """Lets one drip continue per release, and a release continue after the drip has been sent."""

    def __init__(self):
        self.wanted = threading.Semaphore(0)
        self.sent = threading.Semaphore(0)


def gate(name):
    with gates_lock:
        return gates.setdefault(name, Gate())


class Posts:
    """The posts, and the mode in which they are answered."""

    def __init__(self):
        self.changed = threading.Condition()
        self.mode = "ok"
        self.all = {
            1: {"id": 1, "title": "First", "body": "Hello.\n\n\x1b[2JBye."},
            2: {"id": 2, "title": "Second", "body": ""},
        }
        self.last = 2

    def set(self, mode):
        with self.changed:
            self.mode = mode
            self.changed.notify_all()

    def mode_after_hold(self):
        with self.changed:
            self.changed.wait_for(lambda: self.mode != "hold")
            return self.mode

    def answer(self, method, id, body):
        """Returns a status and the JSON value of the answer."""
        with self.changed:
            if method == "POST":
                self.last += 1
                self.all[self.last] = {"id": self.last, "title": body["title"], "body": body["body"]}
                return 201, self.all[self.last]
            if id is None:
                return 200, list(self.all.values())
            if id not in self.all:
                return 404, {}
            return (200, self.all.pop(id)) if method == "DELETE" else (200, self.all[id])


posts = Posts()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):
        self.do_GET()

    def do_DELETE(self):
        self.do_GET()

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        self.query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        parts = [urllib.parse.unquote(part) for part in url.path.split("/")[1:]]
        say("request " + url.path)
        self.close_connection = True
        try:
            answer = getattr(self, "answer_" + parts[0].replace("-", "_"), None)
            if answer is None:
                self.head(404, 0)
            else:
                answer(parts[1:])
            say("sent " + url.path)
        except (ConnectionError, TimeoutError):
            say("gone " + url.path)

    def head(self, status, size, kind="text/plain; charset=utf-8", **fields):
        self.send_response(status)
        kind = self.query.get("type", [kind])[0]
        if kind:
            self.send_header("Content-Type", kind)
        if self.query.get("length") != ["no"]:
            self.send_header("Content-Length", str(size))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()

    def send(self, size, block=BLOCK):
        while size > 0:
            self.wfile.write(block[:size])
            size -= len(block)

    def wait_until_gone(self):
        """Never returns: the client sends nothing more, so a read ends when the client disconnects, and this raises."""
        while self.connection.recv(4096):
            pass
        raise ConnectionAbortedError

    def answer_bytes(self, parts):
        self.head(200, int(parts[0]))
        self.send(int(parts[0]))

    def answer_binary(self, parts):
        self.head(200, int(parts[0]), "application/octet-stream")
        self.send(int(parts[0]), bytes(range(256)) * 256)

    def answer_invalid_utf8(self, parts):
        body = b"first line\nsecond \xff line\n"
        self.head(200, len(body))
        self.wfile.write(body)

    def answer_file(self, parts):
        root = os.path.realpath(sys.argv[1])
        path = os.path.realpath(os.path.join(root, *parts))
        if not path.startswith(root + os.sep) or not os.path.isfile(path):
            self.head(404, 0)
            return
        with open(path, "rb") as file:
            body = file.read()
        self.head(200, len(body))
        self.wfile.write(body)

    def answer_status(self, parts):
        body = b"" if parts[0] in ("204", "304") else b"no luck\n"
        is_stalling = parts[1:] == ["stall"]
        self.head(int(parts[0]), len(body) + is_stalling)
        self.wfile.write(body)
        if is_stalling:
            self.wait_until_gone()

    def answer_redirect(self, parts):
        self.head(302, 0, Location="/" + "/".join(parts))

    def answer_redirect_to(self, parts):
        self.head(302, 0, Location=parts[0])

    def answer_malformed_chunk(self, parts):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"zzz\r\nhello\r\n")

    def answer_stall(self, parts):
        self.wait_until_gone()

    def answer_stall_after(self, parts):
        self.head(200, int(parts[1]))
        self.send(int(parts[0]))
        self.wait_until_gone()

    def answer_unwell(self, parts):
        name, count, how, size = parts[:4]
        if visit(name) >= int(count):
            self.answer_bytes([size])
        elif how == "stall":
            self.wait_until_gone()
        else:
            self.answer_status([how])

    def answer_drop(self, parts):
        pass

    def answer_drop_after(self, parts):
        self.head(200, int(parts[1]))
        self.send(int(parts[0]))

    def answer_reset_after(self, parts):
        self.head(200, int(parts[1]))
        self.send(int(parts[0]))
        self.wfile.flush()
        # With ?wait, waits until the client disconnects: it would drop unread bytes at a reset.
        self.connection.recv(1) if self.query.get("wait") else None
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def answer_drip(self, parts):
        here = gate(parts[0])
        count, size = int(parts[1]), int(parts[2])
        self.head(200, size)
        while size > 0:
            here.wanted.acquire()
            self.send(min(count, size))
            size -= count
            here.sent.release()

    def answer_release(self, parts):
        here = gate(parts[0])
        here.wanted.release()
        here.sent.acquire()
        self.head(200, 0)

    def answer_empty(self, parts):
        self.head(200, 0)

    def answer_posts(self, parts):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        mode = posts.mode_after_hold()
        if mode == "stall":
            self.wait_until_gone()
        if mode == "drop":
            return
        if mode.startswith("status-"):
            self.answer_status([mode[7:]])
            return
        status, answer = posts.answer(self.command, int(parts[0]) if parts else None, body)
        text = json.dumps(answer)
        if mode == "malformed":
            text = text[:-2]
        elif mode == "untitled":
            text = text.replace("title", "name")
        self.head(status, len(text), "application/json")
        self.wfile.write(text.encode())

    def answer_control(self, parts):
        posts.set(parts[0])
        self.head(200, 0)


def end_with_input():
    """Ends the server when the test process, which holds the other end of standard input, ends in any way."""
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    say("port %d" % server.server_address[1])
    threading.Thread(target=end_with_input, daemon=True).start()
    server.serve_forever()
