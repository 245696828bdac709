#!/usr/bin/env bash
# A counter of OpenTelemetry with the attributes team.name and team_name: in Node, no parser of Prometheus reads the page.
#
# Software:  @opentelemetry/exporter-prometheus 0.223.0 (npm, the form for Node 20), opentelemetry-exporter-prometheus
#            0.66b2 (PyPI), go.opentelemetry.io/otel/exporters/prometheus v0.69.0 (Go). The pages are read with
#            github.com/prometheus/common v0.74.0 (Go) and prometheus-client 0.26.0 (PyPI).
# Expected:  Prometheus gets both attributes as the label team_name, with both values. OpenTelemetry says how: joined by a
#            semicolon, as they are one name there. At worst one attribute is lost, the same in each language.
# Seen:      Go joins the values. Python keeps the last one, so that two series that differ in team.name are on the page
#            twice under one name. Node writes the label twice in one line, and both parsers refuse the whole page for it:
#            the metrics that stand below are lost too.
# Matters:   team.name comes from a convention, team_name from the code of somebody else. From the first request that has
#            both, Prometheus has no metric at all of the service, and the alert on denied changes of access has nothing
#            to fire on. Only an alert on `up` tells.
#
# Needs: bash, Go 1.26, Python 3.11 with venv, Node 20 with npm. Ends with 0 while the behaviour is the one above, with 1
# when it changed.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check \
  opentelemetry-exporter-prometheus==0.66b2 opentelemetry-sdk==1.45.2 prometheus-client==0.26.0
npm install --silent --no-audit --no-fund --ignore-scripts \
  @opentelemetry/exporter-prometheus@0.223.0 @opentelemetry/sdk-metrics@2.12.0

cat >expose.py <<'EOF'
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from prometheus_client import generate_latest

meter = MeterProvider(metric_readers=[PrometheusMetricReader()]).get_meter("finding")
denied = meter.create_counter("denied")
denied.add(1, {"team.name": "ops", "team_name": "all"})
denied.add(2, {"team.name": "web", "team_name": "all"})
meter.create_counter("last").add(1)
print(generate_latest().decode(), end="")
EOF

cat >expose.cjs <<'EOF'
const { PrometheusExporter, PrometheusSerializer } = require("@opentelemetry/exporter-prometheus");
const { MeterProvider } = require("@opentelemetry/sdk-metrics");

const exporter = new PrometheusExporter({ preventServerStart: true });
const meter = new MeterProvider({ readers: [exporter] }).getMeter("finding");
const denied = meter.createCounter("denied");
denied.add(1, { "team.name": "ops", team_name: "all" });
denied.add(2, { "team.name": "web", team_name: "all" });
meter.createCounter("last").add(1);
exporter.collect().then(({ resourceMetrics }) => {
  process.stdout.write(new PrometheusSerializer().serialize(resourceMetrics));
});
EOF

cat >go.mod <<'EOF'
module finding

go 1.26.0

require (
	github.com/prometheus/client_golang v1.25.0
	github.com/prometheus/common v0.74.0
	go.opentelemetry.io/otel v1.47.0
	go.opentelemetry.io/otel/exporters/prometheus v0.69.0
	go.opentelemetry.io/otel/metric v1.47.0
	go.opentelemetry.io/otel/sdk/metric v1.47.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"
	"os"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/prometheus"
	api "go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/metric"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func expose() {
	registry := client.NewRegistry()
	reader := must(prometheus.New(prometheus.WithRegisterer(registry)))
	meter := metric.NewMeterProvider(metric.WithReader(reader)).Meter("finding")
	ctx := context.Background()
	denied := must(meter.Int64Counter("denied"))
	for i, team := range []string{"ops", "web"} {
		attributes := api.WithAttributes(attribute.String("team.name", team), attribute.String("team_name", "all"))
		denied.Add(ctx, int64(i+1), attributes)
	}
	must(meter.Int64Counter("last")).Add(ctx, 1)
	encoder := expfmt.NewEncoder(os.Stdout, expfmt.NewFormat(expfmt.TypeTextPlain))
	for _, family := range must(registry.Gather()) {
		must(0, encoder.Encode(family))
	}
}

func main() {
	if len(os.Args) == 1 {
		expose()
		return
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(must(os.Open(os.Args[1])))
	if err != nil {
		fmt.Println("  read by Go: error")
		return
	}
	fmt.Println("  read by Go:", len(families["denied_total"].Metric)+len(families["last_total"].Metric))
}
EOF
go build -mod=mod -p 1 -o finding . 2>build.log || { cat build.log >&2; exit 1; }

cat >read.py <<'EOF'
import sys

from prometheus_client.parser import text_string_to_metric_families

with open(sys.argv[1]) as file:
    try:
        samples = [sample for family in text_string_to_metric_families(file.read()) for sample in family.samples]
        print("  read by Python:", sum(sample.name in ("denied_total", "last_total") for sample in samples))
    except ValueError:
        print("  read by Python: error")
EOF

./finding >go.page
venv/bin/python expose.py >python.page
node expose.cjs >node.page
seen=$(
  for name in go python node; do
    echo "$name:"
    sed -n '/^denied_total/{s/otel_scope_[a-z_]*="[^"]*",\{0,1\}//g; s/,}/}/; s/^/  /; p}' "$name.page"
    ./finding "$name.page"
    venv/bin/python read.py "$name.page"
  done
)

echo "software: exporters for Prometheus of OpenTelemetry: Node 0.223.0, Python 0.66b2, Go v0.69.0; parsers:"
echo "  prometheus/common v0.74.0, prometheus-client 0.26.0"
echo "expected of each: one line for ops and one for web, and three samples read"
echo "seen:"
echo "$seen"

known='go:
  denied_total{team_name="all;ops"} 1
  denied_total{team_name="all;web"} 2
  read by Go: 3
  read by Python: 3
python:
  denied_total{team_name="all"} 1.0
  denied_total{team_name="all"} 2.0
  read by Go: 3
  read by Python: 3
node:
  denied_total{team_name="ops",team_name="all"} 1
  denied_total{team_name="web",team_name="all"} 2
  read by Go: error
  read by Python: error'
if [[ $seen != "$known" ]]; then
  echo "CHANGED: the pages are not the known ones" >&2
  exit 1
fi
echo "unchanged: Node writes a label twice, and Python loses one of two values"
