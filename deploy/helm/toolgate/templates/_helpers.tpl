{{- define "toolgate.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "toolgate.selector" -}}
app.kubernetes.io/name: toolgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "toolgate.labels" -}}
{{ include "toolgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "toolgate.caVariable" -}}
{{- with .Values.extraCa.configMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/toolgate/ca/{{ $.Values.extraCa.key }}
{{- end }}
{{- end -}}

{{- define "toolgate.caMount" -}}
{{- with .Values.extraCa.configMap }}
- name: ca
  mountPath: /etc/toolgate/ca
  readOnly: true
{{- end }}
{{- end -}}

{{- define "toolgate.caVolume" -}}
{{- with .Values.extraCa.configMap }}
- name: ca
  configMap:
    name: {{ . }}
{{- end }}
{{- end -}}
