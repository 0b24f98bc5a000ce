{{/* Names are of the release; docs/cluster.md counts on them. */}}
{{- define "control-plane.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Of (dict "root" $ "part" "api"). */}}
{{- define "control-plane.selector" -}}
app.kubernetes.io/name: control-plane
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "control-plane.labels" -}}
{{ include "control-plane.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "control-plane.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "control-plane.secretName" -}}
{{ required "Set secretName to a Secret with DATABASE_URL, AUTH_SECRET and SECRETS_KEY." .Values.secretName }}
{{- end -}}

{{/* Every variable that all parts have. */}}
{{- define "control-plane.env" -}}
- { name: HOST, value: 0.0.0.0 }
- { name: DATA_DIR, value: /data }
- { name: LOG_FORMAT, value: json }
- { name: PUBLIC_URL, value: {{ required "Set publicUrl to the address that people and apps use." .Values.publicUrl | quote }} }
- { name: TRUST_PROXY, value: {{ .Values.trustProxy | quote }} }
- { name: TEMPORAL_ADDRESS, value: {{ required "Set temporal.address to host:port of Temporal." .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{- if .Values.temporal.tlsSecretName }}
- { name: TEMPORAL_TLS_CERT, value: /temporal-tls/tls.crt }
- { name: TEMPORAL_TLS_KEY, value: /temporal-tls/tls.key }
{{- if .Values.temporal.tlsHasCa }}
- { name: TEMPORAL_TLS_CA, value: /temporal-tls/ca.crt }
{{- end }}
{{- end }}
{{- with .Values.temporal.uiUrl }}
- { name: TEMPORAL_UI_URL, value: {{ . | quote }} }
{{- end }}
- { name: EVENTS_URL, value: {{ required "Set events.url to s3://bucket/prefix." .Values.events.url | quote }} }
- { name: EVENTS_ACK, value: {{ .Values.events.ack | quote }} }
{{- with .Values.s3.endpoint }}
- { name: S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- with .Values.s3.region }}
- { name: S3_REGION, value: {{ . | quote }} }
{{- end }}
{{- with .Values.s3.credentials }}
- { name: S3_CREDENTIALS, value: {{ . | quote }} }
{{- end }}
{{- with .Values.backup.to }}
- { name: BACKUP_TO, value: {{ . | quote }} }
- { name: BACKUP_EVERY_HOURS, value: {{ $.Values.backup.everyHours | quote }} }
- { name: BACKUP_KEEP, value: {{ $.Values.backup.keep | quote }} }
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end -}}

{{/* As the image: an ordinary account, nothing to write to but /data and /tmp. */}}
{{- define "control-plane.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* Of (dict "root" $ "values" .Values.api): a changed Secret rolls the pods at the next upgrade. */}}
{{- define "control-plane.annotations" -}}
{{- $secret := lookup "v1" "Secret" .root.Release.Namespace .root.Values.secretName -}}
checksum/secret: {{ dig "data" dict ($secret | default dict) | toJson | sha256sum }}
{{- with .values.annotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Files of Temporal's certificates, and those of the operator. */}}
{{- define "control-plane.mounts" -}}
{{- if .Values.temporal.tlsSecretName }}
- { name: temporal-tls, mountPath: /temporal-tls, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "control-plane.volumes" -}}
{{- with .Values.temporal.tlsSecretName }}
- name: temporal-tls
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "control-plane.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Of (dict "root" $ "part" "api" "values" .Values.api). */}}
{{- define "control-plane.placement" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "control-plane.selector" . | nindent 8 }}
{{- end -}}

{{/* Of the supervisor, which replaces a process that hangs: a minute without an answer. */}}
{{- define "control-plane.liveness" -}}
livenessProbe:
  httpGet: { path: /livez, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 5
{{- end -}}
