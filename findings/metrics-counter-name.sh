#!/usr/bin/env bash
# A counter named `denied` on a metrics page: Python's parser reads `denied_total`, a series that the page does not have.
#
# Software:  prometheus-client 0.26.0 (PyPI) and prom-client 15.1.3 (npm); beside them github.com/prometheus/common v0.74.0
#            (Go) and parse-prometheus-text-format 1.1.1 (npm).
# Expected:  a parser tells the names that stand on the page, as Prometheus stores them. What is parsed and exposed again
#            has the same names. In the text format a counter may have any name.
# Seen:      Python's parser adds _total to each sample of a counter without it, as OpenMetrics names counters, and the
#            page it makes of that has the new name only. Go's parser and the one of npm tell the name that stands there.
#            prom-client names the counter anew once its registry is set to OpenMetrics: one counter, two series.
# Matters:   the alert on denied changes of access asks for `denied`. A check in Python, that each metric of an alert is on
#            the page, fails for it and passes for `denied_total`, which never fires. A sidecar in Python that hands pages
#            on renames the series in silence. Names that end with _total are the same everywhere.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check prometheus-client==0.26.0
npm install --silent --no-audit --no-fund --ignore-scripts prom-client@15.1.3 parse-prometheus-text-format@1.1.1

cat >expose.cjs <<'EOF'
const { Counter, Registry } = require("prom-client");

const registry = new Registry();
registry.setContentType(Registry[`${process.argv[2]}_CONTENT_TYPE`]);
new Counter({ name: "denied", help: "Denied changes.", registers: [registry] }).inc();
registry.metrics().then((page) => process.stdout.write(page));
EOF
node expose.cjs PROMETHEUS >page
node expose.cjs OPENMETRICS >page-openmetrics

cat >names.py <<'EOF'
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families


class Page:
    def collect(self):
        with open("page") as file:
            yield from text_string_to_metric_families(file.read())


print("read by Python:", *(sample.name for family in Page().collect() for sample in family.samples))
registry = CollectorRegistry()
registry.register(Page())
print("exposed again by Python:", generate_latest(registry).decode().splitlines()[-1])
EOF

cat >names.cjs <<'EOF'
const { readFileSync } = require("fs");
const parse = require("parse-prometheus-text-format");

console.log("read by Node:", ...parse(readFileSync("page", "utf8")).map((family) => family.name));
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require github.com/prometheus/common v0.74.0
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"os"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	decoder := expfmt.SampleDecoder{
		Dec:  expfmt.NewDecoder(must(os.Open("page")), expfmt.NewFormat(expfmt.TypeTextPlain)),
		Opts: &expfmt.DecodeOptions{},
	}
	var samples model.Vector
	must(0, decoder.Decode(&samples))
	fmt.Print("read by Go:")
	for _, sample := range samples {
		fmt.Print(" ", sample.Metric[model.MetricNameLabel])
	}
	fmt.Println()
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

seen=$(
  echo "on the page: $(grep -v '^#' page)"
  echo "on the OpenMetrics page: $(grep -v '^#' page-openmetrics)"
  ./finding
  node names.cjs
  venv/bin/python names.py
)

echo "software: prometheus-client 0.26.0, prom-client 15.1.3, prometheus/common v0.74.0,"
echo "  parse-prometheus-text-format 1.1.1"
echo "expected: the name is denied everywhere"
echo "seen:"
echo "$seen"

known='on the page: denied 1
on the OpenMetrics page: denied_total 1
read by Go: denied
read by Node: denied
read by Python: denied_total
exposed again by Python: denied_total 1.0'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the names are not the known ones" >&2
  exit 1
fi
echo "unchanged: Python's parser renames a counter, and prom-client does it for OpenMetrics"
