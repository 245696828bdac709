#!/usr/bin/env bash
# Is it the same LDAP name? For seven spellings of one name each of five libraries has other answers, and none knows all.
#
# Software:  github.com/go-ldap/ldap/v3 v3.4.15 (Go, DN.Equal), @ldapjs/dn 1.1.0 and rfc2253 0.2.0 (npm), ldap3 2.9.1
#            (safe_dn) and ldaptor 21.2.0 (PyPI), beside LdapName and X500Principal of this machine's JDK.
# Expected:  RFC 4514 gives one name many spellings: attribute types in any case or as a number, hexadecimal escapes, a
#            value as #hex, parts joined by + in any order; RFC 2253, sections 4, has blanks around commas, which readers
#            are to take. RFC 4517, section 4.2.15, compares what they mean. So equals() of a library is true for all.
# Seen:      X500Principal says so. @ldapjs/dn takes CN= and cn= for two names, though it ignores the order of parts;
#            rfc2253 and ldaptor do it the other way round. ldaptor tells blanks around = apart, ldap3 keeps escapes as
#            they are and raises an error for blanks and for numbers. Of the five go-ldap alone knows #hex, and none knows
#            that 2.5.4.3 is cn. LdapName knows neither.
# Matters:   a group lists its members by such names, and each server, export and certificate spells them in its own way.
#            Who is looked up by comparing names is in the group for one tool and not for the other, and a sync removes
#            and adds the same person. A search with the base of that name asks the server, which knows.
# Date:      2026-11-30
#
# Needs: bash, Go 1.26, Java 17, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above,
# with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check ldap3==2.9.1 ldaptor==21.2.0
npm install --silent --no-audit --no-fund --ignore-scripts @ldapjs/dn@1.1.0 rfc2253@0.2.0

# Two spellings of one name each.
cat >names.txt <<'END'
cn=jane,dc=example|CN=jane,DC=example
cn=jane,dc=example|cn=jane, dc=example
cn=jane,dc=example|cn = jane,dc = example
cn=Doe\, Jane,dc=example|cn=Doe\2C Jane,dc=example
cn=jane+uid=j,dc=example|uid=j+cn=jane,dc=example
cn=jane,dc=example|2.5.4.3=jane,dc=example
cn=jane,dc=example|cn=#0C046A616E65,dc=example
END

cat >compare.py <<'END'
from ldap3.core.exceptions import LDAPInvalidDnError
from ldap3.utils.dn import safe_dn
from ldaptor.protocols.ldap.distinguishedname import DistinguishedName

libraries = {
    "ldap3": lambda a, b: safe_dn(a) == safe_dn(b),
    "ldaptor": lambda a, b: DistinguishedName(a) == DistinguishedName(b),
}
for name, equal in libraries.items():
    answers = []
    for line in open("names.txt"):
        try:
            answers.append("equal" if equal(*line.rstrip("\n").split("|")) else "other")
        except LDAPInvalidDnError:
            answers.append("error")
    print(f"{name}:", *answers)
END

cat >compare.mjs <<'END'
import { readFileSync } from "fs";
import ldapjs from "@ldapjs/dn";
import rfc2253 from "rfc2253";

const libraries = {
  "@ldapjs/dn": (a, b) => ldapjs.DN.fromString(a).equals(ldapjs.DN.fromString(b)),
  rfc2253: (a, b) => rfc2253.parse(a).match(rfc2253.parse(b)),
};
const lines = readFileSync("names.txt", "utf8").trimEnd().split("\n");
for (const [name, equal] of Object.entries(libraries)) {
  console.log(`${name}: ${lines.map((line) => (equal(...line.split("|")) ? "equal" : "other")).join(" ")}`);
}
END

cat >Compare.java <<'END'
import java.nio.file.Files;
import java.nio.file.Path;
import javax.naming.ldap.LdapName;
import javax.security.auth.x500.X500Principal;

public class Compare {
    public static void main(String[] args) throws Exception {
        var names = new StringBuilder("LdapName:");
        var principals = new StringBuilder("X500Principal:");
        for (var line : Files.readAllLines(Path.of("names.txt"))) {
            var pair = line.split("\\|");
            names.append(new LdapName(pair[0]).equals(new LdapName(pair[1])) ? " equal" : " other");
            principals.append(new X500Principal(pair[0]).equals(new X500Principal(pair[1])) ? " equal" : " other");
        }
        System.out.println(names + "\n" + principals);
    }
}
END

cat >go.mod <<'END'
module finding

go 1.26.0

require github.com/go-ldap/ldap/v3 v3.4.15
END
cat >main.go <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/go-ldap/ldap/v3"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	fmt.Print("go-ldap:")
	for lines := bufio.NewScanner(must(os.Open("names.txt"))); lines.Scan(); {
		a, b, _ := strings.Cut(lines.Text(), "|")
		if must(ldap.ParseDN(a)).Equal(must(ldap.ParseDN(b))) {
			fmt.Print(" equal")
		} else {
			fmt.Print(" other")
		}
	}
	fmt.Println()
}
END
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  venv/bin/python compare.py
  node compare.mjs
  ./finding
  java Compare.java
)

echo "software: ldap3 2.9.1, ldaptor 21.2.0, @ldapjs/dn 1.1.0, rfc2253 0.2.0, go-ldap v3.4.15,"
echo "  $(java -version 2>&1 | head -1)"
echo "names:"
sed 's/^/  /' names.txt
echo "expected of each: equal seven times"
echo "seen:"
echo "$seen"

known='ldap3: other error error other other error other
ldaptor: equal equal other equal other other other
@ldapjs/dn: other equal equal equal equal other other
rfc2253: equal equal equal equal other other other
go-ldap: equal equal equal equal equal other equal
LdapName: equal equal equal equal equal other other
X500Principal: equal equal equal equal equal equal equal'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the answers are not the known ones" >&2
  exit 1
fi
echo "unchanged: all five libraries take some spellings of a name for another name"
