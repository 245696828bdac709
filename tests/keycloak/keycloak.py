#!/usr/bin/env python3
"""Plays sign-ins at a real Keycloak: keycloak.py PROGRAM DISTRIBUTION [--case NAME]... [--keep]

DISTRIBUTION is the folder of the unpacked server. Each case has a realm of its own and a daemon that knows this realm. A browser
without script fills in Keycloak's own pages. The everyday tests have the same with another provider: tests/clients/sign_in.test.js.
"""

import argparse
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

from browser import Browser
from server import PASSWORD, SECRET, Keycloak, free_port

_PATIENCE = 60
# In seconds. The daemon asks for new keys once a minute at most.
_KEYS_ARE_READ = 90
# In seconds: the shortest life of a session, and of a code that ends within a test.
_SESSION = 60
_CODE = 1
_TARGET = "projects/acme/locations/global/authorizationPolicies/payments"
_BINDERY = """
manifests: {{directory: manifests, rescanInterval: 1s, debounce: 50ms}}
store: {{url: "sqlite:state/bindery.db"}}
providers: {{cloudnative: {{type: cloudnative, embedded: true, project: acme}}}}
embeddedCloud: {{store: state/cloud.db, seed: seed.yaml, listen: "127.0.0.1:0"}}
server: {{listen: "127.0.0.1:{port}", socket: state/bindery.sock, webConfigFile: web.yml}}
"""
_MANIFEST = f"""apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamMember
metadata: {{name: viewers}}
spec: {{name: {_TARGET}, role: roles/viewer, member: "user:bob@example.com"}}
"""
_ROLES = {"viewer": ["group:/staff"], "operator": ["group:/operators"], "approver": ["group:/sre/leads"]}


class Case:
    """A realm, a daemon whose files are in `folder`, and what people do there."""

    def __init__(self, program, keycloak, name, folder):
        self.folder = folder
        self.port = free_port()
        self.home = f"http://localhost:{self.port}"
        self.keycloak = keycloak
        self.realm_name = name.replace("_", "-")
        keycloak.make_realm(self.realm_name, self.home)
        self.realm = keycloak.realm(self.realm_name)
        self._program = program
        self._daemon = None
        self.write("bindery.yaml", _BINDERY.format(port=self.port))
        self.write("seed.yaml", f"authorizationPolicies:\n  - {_TARGET}\n")
        self.write("manifests/viewers.yaml", _MANIFEST)
        self.write("oidc.secret", SECRET + "\n")
        self.configure()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)

    def configure(self, roles=None, oidc=None, **sign_in):
        """The web configuration, as JSON, which is YAML."""
        provider = {"issuer": self.keycloak.issuer(self.realm_name), "client_id": "bindery",
                    "client_secret_file": "oidc.secret", **(oidc or {})}
        self.write("web.yml", json.dumps({"sign_in": {"external_url": self.home, "oidc": provider, **sign_in},
                                          "roles": roles or _ROLES}))

    def start(self):
        with open(self.folder + "/bindery.log", "ab") as log:
            self._daemon = subprocess.Popen([self._program, "run", "-c", self.folder + "/bindery.yaml"], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)
        self.eventually("the daemon is ready", self._is_ready, _PATIENCE)

    def end(self):
        if self._daemon and self._daemon.poll() is None:
            self._daemon.send_signal(signal.SIGTERM)
            self._daemon.wait(40)

    def eventually(self, what, is_so, patience):
        deadline = time.monotonic() + patience
        while not is_so():
            if self._daemon.poll() is not None:
                raise RuntimeError(f"the daemon ended with {self._daemon.returncode}")
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {patience} s: {what}")
            time.sleep(0.1)

    def _is_ready(self):
        try:
            return Browser().go(self.home + "/readyz").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def sign_in(self, name, path="/", browser=None, stop_at=None, password=PASSWORD):
        """Fills in Keycloak's form; the browser, and the page that comes then."""
        browser = browser or Browser()
        form = browser.go(self.home + path)
        if "/realms/" not in form.url:
            raise AssertionError(f"the form of Keycloak does not come, but {form}")
        return browser, browser.submit(form, stop_at=stop_at, username=name, password=password)

    def answer(self, name, change=None):
        """Signs in, but the answer of Keycloak is not yet delivered: the browser, and the address. `change`: other fields
        in what the daemon asks Keycloak for."""
        browser = Browser()
        asked = browser.go(self.home + "/auth/login", stop_at="/realms/").url
        form = browser.go(changed(asked, **(change or {})))
        return browser, browser.submit(form, stop_at="/auth/callback", username=name, password=PASSWORD).url

    def post(self, browser, path, body):
        """A change as a program of the page asks for it: the status of the answer."""
        headers = {"Content-Type": "application/json", "Origin": self.home, "Sec-Fetch-Site": "same-origin"}
        return browser.post(self.home + path, json.dumps(body), headers)

    def is_asked(self, browser):
        """Whether who opens a page is sent to sign in."""
        return "/auth/login" in browser.go(self.home + "/drift", stop_at="/auth/login").url

    def stop(self):
        if self._daemon and self._daemon.poll() is None:
            self._daemon.kill()
            self._daemon.wait()


def changed(url, **fields):
    """The address with other fields in the query."""
    split = urllib.parse.urlsplit(url)
    query = {**dict(urllib.parse.parse_qsl(split.query)), **fields}
    return urllib.parse.urlunsplit(split._replace(query=urllib.parse.urlencode(query)))


def expect(is_so, what):
    if not is_so:
        raise AssertionError(str(what))


def expect_refused(page, words, status=401):
    expect(page.status == status and page.shows("You are not signed in") and page.shows(words), page)


def groups_are_roles(case):
    case.start()
    wanted = "/drift?limit=5"
    suspend = ("/api/v1/suspend", {"names": ["viewers"]})
    approve = ("/api/v1/guard/approve", {"digest": "0" * 64})
    for name, role, may in (("ana", "viewer", (403, 403)), ("otto", "operator", (200, 403)), ("lea", "approver", (200, 404))):
        browser, page = case.sign_in(name, wanted)
        expect(page.status == 200 and page.url == case.home + wanted, page)
        page = browser.go(case.home + "/account")
        expect(page.shows(f"{name}@example.com has the role {role}"), page)
        answers = tuple(case.post(browser, *change) for change in (suspend, approve))
        expect(answers == may, f"{name}: {answers}")
    events = browser.go(case.home + "/api/v1/events", headers={"Accept": "application/json"})
    expect(re.search(r'"user otto@example\.com \(oidc [0-9a-f-]{36}, from 127\.0\.0\.1', events.text), events)
    _, page = case.sign_in("sam", wanted)
    expect_refused(page, "the groups /others", 403)


def realm_roles_are_groups(case):
    """As docs/api.md says, the mapper of the roles must put the roles into the ID token."""
    case.configure({"viewer": ["group:auditor"]}, {"groups_claim": "realm_access.roles"})
    case.start()
    _, page = case.sign_in("ana")
    expect_refused(page, "no group", 403)
    case.realm.add_mapper("oidc-usermodel-realm-role-mapper", **{
        "claim.name": "realm_access.roles", "multivalued": "true", "jsonType.label": "String", "id.token.claim": "true"})
    _, page = case.sign_in("ana")
    expect(page.status == 200, page)


def only_verified_addresses_count(case):
    case.configure({"viewer": ["email:ana@example.com"]})
    case.start()
    _, page = case.sign_in("ana")
    expect(page.status == 200, page)
    case.realm.set_user("ana", emailVerified=False)
    _, page = case.sign_in("ana")
    expect_refused(page, "has no role here", 403)


def another_issuer(case):
    issuer = case.keycloak.issuer(case.realm_name)
    case.configure(oidc={"issuer": issuer + "/"})
    case.start()
    page = Browser().go(case.home + "/")
    expect_refused(page, f'calls itself "{issuer}"', 400)
    # The daemon reads the file again.
    case.configure()
    other = case.keycloak.issuer("master")
    for change in ({"iss": other}, {"iss": ""}):
        browser, answer = case.answer("ana")
        expect_refused(browser.go(changed(answer, **change)), f'is not of "{issuer}"')
    # A realm whose client has the same name, and whose answer goes to the daemon.
    case.keycloak.make_realm(case.realm_name + "-2", case.home)
    foreign = case.keycloak.issuer(case.realm_name + "-2")
    browser = Browser()
    asked = browser.go(case.home + "/auth/login", stop_at="/realms/").url
    form = browser.go(asked.replace(issuer + "/", foreign + "/"))
    answer = browser.submit(form, stop_at="/auth/callback", username="ana", password=PASSWORD).url
    expect(f"iss={urllib.parse.quote(foreign, '')}" in answer, answer)
    expect_refused(browser.go(changed(answer, iss=issuer)), "invalid_grant")


def another_audience(case):
    remove = case.realm.add_mapper("oidc-audience-mapper", **{
        "included.custom.audience": "payroll", "id.token.claim": "true", "access.token.claim": "false"})
    case.start()
    _, page = case.sign_in("ana")
    expect_refused(page, '"aud" is not "bindery" alone')
    remove()
    _, page = case.sign_in("ana")
    expect(page.status == 200, page)


def another_algorithm(case):
    case.start()
    signed_by = lambda name: case.realm.set_client(attributes={"id.token.signed.response.alg": name})
    for algorithm in ("HS256", "PS256", "RS512"):
        signed_by(algorithm)
        _, page = case.sign_in("ana")
        expect_refused(page, "neither RS256 nor ES256")
    signed_by("ES256")
    _, page = case.sign_in("ana")
    expect(page.status == 200, page)


def changed_answers(case):
    case.start()
    browser, answer = case.answer("ana", {"nonce": "of another sign-in"})
    expect_refused(browser.go(answer), '"nonce" is not the nonce of this sign-in')
    browser, answer = case.answer("ana", {"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"})
    expect_refused(browser.go(answer), "invalid_grant")
    browser, answer = case.answer("ana")
    expect_refused(browser.go(changed(answer, state="of another sign-in")), "begin again")
    browser, answer = case.answer("ana")
    expect_refused(Browser().go(answer), "in another browser")
    expect(browser.go(answer).status == 200, "the browser that began is still let in")


def another_secret(case):
    case.realm.set_client(secret="not the one of the daemon")
    case.start()
    _, page = case.sign_in("ana")
    expect_refused(page, "refuses the sign-in: status 401, unauthorized_client")


def used_and_late_answers(case):
    case.start()
    browser, answer = case.answer("ana")
    expect(browser.go(answer).status == 200, "an answer that came once is good")
    expect_refused(browser.go(answer), "is finished")
    case.realm.set(accessCodeLifespan=_CODE)
    browser, answer = case.answer("ana")
    time.sleep(_CODE + 1)
    expect_refused(browser.go(answer), "invalid_grant")


def sessions_end(case):
    for limit in ("lifetime", "idle"):
        case.configure(**{limit: f"{_SESSION}s"})
        case.start()
        browser, page = case.sign_in("ana")
        expect(page.status == 200, page)
        expect(not case.is_asked(browser), "the session lasts")
        # To ask is to use it.
        time.sleep(_SESSION)
        case.eventually(f"the session ends by {limit}", lambda: case.is_asked(browser), _PATIENCE)
        # Keycloak still knows the browser.
        page = browser.go(case.home + "/drift")
        expect(page.status == 200 and page.url == case.home + "/drift", page)
        case.end()


def sign_out_there_too(case):
    case.start()
    browser, _ = case.sign_in("ana")
    stolen = browser.copy()
    page = browser.submit(browser.go(case.home + "/account"), headers={"Origin": case.home, "Sec-Fetch-Site": "same-origin"})
    expect(page.shows("You are signed out of bindery"), page)
    expect(case.is_asked(stolen), "the session is over")
    expect(browser.go(case.home + "/drift").url == case.home + "/drift", "Keycloak still knows the browser")
    browser.submit(browser.go(case.home + "/account"), headers={"Origin": case.home, "Sec-Fetch-Site": "same-origin"})
    confirm = browser.go(page.link("/protocol/openid-connect/logout"))
    expect(confirm.status == 200 and confirm.forms(), confirm)
    back = browser.submit(confirm, stop_at=case.home)
    expect(back.url == case.home + "/", back)
    # Neither of them does: the form comes again.
    _, page = case.sign_in("otto", browser=browser)
    expect(page.status == 200, page)


def disabled_accounts(case):
    """Stay until the session ends, as docs/security.md says."""
    case.start()
    browser, _ = case.sign_in("ana")
    case.realm.set_user("ana", enabled=False)
    expect(not case.is_asked(browser), "the session goes on")
    _, page = case.sign_in("ana")
    expect("/realms/" in page.url and page.forms(), page)


def sessions_over_a_restart(case):
    case.start()
    browser, _ = case.sign_in("ana")
    case.end()
    case.start()
    expect(case.is_asked(browser), "sessions are of one process")
    case.configure(sessions_file="state/sessions.json")
    browser, _ = case.sign_in("ana")
    case.end()
    with open(case.folder + "/state/sessions.json", encoding="utf-8") as file:
        kept = file.read()
    expect(not any(value in kept for value in browser.cookies(case.home).values()), "the file holds a cookie")
    case.start()
    expect(not case.is_asked(browser), "the session is kept")


def rotated_keys(case):
    case.start()
    _, page = case.sign_in("ana")
    expect(page.status == 200, page)
    case.realm.rotate_keys()
    case.eventually("the new key is known", lambda: case.sign_in("ana")[1].status == 200, _KEYS_ARE_READ)


_CASES = {play.__name__: play for play in (
    groups_are_roles, realm_roles_are_groups, only_verified_addresses_count, another_issuer, another_audience, another_algorithm,
    changed_answers, another_secret, used_and_late_answers, sessions_end, sign_out_there_too, disabled_accounts,
    sessions_over_a_restart, rotated_keys)}


def play(name, program, keycloak, keep):
    """Whether the case passes."""
    folder = tempfile.mkdtemp(prefix=f"keycloak-{name}-")
    case = Case(program, keycloak, name, folder)
    try:
        _CASES[name](case)
        with open(folder + "/bindery.log", encoding="utf-8") as log:
            expect(SECRET not in log.read(), "the log holds the secret")
    except (AssertionError, OSError, RuntimeError, http.client.HTTPException, subprocess.SubprocessError) as failure:
        print(f"{name}: FAILED: {failure}; its folder is {folder}", flush=True)
        return False
    finally:
        case.stop()
    print(f"{name}: passed", flush=True)
    if not keep:
        shutil.rmtree(folder)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("distribution")
    parser.add_argument("--case", action="append", choices=list(_CASES), help="these alone")
    parser.add_argument("--keep", action="store_true", help="keep the folders")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="keycloak-")
    keycloak = Keycloak(os.path.abspath(options.distribution), folder)
    names = options.case or list(_CASES)
    try:
        keycloak.await_start()
        failed = [name for name in names if not play(name, os.path.abspath(options.program), keycloak, options.keep)]
    finally:
        keycloak.stop()
    if not failed and not options.keep:
        shutil.rmtree(folder)
    print(f"{len(names) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
