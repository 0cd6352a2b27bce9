{{- define "terse.name" -}}
{{- if contains "terse" .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-terse" (.Release.Name | trunc 39 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "terse.selector" -}}
app.kubernetes.io/name: terse
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "terse.labels" -}}
{{ include "terse.selector" . }}
app.kubernetes.io/part-of: terse
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- end -}}

{{/* The Secret with settings, empty if there is none. */}}
{{- define "terse.secret" -}}
{{- if .Values.existingSecret.name -}}
{{- .Values.existingSecret.name -}}
{{- else if .Values.secretSettings -}}
{{- include "terse.name" . -}}
{{- end -}}
{{- end -}}

{{/* The settings in it, as JSON. */}}
{{- define "terse.secretSettings" -}}
{{- if .Values.existingSecret.name -}}
{{- .Values.existingSecret.settings | sortAlpha | toJson -}}
{{- else -}}
{{- keys .Values.secretSettings | sortAlpha | toJson -}}
{{- end -}}
{{- end -}}

{{/* All other settings. */}}
{{- define "terse.settings" -}}
# Less than the startup probe waits: a pod that gives up may be restarted only after up to five
# minutes.
START_TIMEOUT: 4m
{{- $settings := .Values.settings | default dict }}
{{- if not (hasKey $settings "METRICS_AUTH_ENABLED") }}
METRICS_AUTH_ENABLED: "true"
{{- end }}
{{- with .Values.ingress }}
{{- if .enabled }}
{{- if not (hasKey $settings "BASE_URL") }}
BASE_URL: {{ printf "%s://%s%s" (ternary "https" "http" (ne .tlsSecret "")) (first .hosts)
  (trimSuffix "/" .path) | quote }}
{{- end }}
{{- if and (rest .hosts) (not (hasKey $settings "DOMAINS")) }}
DOMAINS: {{ rest .hosts | join "," | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $value := $settings }}
{{ $name }}: {{ if kindIs "string" $value }}{{ quote $value }}{{ else }}{{ toJson $value | quote }}
{{- end }}
{{- end }}
{{- end -}}
