"""What stands between the replicas and what they share: it records, and it cuts.

All proxies run on one event loop in a thread of its own. A cut is either a `reset` (connections end and new ones are
refused) or a `hold` (nothing passes; what was sent meanwhile arrives when the cut ends, as after a lost route). What is
slow passes late.
"""

import asyncio
import base64
import json
import os
import re
import threading
import time

_TARGET = re.compile(r"/v1/(projects/[^:?]+):(getIamPolicy|setIamPolicy)")
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)


class Loop:
    """An event loop in a thread."""

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, coroutine):
        """Runs it on the loop and gives its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(30)

    def stop(self):
        self.run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @staticmethod
    async def _end():
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Gate:
    """Open, slow, or cut by `reset` or `hold`. All but cut(), slow_down() and open() are for the loop's thread."""

    def __init__(self, loop):
        self._loop = loop
        self.mode = "open"
        self._delay = 0
        self.writers = set()
        self._opened = loop.run(self._make_event())

    @staticmethod
    async def _make_event():
        event = asyncio.Event()
        event.set()
        return event

    async def _switch(self, mode):
        self.mode = mode
        if mode == "hold":
            self._opened.clear()
        else:
            self._opened.set()
        if mode == "reset":
            for writer in list(self.writers):
                writer.transport.abort()

    def cut(self, mode):
        self._loop.run(self._switch(mode))

    def slow_down(self, seconds):
        """All that passes takes so long, each way."""
        self._delay = seconds

    def open(self):
        self._delay = 0
        self._loop.run(self._switch("open"))

    async def passed(self):
        """Waits while it is held; False when the connection must end."""
        if self._delay:
            await asyncio.sleep(self._delay)
        await self._opened.wait()
        return self.mode != "reset"


class CloudLog:
    """What the service was asked and what it answered. Lists are only appended to."""

    def __init__(self):
        self.writes = []
        self.reads = []  # (time, replica, target)


async def _read_message(reader):
    """The head and the body of a request or an answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    body = await reader.readexactly(int(length.group(1))) if length else b""
    return head, body


def _json_of(body):
    try:
        return json.loads(body)
    except ValueError:
        return {}


class CloudProxy:
    """Passes one client's calls to the service and records them under that client's name."""

    def __init__(self, loop, name, port, log):
        self.gate = Gate(loop)
        self._name = name
        self._upstream = port
        self._log = log
        server = loop.run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]

    async def _serve(self, reader, writer):
        if self.gate.mode == "reset":
            writer.transport.abort()
            return
        self.gate.writers.add(writer)
        try:
            while await self._pass(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            self.gate.writers.discard(writer)
            writer.close()

    async def _pass(self, reader, writer):
        head, body = await _read_message(reader)
        # What was sent counts, also when a cut lets it arrive later.
        record = self._recorded(head, body, time.time())
        if not await self.gate.passed():
            return False
        answer_head, answer_body = await self._ask_service(head + body)
        record["answered"] = time.time()
        record["status"] = int(answer_head.split(b" ", 2)[1])
        record["etag"] = _json_of(answer_body).get("etag", "") if record["status"] == 200 else ""
        if not await self.gate.passed():
            return False
        writer.write(answer_head + answer_body)
        await writer.drain()
        record["delivered"] = True
        return b"connection: close" not in head.lower()

    async def _ask_service(self, request):
        """On a connection of its own: none that the service has closed meanwhile."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._upstream)
        try:
            writer.write(request)
            return await _read_message(reader)
        finally:
            writer.close()

    def _recorded(self, head, body, now):
        found = _TARGET.search(head.split(b"\r\n", 1)[0].decode())
        if found is None:
            return {}
        target = found.group(1)
        if found.group(2) == "getIamPolicy":
            self._log.reads.append((now, self._name, target))
            return {}
        policy = _json_of(body).get("policy", {})
        members = sorted(member for each in policy.get("bindings", []) for member in each["members"])
        record = {"replica": self._name, "target": target, "received": now, "if_etag": policy.get("etag", ""),
                  "members": members, "status": 0, "etag": "", "answered": 0, "delivered": False}
        self._log.writes.append(record)
        return record


def etag_order(etag):
    """The emulator's etags are times."""
    return int.from_bytes(base64.b64decode(etag), "big")


class DatabaseProxy:
    """Between one replica and one server: copies both ways. It listens only while the server does, as a client passes
    over a host that refuses connections."""

    def __init__(self, loop, folder, server_socket):
        self.gate = Gate(loop)
        self._loop = loop
        self._server_socket = server_socket
        self._listener = None
        self.folder = folder
        os.makedirs(folder)

    def listen(self):
        if self._listener is None:
            path = os.path.join(self.folder, ".s.PGSQL.5432")
            self._listener = self._loop.run(asyncio.start_unix_server(self._serve, path))

    def refuse(self):
        if self._listener is not None:
            self._loop.run(self._close())

    async def _close(self):
        self._listener.close()
        self._listener = None
        os.unlink(os.path.join(self.folder, ".s.PGSQL.5432"))

    async def _serve(self, reader, writer):
        if self.gate.mode == "reset":
            writer.transport.abort()
            return
        try:
            server = await asyncio.open_unix_connection(self._server_socket)
        except OSError:
            writer.close()
            return
        self.gate.writers.update((writer, server[1]))
        copies = [asyncio.ensure_future(self._copy(reader, server[1])),
                  asyncio.ensure_future(self._copy(server[0], writer))]
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        # The one side's end reaches the other as late as all else.
        await self.gate.passed()
        for writing in (writer, server[1]):
            writing.close()
            self.gate.writers.discard(writing)

    async def _copy(self, reader, writer):
        try:
            while data := await reader.read(65536):
                if not await self.gate.passed():
                    return
                writer.write(data)
                await writer.drain()
        except OSError:
            pass


class WebhookReceiver:
    """Takes the messages of a webhook and keeps the events in them by the id of their message."""

    def __init__(self, loop):
        self.events = {}
        server = loop.run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]

    async def _serve(self, reader, writer):
        try:
            while True:
                _, body = await _read_message(reader)
                self._take(_json_of(body))
                writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            writer.close()

    def _take(self, message):
        data = message.get("data", {})
        if "id" in data:
            self.events[message["id"]] = data
        for event in data.get("events", []):
            self.events[event["messageId"]] = event
