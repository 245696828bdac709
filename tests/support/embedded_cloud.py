"""The embedded cloud as a process of its own, which outlives daemons."""

import http.client
import json
import re
import subprocess
import time

PARENT = "projects/acme/locations/global/authorizationPolicies/"
# In seconds.
_PATIENCE = 120


class EmbeddedCloud:
    """Its files are in `folder`. It holds what the text `seed` says, else authorization policies of the `names` below
    PARENT, which hold nothing at first."""

    def __init__(self, program, folder, names=(), seed=None):
        self._log = folder + "/cloud.log"
        with open(folder + "/seed.yaml", "w", encoding="utf-8") as file:
            file.write(seed or "authorizationPolicies:\n" + "".join(f"  - {PARENT}{name}\n" for name in names))
        with open(self._log, "wb") as log:
            self.process = subprocess.Popen(
                [program, "emulator", "--listen", "127.0.0.1:0", "--store", folder + "/cloud.db", "--seed",
                 folder + "/seed.yaml"], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.port = self._await_port()

    def _await_port(self):
        deadline = time.monotonic() + _PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            with open(self._log, encoding="utf-8") as log:
                # The line is there as a whole.
                if listens := re.search(r"127\.0\.0\.1:(\d+)\s", log.read()):
                    return int(listens[1])
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"the embedded cloud does not listen, see {self._log}")

    def call(self, method, path, body=None):
        """The body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body)
        text = connection.getresponse().read()
        connection.close()
        return text

    def calls(self):
        """How often each operation was called since the last time."""
        counts = json.loads(self.call("GET", "/_emulator/requests"))["operations"]
        self.call("DELETE", "/_emulator/requests")
        return counts

    def members(self):
        """The members of each policy, by the cloud's own account."""
        seed = json.loads(self.call("GET", "/_emulator/seed"))
        return {each["name"]: sorted(member for binding in each.get("policy", {}).get("bindings", [])
                                     for member in binding["members"])
                for each in seed["authorizationPolicies"]}

    def stop(self):
        self.process.kill()
        self.process.wait()
