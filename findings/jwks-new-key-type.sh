#!/usr/bin/env bash
# A key set (JWKS) with one key of a new type beside a usual one: five of nine libraries cannot read any of it.
#
# Software:  github.com/go-jose/go-jose/v4 v4.1.9, github.com/lestrrat-go/jwx/v3 v3.4.0 and
#            github.com/MicahParks/keyfunc/v3 v3.9.2 (Go), PyJWT 2.15.1, joserfc 1.8.0, Authlib 1.9.10, jwcrypto 1.6.1
#            with cryptography 50.0.2 (PyPI), jose 6.2.18 and node-jose 2.2.0 (npm).
# Expected:  RFC 7517, section 5: a reader should ignore keys whose `kty` it does not understand. So an issuer adds a key
#            of a new type first, and signs with it later; until then all readers find the usual key.
# Seen:      go-jose, jwx, keyfunc, Authlib and node-jose raise an error on the set, and give no key of it. PyJWT, joserfc
#            and jose leave the new key out. jwcrypto knows it.
# Matters:   the new key is one of ML-DSA (kty AKP), which issuers add against quantum computers. On the day that one is
#            published, tokens still signed with the old key are refused by such a service: all who get their access by
#            them are locked out, and the issuer changed nothing that its tokens use.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  PyJWT==2.15.1 joserfc==1.8.0 Authlib==1.9.10 jwcrypto==1.6.1 cryptography==50.0.2
npm install --silent --no-audit --no-fund --ignore-scripts jose@6.2.18 node-jose@2.2.0

# The public halves of two fresh keys, one set with both and one with the usual key alone.
cat >make.py <<'EOF'
import base64
import json

from cryptography.hazmat.primitives.asymmetric import mldsa
from jwcrypto import jwk

raw = mldsa.MLDSA44PrivateKey.generate().public_key().public_bytes_raw()
new = {"kty": "AKP", "alg": "ML-DSA-44", "kid": "next", "pub": base64.urlsafe_b64encode(raw).decode().rstrip("=")}
usual = jwk.JWK.generate(kty="EC", crv="P-256", alg="ES256", kid="now").export_public(as_dict=True)
for name, keys in (("usual", [usual]), ("both", [new, usual])):
    with open(f"{name}.json", "w") as file:
        json.dump({"keys": keys}, file)
EOF
venv/bin/python make.py

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/MicahParks/keyfunc/v3 v3.9.2
	github.com/go-jose/go-jose/v4 v4.1.9
	github.com/lestrrat-go/jwx/v3 v3.4.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/go-jose/go-jose/v4"
	"github.com/lestrrat-go/jwx/v3/jwk"
)

func main() {
	readers := []struct {
		name string
		read func([]byte) (bool, error)
	}{
		{"go-jose", func(text []byte) (bool, error) {
			var set jose.JSONWebKeySet
			err := json.Unmarshal(text, &set)
			return len(set.Key("now")) == 1, err
		}},
		{"jwx", func(text []byte) (bool, error) {
			set, err := jwk.Parse(text)
			if err != nil {
				return false, err
			}
			_, found := set.LookupKeyID("now")
			return found, nil
		}},
		{"keyfunc", func(text []byte) (bool, error) {
			set, err := keyfunc.NewJWKSetJSON(text)
			if err != nil {
				return false, err
			}
			_, err = set.Storage().KeyRead(context.Background(), "now")
			return err == nil, nil
		}},
	}
	for _, reader := range readers {
		fmt.Print(reader.name, ":")
		for _, path := range os.Args[1:] {
			text, err := os.ReadFile(path)
			if err != nil {
				panic(err)
			}
			if found, err := reader.read(text); err != nil {
				fmt.Print(" error")
			} else if found {
				fmt.Print(" found")
			} else {
				fmt.Print(" missing")
			}
		}
		fmt.Println()
	}
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >read.py <<'EOF'
import json
import sys

import joserfc.jwk
import jwcrypto.jwk
import jwt
from authlib.jose import JsonWebKey

readers = {
    "PyJWT": lambda text: [key.key_id for key in jwt.PyJWKSet.from_json(text).keys],
    "joserfc": lambda text: [key.kid for key in joserfc.jwk.KeySet.import_key_set(json.loads(text)).keys],
    "Authlib": lambda text: [key.kid for key in JsonWebKey.import_key_set(json.loads(text)).keys],
    "jwcrypto": lambda text: [key.key_id for key in jwcrypto.jwk.JWKSet.from_json(text)],
}
for name, read in readers.items():
    print(f"{name}:", end="")
    for path in sys.argv[1:]:
        with open(path) as file:
            try:
                print(" found" if "now" in read(file.read()) else " missing", end="")
            except Exception:
                print(" error", end="")
    print()
EOF

cat >read.mjs <<'EOF'
import fs from "fs";
import { createLocalJWKSet } from "jose";
import nodeJose from "node-jose";

const readers = {
  jose: (set) => createLocalJWKSet(set)({ alg: "ES256", kid: "now" }),
  "node-jose": async (set) => (await nodeJose.JWK.asKeyStore(set)).get("now"),
};
for (const [name, read] of Object.entries(readers)) {
  let line = `${name}:`;
  for (const path of process.argv.slice(2)) {
    try {
      line += (await read(JSON.parse(fs.readFileSync(path)))) ? " found" : " missing";
    } catch {
      line += " error";
    }
  }
  console.log(line);
}
EOF

seen=$(
  ./finding usual.json both.json
  venv/bin/python -W ignore read.py usual.json both.json 2>/dev/null
  node read.mjs usual.json both.json
)

echo "software: go-jose v4.1.9, jwx v3.4.0, keyfunc v3.9.2, PyJWT 2.15.1, joserfc 1.8.0, Authlib 1.9.10, jwcrypto 1.6.1,"
echo "  jose 6.2.18, node-jose 2.2.0"
echo "is the P-256 key found in a set of its own, and in one with a key of ML-DSA?"
echo "expected of each: found found"
echo "seen:"
echo "$seen"

known='go-jose: found error
jwx: found error
keyfunc: found error
PyJWT: found found
joserfc: found found
Authlib: found error
jwcrypto: found found
jose: found found
node-jose: found error'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: five of nine give no key of a set that has one of a type they do not know"
