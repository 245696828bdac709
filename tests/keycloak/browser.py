"""As much of a browser as a sign-in needs: cookies, redirects, and forms that are filled in."""

import html
import html.parser
import http.client
import urllib.parse

_MOST_HOPS = 20


class _Forms(html.parser.HTMLParser):
    """The forms of a page: (address, method, fields with their values)."""

    def __init__(self, text):
        super().__init__()
        self.forms = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        if tag == "form":
            self.forms.append((said.get("action", ""), said.get("method", "get").upper(), {}))
        elif tag in ("input", "button") and self.forms and said.get("name"):
            self.forms[-1][2][said["name"]] = said.get("value") or ""


class Page:
    def __init__(self, url, status, text):
        self.url = url
        self.status = status
        self.text = text

    def shows(self, words):
        return words in html.unescape(self.text)

    def forms(self):
        return _Forms(self.text).forms

    def link(self, part):
        """The first address with `part`."""
        for piece in self.text.split('href="')[1:]:
            address = html.unescape(piece.split('"')[0])
            if part in address:
                return urllib.parse.urljoin(self.url, address)
        raise AssertionError(f"no link to {part} at {self.url}: {self.text}")

    def __str__(self):
        return f"{self.status} at {self.url}: {self.text[:2000]}"


class Browser:
    def __init__(self):
        self._cookies = {}  # (origin, path, name): value

    def go(self, url, method="GET", fields=None, headers=None, stop_at=None):
        """The page at the end of all redirects. `stop_at`: a redirect to an address with this text is not followed, and
        the page without a text is the address."""
        body = urllib.parse.urlencode(fields) if fields is not None else None
        for _ in range(_MOST_HOPS):
            status, location, text = self._ask(url, method, body, headers)
            if location is None:
                return Page(url, status, text)
            url, method, body, headers = urllib.parse.urljoin(url, location), "GET", None, None
            if stop_at is not None and stop_at in url:
                return Page(url, status, "")
        raise AssertionError(f"too many redirects, the last one to {url}")

    def submit(self, page, stop_at=None, headers=None, **fields):
        """Sends the first form of the page with these fields filled in."""
        forms = page.forms()
        if not forms:
            raise AssertionError(f"there is no form: {page}")
        action, method, values = forms[0]
        return self.go(urllib.parse.urljoin(page.url, action), method, {**values, **fields}, headers, stop_at)

    def post(self, url, body, headers):
        """The status of the answer."""
        return self._ask(url, "POST", body, headers)[0]

    def copy(self):
        """Another browser with the same cookies."""
        copied = Browser()
        copied._cookies = dict(self._cookies)
        return copied

    def cookies(self, url):
        """The cookies that go to this address."""
        split = urllib.parse.urlsplit(url)
        return {name: value for (origin, path, name), value in self._cookies.items()
                if origin == split.netloc and (split.path or "/").startswith(path)}

    def _ask(self, url, method, body, headers):
        split = urllib.parse.urlsplit(url)
        sent = {"Accept": "text/html", **(headers or {})}
        if body is not None:
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if cookies := self.cookies(url):
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        connection = http.client.HTTPConnection(split.hostname, split.port, timeout=120)
        try:
            connection.request(method, urllib.parse.urlunsplit(("", "", split.path or "/", split.query, "")), body, sent)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            connection.close()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self._keep(split.netloc, cookie)
        return answer.status, answer.headers["Location"], text

    def _keep(self, origin, cookie):
        first, *attributes = [part.strip() for part in cookie.split(";")]
        name, _, value = first.partition("=")
        said = {key.strip().lower(): text for key, _, text in (each.partition("=") for each in attributes)}
        key = (origin, said.get("path") or "/", name)
        if not value or said.get("max-age") == "0":
            self._cookies.pop(key, None)
        else:
            self._cookies[key] = value
