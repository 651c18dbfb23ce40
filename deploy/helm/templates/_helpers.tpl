{{- define "placard.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "placard.selector" -}}
app.kubernetes.io/name: placard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "placard.labels" -}}
{{ include "placard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "placard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "placard.serviceAccount" -}}
{{- .Values.serviceAccount.existing | default (include "placard.name" .) -}}
{{- end -}}

{{- define "placard.secret" -}}
{{- .Values.secrets.existing | default (include "placard.name" .) -}}
{{- end -}}

{{- /* The name of the claim of the files; empty where they are in S3. */ -}}
{{- define "placard.claim" -}}
{{- if .Values.files.claim -}}
{{ .Values.files.claim }}
{{- else if .Values.files.size -}}
{{ include "placard.name" . }}-files
{{- end -}}
{{- end -}}

{{- /* Refuses values with which the product could not start. */ -}}
{{- define "placard.check" -}}
{{- if and (not .Values.secrets.existing) (not .Values.secrets.values.DATABASE_URL) -}}
{{- fail "secrets: set `existing`, or DATABASE_URL in `values`" -}}
{{- end -}}
{{- $isInS3 := or (hasPrefix "s3://" (.Values.settings.FILE_STORE_URL | default "")) (hasPrefix "s3://" (.Values.secrets.values.FILE_STORE_URL | default "")) -}}
{{- if and (not .Values.secrets.existing) (not $isInS3) (eq (include "placard.claim" .) "") -}}
{{- fail "files: set FILE_STORE_URL to s3://…, or `claim` or `size`: every process has to see the same files" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress: name its hosts" -}}
{{- end -}}
{{- end -}}

{{- /* The pod of a role, or of the job. Called with dict "top" $ "name" … "resources" … and optionally "role", "command". */ -}}
{{- define "placard.pod" -}}
{{- $top := .top -}}
serviceAccountName: {{ include "placard.serviceAccount" $top }}
automountServiceAccountToken: {{ ne $top.Values.serviceAccount.existing "" }}
enableServiceLinks: false
{{- /* It ends what it has begun within 20 seconds; 5 more let balancers stop sending. */}}
terminationGracePeriodSeconds: 45
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with $top.Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with $top.Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with $top.Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with $top.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
containers:
  - name: {{ .name }}
    image: {{ include "placard.image" $top | quote }}
    imagePullPolicy: {{ $top.Values.image.pullPolicy }}
    {{- with .command }}
    command: {{ toJson . }}
    {{- end }}
    env:
      {{- if .role }}
      - name: PLACARD_ROLE
        value: {{ .role }}
      {{- end }}
      {{- range $key, $value := $top.Values.settings }}
      - name: {{ $key }}
        value: {{ $value | quote }}
      {{- end }}
    envFrom:
      - secretRef:
          name: {{ include "placard.secret" $top }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources: {{ toJson .resources }}
    {{- if .role }}
    ports:
      - name: http
        containerPort: 3000
    {{- /* The first start migrates and may wait for the database: for ten minutes nothing restarts it. */}}
    startupProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 5
      failureThreshold: 120
    livenessProbe:
      httpGet: { path: /health/live, port: http }
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    readinessProbe:
      httpGet: { path: /health/ready, port: http }
      periodSeconds: 5
      timeoutSeconds: 5
      failureThreshold: 3
    lifecycle:
      preStop:
        exec: { command: [sleep, '5'] }
    {{- end }}
    volumeMounts:
      - name: data
        mountPath: /data
      - name: tmp
        mountPath: /tmp
volumes:
  - name: data
    {{- /* The job reads the database alone. */}}
    {{- if and .role (include "placard.claim" $top) }}
    persistentVolumeClaim:
      claimName: {{ include "placard.claim" $top }}
    {{- else }}
    emptyDir: {}
    {{- end }}
  - name: tmp
    emptyDir: {}
{{- end -}}
