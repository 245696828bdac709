#!/usr/bin/env bash
# Workload identity from a token file that ends with a newline: Google's clients disagree on what the token is.
#
# Software:  google-auth 2.63.0 (Python), google-auth-library 10.9.1 (Node), golang.org/x/oauth2 v0.38.0 (Go).
# Expected:  one credential configuration of the type external_account means the same to each of Google's clients. As
#            tokens have no white space, the newline that editors and `echo` leave at the end of a file is no part of it.
# Seen:      the client for Go sends the token without the newline. Those for Python and Node send it with the newline.
#            When the same token stands in a JSON file, which also ends with a newline, all three send it without.
# Matters:   the folder of access manifests is applied by one program and audited by another, both under one credential
#            configuration. One token file then is one token for a program in Go, and another for a script in Python.
#            What writes such files must leave the newline out (`printf %s`), or write JSON.
#
# A local HTTP server stands for Google's token service. It takes whatever it gets, and tells what that was.
# Needs: bash, Python 3.11 with venv, Node 20 with npm, Go 1.26. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check google-auth==2.63.0 requests==2.34.2
npm install --silent --no-audit --no-fund --ignore-scripts google-auth-library@10.9.1

cat >client.py <<'EOF'
from google.auth.identity_pool import Credentials
from google.auth.transport.requests import Request

Credentials.from_file("credentials.json", scopes=["scope"]).refresh(Request())
EOF

cat >client.cjs <<'EOF'
const { ExternalAccountClient } = require("google-auth-library");
ExternalAccountClient.fromJSON(require("./credentials.json")).getAccessToken();
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require golang.org/x/oauth2 v0.38.0
EOF
cat >client.go <<'EOF'
package main

import (
	"context"
	"os"

	"golang.org/x/oauth2/google"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	configuration := must(os.ReadFile("credentials.json"))
	must(must(google.CredentialsFromJSON(context.Background(), configuration, "scope")).TokenSource.Token())
}
EOF
go build -mod=mod -p 1 -o client-go . 2>build.log || { cat build.log >&2; exit 1; }

cat >compare.py <<'EOF'
"""Lets each client change the token of a file for an access token, and prints the token that the service was sent."""
import json
import subprocess
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

POOL = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/provider"
ANSWER = (
    b'{"access_token": "access", "token_type": "Bearer", "expires_in": 3600,'
    b' "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}'
)
CLIENTS = {"Python": ["venv/bin/python", "client.py"], "Node": ["node", "client.cjs"], "Go": ["./client-go"]}
sent = []


class TokenService(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sent.extend(urllib.parse.parse_qs(body)["subject_token"])
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, *_):
        pass


service = HTTPServer(("127.0.0.1", 0), TokenService)
threading.Thread(target=service.serve_forever, daemon=True).start()
json_form = {"format": {"type": "json", "subject_token_field_name": "id_token"}}
files = {
    "text": ("header.claims.signature\n", {}),
    "json": ('{"id_token": "header.claims.signature"}\n', json_form),
}
for kind, (content, form) in files.items():
    Path("token").write_text(content)
    configuration = {
        "type": "external_account",
        "audience": POOL,
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": f"http://127.0.0.1:{service.server_port}/v1/token",
        "credential_source": {"file": "token", **form},
    }
    Path("credentials.json").write_text(json.dumps(configuration))
    for client, command in CLIENTS.items():
        sent.clear()
        subprocess.run(command, check=True)
        print(f"{kind} file, {client}:", json.dumps(sent))
EOF
seen=$(venv/bin/python compare.py)

echo "software: google-auth 2.63.0, google-auth-library 10.9.1, golang.org/x/oauth2 v0.38.0"
echo 'expected of each: ["header.claims.signature"]'
echo "seen:"
echo "$seen"

known='text file, Python: ["header.claims.signature\n"]
text file, Node: ["header.claims.signature\n"]
text file, Go: ["header.claims.signature"]
json file, Python: ["header.claims.signature"]
json file, Node: ["header.claims.signature"]
json file, Go: ["header.claims.signature"]'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: what the clients send is not the known" >&2
  exit 1
fi
echo "unchanged: the clients for Python and Node send the newline as part of the token"
