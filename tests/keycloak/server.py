"""Keycloak as a process, with a realm that its administration makes."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.parse

# In seconds: the first start builds the server.
_PATIENCE = 900
_ADMINISTRATOR = {"username": "admin", "password": "a password for tests"}
# Of all users.
PASSWORD = "open sesame + more"
SECRET = "a secret + more/ümlaut"
USERS = {"ana": ["/staff"], "otto": ["/operators"], "lea": ["/sre/leads"], "sam": ["/others"]}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _groups(paths):
    """The trees of groups that have these paths."""
    tree = {}
    for path in paths:
        level = tree
        for name in path.strip("/").split("/"):
            level = level.setdefault(name, {})

    def described(level):
        return [{"name": name, "subGroups": described(below)} for name, below in level.items()]

    return described(tree)


def _realm(name, home):
    client = {
        "clientId": "bindery", "secret": SECRET, "redirectUris": [home + "/auth/callback"], "publicClient": False,
        "standardFlowEnabled": True, "directAccessGrantsEnabled": False,
        "attributes": {"post.logout.redirect.uris": home + "/", "pkce.code.challenge.method": "S256"},
        "protocolMappers": [{
            "name": "groups", "protocol": "openid-connect", "protocolMapper": "oidc-group-membership-mapper",
            "config": {"claim.name": "groups", "full.path": "true", "id.token.claim": "true"}}],
    }
    users = [{
        "username": user, "enabled": True, "email": user + "@example.com", "emailVerified": True, "firstName": user,
        "lastName": "Example", "groups": groups, "realmRoles": ["auditor"],
        "credentials": [{"type": "password", "value": PASSWORD}],
    } for user, groups in USERS.items()]
    return {"realm": name, "enabled": True, "sslRequired": "none", "clients": [client], "users": users,
            "roles": {"realm": [{"name": "auditor"}]}, "groups": _groups(path for paths in USERS.values() for path in paths)}


class Keycloak:
    """The server of a distribution that is unpacked in `distribution`; its log is in `folder`."""

    def __init__(self, distribution, folder):
        self.port = free_port()
        self._log = folder + "/keycloak.log"
        self._token = None
        variables = {**os.environ, "KC_BOOTSTRAP_ADMIN_USERNAME": _ADMINISTRATOR["username"],
                     "KC_BOOTSTRAP_ADMIN_PASSWORD": _ADMINISTRATOR["password"]}
        with open(self._log, "wb") as log:
            # Its database is in memory: each run begins with an empty one.
            self._process = subprocess.Popen(
                ["bash", distribution + "/bin/kc.sh", "start-dev", "--db=dev-mem", "--cache=local",
                 "--http-host=127.0.0.1", f"--http-port={self.port}"],
                env=variables, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)

    def issuer(self, realm):
        return f"http://localhost:{self.port}/realms/{realm}"

    def await_start(self):
        deadline = time.monotonic() + _PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                if self._ask("GET", "/realms/master")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(1)
        raise RuntimeError(f"Keycloak does not start, see {self._log}")

    def make_realm(self, name, home):
        """A realm whose client is the dashboard at `home`."""
        self.change("POST", "", _realm(name, home))

    def realm(self, name):
        return Realm(self, name)

    def change(self, method, path, body=None):
        """A call to the administration of realms; its answer."""
        status, text = self._ask(method, "/admin/realms" + path, json.dumps(body) if body is not None else None,
                                 {"Authorization": "Bearer " + self._access(), "Content-Type": "application/json"})
        if status >= 300:
            raise RuntimeError(f"Keycloak answers {method} {path} with {status}: {text}")
        return json.loads(text) if text else None

    def _access(self):
        """A token of the administrator: it lives for a minute."""
        fields = urllib.parse.urlencode({**_ADMINISTRATOR, "grant_type": "password", "client_id": "admin-cli"})
        status, text = self._ask("POST", "/realms/master/protocol/openid-connect/token", fields,
                                 {"Content-Type": "application/x-www-form-urlencoded"})
        if status != 200:
            raise RuntimeError(f"Keycloak refuses its administrator: {text}")
        return json.loads(text)["access_token"]

    def _ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("localhost", self.port, timeout=120)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def stop(self):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()


class Realm:
    """What tests change in a realm."""

    def __init__(self, server, name):
        self._server = server
        self._path = "/" + name

    def set(self, **fields):
        self._server.change("PUT", self._path, fields)

    def set_client(self, **fields):
        client = self._client()
        client["attributes"] = {**client["attributes"], **fields.pop("attributes", {})}
        self._server.change("PUT", f"{self._path}/clients/{client['id']}", {**client, **fields})

    def add_mapper(self, mapper, **config):
        """A mapper of claims of the client; its id."""
        models = f"{self._path}/clients/{self._client()['id']}/protocol-mappers/models"
        self._server.change("POST", models, {"name": mapper, "protocol": "openid-connect", "protocolMapper": mapper,
                                             "config": config})
        made = next(each["id"] for each in self._server.change("GET", models) if each["name"] == mapper)
        return lambda: self._server.change("DELETE", f"{models}/{made}")

    def rotate_keys(self):
        """Another key signs from now on."""
        realm = self._server.change("GET", self._path)
        self._server.change("POST", self._path + "/components", {
            "name": "newer", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider",
            "parentId": realm["id"], "config": {"priority": ["1000"], "algorithm": ["RS256"]}})

    def set_user(self, name, **fields):
        user = self._server.change("GET", f"{self._path}/users?exact=true&username={name}")[0]
        self._server.change("PUT", f"{self._path}/users/{user['id']}", {**user, **fields})

    def _client(self):
        return self._server.change("GET", self._path + "/clients?clientId=bindery")[0]
