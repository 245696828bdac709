#!/usr/bin/env bash
# A key of a ConfigMap that is renamed: for a moment, pods read neither the old name nor the new one.
#
# Software:  kubelet's AtomicWriter, of k8s.io/kubernetes v1.36.3. kubelet fills volumes of ConfigMaps and Secrets with it.
# Expected:  an update of such a volume is atomic: a reader sees all the old files or all the new ones. That is what the
#            name says, what the link `..data` is there for, and what holds while only contents change.
# Seen:      `..data` is replaced first. Then the link of the new key is made, then the link of the old key is removed.
#            Between the first two steps the old name leads nowhere, and the new name is not there.
# Matters:   a folder of access manifests is often such a volume. Who renames `team.yaml` to `10-team.yaml` in one
#            commit has an instant in which a reader that opens names finds no manifest of the team. A program that
#            takes that for "the team's access was removed" takes access away. Reading through `..data` is safe.
#
# The file atomic_writer.go is compiled as the module has it, alone: its package would build most of Kubernetes.
# Needs: bash, Go 1.26, Linux (inotify). Ends with 0 while the behaviour is the one above, with 1 when it changed.
set -euo pipefail

kubernetes=v1.36.3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir util
module=$(go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp "$module"/pkg/volume/util/atomic_writer{,_linux}.go util/

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	k8s.io/apimachinery v0.36.3
	k8s.io/klog/v2 v2.140.0
)
EOF

cat >main.go <<'EOF'
// Renames a key of a volume, and prints what inotify tells of names in the volume's folder, in the kernel's order.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"finding/util"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func payload(name, content string) map[string]util.FileProjection {
	return map[string]util.FileProjection{name: {Data: []byte(content), Mode: 0o644}}
}

func printEvents(watch int) {
	buffer := make([]byte, 65536)
	buffer = buffer[:must(syscall.Read(watch, buffer))]
	for len(buffer) > 0 {
		mask := binary.NativeEndian.Uint32(buffer[4:])
		end := syscall.SizeofInotifyEvent + binary.NativeEndian.Uint32(buffer[12:])
		name := string(bytes.TrimRight(buffer[syscall.SizeofInotifyEvent:end], "\x00"))
		buffer = buffer[end:]
		if strings.HasPrefix(name, "..") && name != "..data" {
			continue // Folders with a timestamp and the link that becomes `..data`.
		}
		switch {
		case mask&syscall.IN_MOVED_TO != 0:
			fmt.Println("replaced", name)
		case mask&syscall.IN_CREATE != 0:
			fmt.Println("created", name)
		case mask&syscall.IN_DELETE != 0:
			fmt.Println("deleted", name)
		}
	}
}

func main() {
	volume := os.Args[1]
	writer := must(util.NewAtomicWriter(volume, "finding"))
	must(0, writer.Write(payload("team.yaml", "kind: Binding\n"), nil))
	fmt.Println("link team.yaml ->", must(os.Readlink(filepath.Join(volume, "team.yaml"))))

	watch := must(syscall.InotifyInit())
	must(syscall.InotifyAddWatch(watch, volume, syscall.IN_CREATE|syscall.IN_DELETE|syscall.IN_MOVED_TO))
	must(0, writer.Write(payload("10-team.yaml", "kind: Binding\n"), nil))
	printEvents(watch)

	for _, entry := range must(os.ReadDir(filepath.Join(volume, "..data"))) {
		fmt.Println("in the new ..data:", entry.Name())
	}
}
EOF

go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }
mkdir volume
seen=$(./finding volume)

echo "software: AtomicWriter of k8s.io/kubernetes $kubernetes"
echo "expected: a renamed key is readable by its old name or by its new name at every moment"
echo "seen, in this order:"
printf '  %s\n' "${seen//$'\n'/$'\n  '}"

known='link team.yaml -> ..data/team.yaml
replaced ..data
created 10-team.yaml
deleted team.yaml
in the new ..data: 10-team.yaml'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the steps are not the known ones" >&2
  exit 1
fi
echo "unchanged: between 'replaced ..data' and 'created 10-team.yaml' neither name can be read"
