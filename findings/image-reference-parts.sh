#!/usr/bin/env bash
# Names of images taken apart: four of five libraries make another registry, path or tag of one than Docker's own parser.
#
# Software:  github.com/google/go-containerregistry v0.22.1 (Go, pkg/name), oras 0.2.43 and docker-image-py 0.2.0 (PyPI),
#            docker-parse-image 3.0.1 and parse-docker-image-name 3.0.0 (npm), beside github.com/distribution/reference
#            v0.6.0, the parser of Docker.
# Expected:  the first part is a registry if it has a dot, a colon or is localhost, and else part of a path at docker.io,
#            where a path of one part is below library/. A tag and a digest may both be there. The package reference says
#            so with a grammar, and libraries that take such names apart follow it.
# Seen:      docker-image-py does so. For docker-parse-image the tag has the digest in it, localhost is a path, and a path
#            of one part gets library/ at each registry. oras asks docker.io for what is at localhost, and for notes
#            without library/. parse-docker-image-name finds no part of a name with an IPv6 registry, and raises no error.
#            go-containerregistry and oras write a name with tag and digest without the tag.
# Matters:   tools that list, mirror, allow or update images split their names so. A development registry is taken for
#            Docker Hub, and an image pinned by tag and digest loses the tag that people read, or has one that no registry
#            knows. Names with a port, as localhost:5000/team/notes, mean the same to all.
# Date:      2026-11-30
# Source:    the grammar in the documentation of github.com/distribution/reference
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check oras==0.2.43 docker-image-py==0.2.0
npm install --silent --no-audit --no-fund --ignore-scripts docker-parse-image@3.0.1 parse-docker-image-name@3.0.0

digest=sha256:244fd47e07d1004f0aed9c156aa09083c82bf8944eceb67c946ff7430510a77b
names=(
  localhost:5000/team/notes:v1
  "ghcr.io/example/notes:v1@$digest"
  localhost/notes:v1
  registry.example.com/notes:v1
  '[::1]:5000/notes:v1'
  notes:v1
)

cat >parts.py <<'END'
import sys

from docker_image.reference import Reference
from oras.container import Container

for name in sys.argv[1:]:
    print("docker-image-py:", Reference.parse_normalized_named(name).string())
for name in sys.argv[1:]:
    print("oras:", Container(name).uri)
END

cat >parts.mjs <<'END'
import dockerParseImage from "docker-parse-image";
import parseDockerImageName from "parse-docker-image-name";

const names = process.argv.slice(2);
const tell = (parts) => Object.entries(parts).filter(([, value]) => value).map((part) => part.join(" ")).join(", ");
for (const image of names) {
  const { name, ...parts } = dockerParseImage(image);
  console.log(`docker-parse-image: ${tell(parts)}`);
}
for (const image of names) console.log(`parse-docker-image-name: ${tell(parseDockerImageName(image)) || "nothing"}`);
END

cat >go.mod <<'END'
module finding

go 1.26.0

require (
	github.com/distribution/reference v0.6.0
	github.com/google/go-containerregistry v0.22.1
)
END
cat >main.go <<'END'
package main

import (
	"fmt"
	"os"

	"github.com/distribution/reference"
	"github.com/google/go-containerregistry/pkg/name"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	for _, image := range os.Args[1:] {
		fmt.Println("reference:", must(reference.ParseNormalizedNamed(image)))
	}
	for _, image := range os.Args[1:] {
		fmt.Println("go-containerregistry:", must(name.ParseReference(image)).Name())
	}
}
END
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  {
    ./finding "${names[@]}"
    venv/bin/python parts.py "${names[@]}"
    node parts.mjs "${names[@]}"
  } | sed "s/$digest/DIGEST/g"
)

echo "software: reference v0.6.0, go-containerregistry v0.22.1, docker-image-py 0.2.0, oras 0.2.43,"
echo "  docker-parse-image 3.0.1, parse-docker-image-name 3.0.0"
echo "names, with the digest left out:"
printf '  %s\n' "${names[@]/$digest/DIGEST}"
echo "expected of each: what reference tells"
echo "seen:"
echo "$seen"

known='reference: localhost:5000/team/notes:v1
reference: ghcr.io/example/notes:v1@DIGEST
reference: localhost/notes:v1
reference: registry.example.com/notes:v1
reference: [::1]:5000/notes:v1
reference: docker.io/library/notes:v1
go-containerregistry: localhost:5000/team/notes:v1
go-containerregistry: ghcr.io/example/notes@DIGEST
go-containerregistry: localhost/notes:v1
go-containerregistry: registry.example.com/notes:v1
go-containerregistry: [::1]:5000/notes:v1
go-containerregistry: index.docker.io/library/notes:v1
docker-image-py: localhost:5000/team/notes:v1
docker-image-py: ghcr.io/example/notes:v1@DIGEST
docker-image-py: localhost/notes:v1
docker-image-py: registry.example.com/notes:v1
docker-image-py: [::1]:5000/notes:v1
docker-image-py: docker.io/library/notes:v1
oras: localhost:5000/team/notes:v1
oras: ghcr.io/example/notes@DIGEST
oras: docker.io/localhost/notes:v1
oras: registry.example.com/notes:v1
oras: [::1]:5000/notes:v1
oras: docker.io/notes:v1
docker-parse-image: registry localhost:5000, namespace team, repository notes, tag v1, fullname localhost:5000/team/notes:v1
docker-parse-image: registry ghcr.io, namespace example, repository notes, tag v1@DIGEST, fullname ghcr.io/example/notes:v1@DIGEST
docker-parse-image: namespace localhost, repository notes, tag v1, fullname localhost/notes:v1
docker-parse-image: registry registry.example.com, repository notes, tag v1, fullname registry.example.com/library/notes:v1
docker-parse-image: registry [::1]:5000, repository notes, tag v1, fullname [::1]:5000/library/notes:v1
docker-parse-image: repository notes, tag v1, fullname library/notes:v1
parse-docker-image-name: domain localhost:5000, path team/notes, tag v1
parse-docker-image-name: domain ghcr.io, path example/notes, tag v1, digest DIGEST
parse-docker-image-name: domain localhost, path notes, tag v1
parse-docker-image-name: domain registry.example.com, path notes, tag v1
parse-docker-image-name: nothing
parse-docker-image-name: path notes, tag v1'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the parts are not the known ones" >&2
  exit 1
fi
echo "unchanged: four of five libraries take names of images apart in another way"
