#!/usr/bin/env bash
# What an installation must hold, in a folder that is its root. Internal to install.sh and package.sh:
# installed_files.sh ROOT
set -euo pipefail
root=$1
share=$root/usr/share
missing=0

files=(
  "$root/usr/bin/bindery"
  "$root/lib/systemd/system/bindery.service"
  "$root/etc/bindery/bindery.yaml"
  "$root/etc/bindery/embedded-cloud.yaml"
  "$share/man/man1/bindery.1.gz"
  "$share/man/man1/bindery-plan.1.gz"
  "$share/man/man5/bindery.yaml.5.gz"
  "$share/bash-completion/completions/bindery"
  "$share/zsh/vendor-completions/_bindery"
  "$share/fish/vendor_completions.d/bindery.fish"
  "$share/bindery/schema/bindery.schema.json"
  "$share/bindery/schema/manifest.schema.json"
  "$share/bindery/schema/openapi.yaml"
  "$share/bindery/example/embedded-cloud.yaml"
  "$share/bindery/example/manifests/payments.yaml"
  "$share/bindery/example/demo/bindery.yaml"
  "$share/bindery/example/demo/change.json"
  "$share/bindery/monitoring/prometheus.yaml"
  "$share/bindery/monitoring/rules/alerts.yaml"
  "$share/bindery/monitoring/rules/recording.yaml"
  "$share/bindery/monitoring/dashboards/bindery.json"
  "$share/doc/bindery/copyright"
  "$share/doc/bindery/changelog.gz"
  "$share/doc/bindery/install.md"
  "$share/doc/bindery/runbooks/BinderyDown.md"
)
for file in "${files[@]}"; do
  [[ -s $file ]] && continue
  echo "not installed, or empty: ${file#"$root"}"
  missing=1
done
[[ -d $root/etc/bindery/manifests ]] || { echo "not installed: /etc/bindery/manifests" && missing=1; }

# A page names pages beside it, and below it; what is of the source begins with ../ or decisions/. Examples name others.
cd "$share/doc/bindery"
while IFS=: read -r page link; do
  target=$(dirname "$page")/${link%%#*}
  [[ -e $target ]] && continue
  echo "/usr/share/doc/bindery/$page names $link, which is not installed"
  missing=1
done < <(awk 'FNR == 1 { code = 0 } /^```/ { code = !code } code { next } {
    for (; match($0, /\]\([^)#: ]+\.(md|png)[^): ]*\)/); $0 = substr($0, RSTART + RLENGTH))
      print FILENAME ":" substr($0, RSTART + 2, RLENGTH - 3)
  }' ./*.md runbooks/*.md |
  grep -vE ':((\.\./)+(config|src|tests|SECURITY|README|CONTRIBUTING|CHANGELOG)|(\.\./)?decisions/)')
exit "$missing"
