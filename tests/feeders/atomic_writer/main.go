// Writes the files of a folder into a volume, as kubelet writes a ConfigMap: atomic_writer SOURCE VOLUME
package main

import (
	"os"
	"path/filepath"

	"feeder/util"
)

func main() {
	source, volume := os.Args[1], os.Args[2]
	payload := map[string]util.FileProjection{}
	err := filepath.WalkDir(source, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		payload[name] = util.FileProjection{Data: data, Mode: 0o644}
		return err
	})
	if err == nil {
		var writer *util.AtomicWriter
		writer, err = util.NewAtomicWriter(volume, "feeder")
		if err == nil {
			err = writer.Write(payload, nil)
		}
	}
	if err != nil {
		panic(err)
	}
}
