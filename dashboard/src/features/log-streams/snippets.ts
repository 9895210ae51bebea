// Code for the receiver of a log stream: it verifies a batch, and skips what it has already. The secret is read from the environment.

import type { Snippet } from '../../ui/code-block.tsx';

export const verifySnippets: Snippet[] = [
  {
    name: 'TypeScript',
    code: `import { verifyWebhook } from '@toolgate/sdk';

// body: the raw bytes, before any parsing. Throws unless the signature is valid.
await verifyWebhook({ secret: process.env.TOOLGATE_STREAM_SECRET, headers: request.headers, body });
const { entries } = JSON.parse(body);
// The same entry may come twice: its id tells.
for (const entry of entries) await store.insertUnlessThere(entry.id, entry);`,
  },
  {
    name: 'Python',
    code: `import base64, hashlib, hmac, os, time

def verify(headers, body: bytes) -> bool:
    key = base64.b64decode(os.environ["TOOLGATE_STREAM_SECRET"].removeprefix("whsec_"))
    sent = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, sent, hashlib.sha256).digest()).decode()
    entries = headers["webhook-signature"].split(" ")
    is_fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_fresh and any(hmac.compare_digest(e, f"v1,{expected}") for e in entries)`,
  },
];

/** Creates a log stream over the API. */
export const createSnippet = (origin: string, projectId: string) =>
  `curl -sS ${origin}/api/v1/projects/${projectId}/log-streams \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"kind": "https", "source": "tool_calls", "endpoint": "https://logs.example.com/toolgate"}'`;
