// The request that creates a certificate, for who has none yet.

export const createSnippet = (origin: string, projectId: string) =>
  `jq -n --rawfile ca ca.pem --rawfile certificate client.pem --rawfile key client-key.pem \\
  '{name: "Partner gateway", ca: $ca, client_certificate: $certificate, client_key: $key}' |
curl ${origin}/api/v1/projects/${projectId}/certificates \\
  -H "Authorization: Bearer $TOOLGATE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d @-`;
