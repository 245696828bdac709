{{- /* The resources are the files of deploy/kubernetes, which the chart holds unchanged in base/: here values of the chart are put
into them, as an overlay would. */}}
{{- define "bindery.resource" }}
{{- $labels := dict "app.kubernetes.io/name" "bindery" "app.kubernetes.io/managed-by" .root.Release.Service }}
{{- $_ := set .resource.metadata "labels" (merge (.resource.metadata.labels | default dict) $labels) }}
---
{{ toYaml .resource }}
{{- end }}

{{- $values := .Values }}
{{- $files := .Files }}
{{- $name := dict "app.kubernetes.io/name" "bindery" }}

{{- $account := $files.Get "base/serviceaccount.yaml" | fromYaml }}
{{- with $values.serviceAccount.annotations }}
{{- $_ := set $account.metadata "annotations" . }}
{{- end }}
{{- template "bindery.resource" dict "root" $ "resource" $account }}

{{- $volume := $files.Get "base/volume.yaml" | fromYaml }}
{{- $_ := set $volume.spec.resources.requests "storage" $values.persistence.size }}
{{- with $values.persistence.storageClass }}
{{- $_ := set $volume.spec "storageClassName" . }}
{{- end }}
{{- template "bindery.resource" dict "root" $ "resource" $volume }}
{{- template "bindery.resource" dict "root" $ "resource" ($files.Get "base/service.yaml" | fromYaml) }}
{{- if $values.networkPolicy.enabled }}
{{- template "bindery.resource" dict "root" $ "resource" ($files.Get "base/networkpolicy.yaml" | fromYaml) }}
{{- end }}
{{- if $values.monitoring.enabled }}
{{- template "bindery.resource" dict "root" $ "resource" ($files.Get "base/servicemonitor.yaml" | fromYaml) }}
{{- template "bindery.resource" dict "root" $ "resource" ($files.Get "base/prometheusrule.yaml" | fromYaml) }}
{{- end }}

{{- $standard := ternary "base/git-sync.bindery.yaml" "base/bindery.yaml" $values.gitSync.enabled }}
{{- $config := dict "bindery.yaml" ($values.config | default ($files.Get $standard)) }}
{{- $_ := set $config "embedded-cloud.yaml" ($files.Get "base/embedded-cloud.yaml") }}
{{- $map := dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" (dict "name" "bindery-config") "data" $config }}
{{- template "bindery.resource" dict "root" $ "resource" $map }}
{{- $own := and (not $values.gitSync.enabled) (not $values.manifests.configMap) }}
{{- if $own }}
{{- $map := dict "apiVersion" "v1" "kind" "ConfigMap" "metadata" (dict "name" "bindery-manifests") "data" $values.manifests.files }}
{{- template "bindery.resource" dict "root" $ "resource" $map }}
{{- end }}

{{- $deployment := $files.Get "base/deployment.yaml" | fromYaml }}
{{- $_ := set $deployment.spec.selector "matchLabels" $name }}
{{- $_ := set $deployment.spec.template.metadata "labels" $name }}
{{- $pod := $deployment.spec.template.spec }}
{{- $container := first $pod.containers }}
{{- $version := printf ":%s" ($values.image.tag | default $.Chart.AppVersion) }}
{{- if $values.image.digest }}
{{- $version = printf "@%s" $values.image.digest }}
{{- end }}
{{- $_ := set $container "image" (print $values.image.repository $version) }}
{{- $_ := set $container "imagePullPolicy" $values.image.pullPolicy }}
{{- $_ := set $container "resources" $values.resources }}
{{- $volumes := list }}
{{- range $pod.volumes }}
{{- if eq .name "manifests" }}
{{- if not $values.gitSync.enabled }}
{{- $source := dict "name" ($values.manifests.configMap | default "bindery-manifests") }}
{{- $volumes = append $volumes (dict "name" "manifests" "configMap" $source) }}
{{- else }}
{{- $volumes = append $volumes . }}
{{- end }}
{{- else }}
{{- $volumes = append $volumes . }}
{{- end }}
{{- end }}
{{- $mounts := $container.volumeMounts }}
{{- range $number, $secret := $values.secrets }}
{{- $volume := printf "secret-%d" $number }}
{{- $mounts = append $mounts (dict "name" $volume "mountPath" $secret.path "readOnly" true) }}
{{- $volumes = append $volumes (dict "name" $volume "secret" (dict "secretName" $secret.name "defaultMode" 288)) }}
{{- end }}
{{- $_ := set $container "volumeMounts" $mounts }}
{{- if $values.gitSync.enabled }}
{{- $beside := ($files.Get "base/git-sync.deployment.yaml" | fromYaml).spec.template.spec }}
{{- $fetcher := first $beside.containers }}
{{- $_ := set $fetcher "image" $values.gitSync.image }}
{{- $_ := unset $fetcher "envFrom" }}
{{- $repository := dict "name" "GITSYNC_REPO" "value" $values.gitSync.repository }}
{{- $reference := dict "name" "GITSYNC_REF" "value" $values.gitSync.ref }}
{{- $period := dict "name" "GITSYNC_PERIOD" "value" $values.gitSync.period }}
{{- $_ := set $fetcher "env" (list $repository $reference $period) }}
{{- $_ := set $pod "containers" (append $pod.containers $fetcher) }}
{{- $volumes = concat $volumes $beside.volumes }}
{{- end }}
{{- $_ := set $pod "volumes" $volumes }}
{{- with $values.nodeSelector }}
{{- $_ := set $pod "nodeSelector" . }}
{{- end }}
{{- with $values.tolerations }}
{{- $_ := set $pod "tolerations" . }}
{{- end }}
{{- $secrets := list }}
{{- range $values.imagePullSecrets }}
{{- $secrets = append $secrets (dict "name" .) }}
{{- end }}
{{- with $secrets }}
{{- $_ := set $pod "imagePullSecrets" . }}
{{- end }}
{{- template "bindery.resource" dict "root" $ "resource" $deployment }}
