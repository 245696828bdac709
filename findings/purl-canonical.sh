#!/usr/bin/env bash
# One package URL read and written again: five libraries write four texts for a file, and three for an image.
#
# Software:  packageurl-python 0.17.6 (PyPI), packageurl-js 2.0.1 and purl 2.1.0 (npm),
#            github.com/package-url/packageurl-go v0.1.7 (Go), com.github.package-url:packageurl-java 1.5.0 (Maven).
# Expected:  a package URL (ECMA-427) names a package in SBOMs, VEX statements and advisories. It has one canonical form, so
#            that equal packages have equal texts: letters, digits, `.`, `-`, `_`, `~` and colons stand as they are, what
#            else is no separator is percent-encoded. So what is canonical stays as it is when it is read and written.
# Seen:      packageurl-go alone leaves the four first as they are. packageurl-js and purl write the + of a Debian
#            version, such as +deb12u2, as it is; packageurl-python and purl the slashes of a registry. packageurl-java
#            encodes colons, as an epoch or a digest has, and packageurl-js does so in qualifiers. A + that stands in a
#            qualifier is read as a blank by packageurl-js, so the file to fetch is another. A module of Go keeps its
#            capital letter in three of the five.
# Matters:   a finding is matched with an SBOM, and a VEX statement with a finding, by this text. Where one tool wrote the
#            SBOM and another the statement, nothing matches, and a package with an epoch or an update looks unaffected,
#            or stays on the list. Comparing the parts, after reading both with one library, is safe for all but the last
#            two.
# Date:      2026-11-30
# Source:    ECMA-427, section on character encoding
#
# Needs: bash, Go 1.26, Java 17 with Maven, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the
# one above, with 1 when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check packageurl-python==0.17.6
npm install --silent --no-audit --no-fund --ignore-scripts packageurl-js@2.0.1 purl@2.1.0
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
  -Dartifact=com.github.package-url:packageurl-java:1.5.0 -DoutputDirectory=jars >build.log 2>&1 ||
  { cat build.log >&2; exit 1; }

# The first four are canonical.
cat >packages.txt <<'END'
pkg:deb/debian/notes@0.1.0-1%2Bdeb12u2?arch=amd64
pkg:deb/debian/notes@1:0.1.0~rc1-1?arch=amd64
pkg:oci/notes@sha256:244fd47e07d1?repository_url=ghcr.io%2Fexample%2Fnotes
pkg:generic/notes@0.1.0?download_url=https:%2F%2Fexample.com%2Fa%2Bb.tar.gz
pkg:generic/notes@0.1.0?download_url=https://example.com/a+b.tar.gz
pkg:golang/github.com/Example/notes@v0.1.0
END

cat >write.py <<'END'
from packageurl import PackageURL

for line in open("packages.txt"):
    print("packageurl-python:", PackageURL.from_string(line.strip()))
END

cat >write.mjs <<'END'
import { readFileSync } from "fs";
import { PackageURL } from "packageurl-js";
import * as purl from "purl";

const lines = readFileSync("packages.txt", "utf8").trimEnd().split("\n");
for (const line of lines) console.log(`packageurl-js: ${PackageURL.fromString(line)}`);
for (const line of lines) console.log(`purl: ${purl.stringify(purl.parse(line))}`);
END

cat >Write.java <<'END'
import com.github.packageurl.PackageURL;
import java.nio.file.Files;
import java.nio.file.Path;

public class Write {
    public static void main(String[] args) throws Exception {
        for (var line : Files.readAllLines(Path.of("packages.txt"))) {
            System.out.println("packageurl-java: " + new PackageURL(line).canonicalize());
        }
    }
}
END

cat >go.mod <<'END'
module finding

go 1.26.0

require github.com/package-url/packageurl-go v0.1.7
END
cat >main.go <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/package-url/packageurl-go"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	for lines := bufio.NewScanner(must(os.Open("packages.txt"))); lines.Scan(); {
		fmt.Println("packageurl-go:", must(packageurl.FromString(lines.Text())).String())
	}
}
END
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  ./finding
  venv/bin/python write.py
  node write.mjs
  java -cp jars/packageurl-java-1.5.0.jar Write.java
)

echo "software: packageurl-go v0.1.7, packageurl-python 0.17.6, packageurl-js 2.0.1, purl 2.1.0, packageurl-java 1.5.0"
echo "expected of each: the same six texts, of which the first four are"
head -4 packages.txt | sed 's/^/  /'
echo "seen:"
echo "$seen"

known='packageurl-go: pkg:deb/debian/notes@0.1.0-1%2Bdeb12u2?arch=amd64
packageurl-go: pkg:deb/debian/notes@1:0.1.0~rc1-1?arch=amd64
packageurl-go: pkg:oci/notes@sha256:244fd47e07d1?repository_url=ghcr.io%2Fexample%2Fnotes
packageurl-go: pkg:generic/notes@0.1.0?download_url=https:%2F%2Fexample.com%2Fa%2Bb.tar.gz
packageurl-go: pkg:generic/notes@0.1.0?download_url=https:%2F%2Fexample.com%2Fa%2Bb.tar.gz
packageurl-go: pkg:golang/github.com/example/notes@v0.1.0
packageurl-python: pkg:deb/debian/notes@0.1.0-1%2Bdeb12u2?arch=amd64
packageurl-python: pkg:deb/debian/notes@1:0.1.0~rc1-1?arch=amd64
packageurl-python: pkg:oci/notes@sha256:244fd47e07d1?repository_url=ghcr.io/example/notes
packageurl-python: pkg:generic/notes@0.1.0?download_url=https://example.com/a%2Bb.tar.gz
packageurl-python: pkg:generic/notes@0.1.0?download_url=https://example.com/a%2Bb.tar.gz
packageurl-python: pkg:golang/github.com/Example/notes@v0.1.0
packageurl-js: pkg:deb/debian/notes@0.1.0-1+deb12u2?arch=amd64
packageurl-js: pkg:deb/debian/notes@1:0.1.0~rc1-1?arch=amd64
packageurl-js: pkg:oci/notes@sha256:244fd47e07d1?repository_url=ghcr.io%2Fexample%2Fnotes
packageurl-js: pkg:generic/notes@0.1.0?download_url=https%3A%2F%2Fexample.com%2Fa%2Bb.tar.gz
packageurl-js: pkg:generic/notes@0.1.0?download_url=https%3A%2F%2Fexample.com%2Fa%20b.tar.gz
packageurl-js: pkg:golang/github.com/Example/notes@v0.1.0
purl: pkg:deb/debian/notes@0.1.0-1+deb12u2?arch=amd64
purl: pkg:deb/debian/notes@1:0.1.0~rc1-1?arch=amd64
purl: pkg:oci/notes@sha256:244fd47e07d1?repository_url=ghcr.io/example/notes
purl: pkg:generic/notes@0.1.0?download_url=https://example.com/a+b.tar.gz
purl: pkg:generic/notes@0.1.0?download_url=https://example.com/a+b.tar.gz
purl: pkg:golang/github.com/Example/notes@v0.1.0
packageurl-java: pkg:deb/debian/notes@0.1.0-1%2Bdeb12u2?arch=amd64
packageurl-java: pkg:deb/debian/notes@1%3A0.1.0~rc1-1?arch=amd64
packageurl-java: pkg:oci/notes@sha256%3A244fd47e07d1?repository_url=ghcr.io%2Fexample%2Fnotes
packageurl-java: pkg:generic/notes@0.1.0?download_url=https%3A%2F%2Fexample.com%2Fa%2Bb.tar.gz
packageurl-java: pkg:generic/notes@0.1.0?download_url=https%3A%2F%2Fexample.com%2Fa%2Bb.tar.gz
packageurl-java: pkg:golang/github.com/example/notes@v0.1.0'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the texts are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of five libraries write another text than the one they read"
