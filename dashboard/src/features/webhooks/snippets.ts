// How a receiver verifies a webhook. The secret is read from the environment: it does not belong into code.

import type { DeliveryWithAttempts } from '@toolgate/sdk';
import type { Snippet } from '../../ui/code-block.tsx';

export const verifySnippets: Snippet[] = [
  {
    name: 'TypeScript',
    code: `import { verifyWebhook } from '@toolgate/sdk';

// body: the raw bytes, before any parsing
const event = await verifyWebhook({
  secret: process.env.TOOLGATE_WEBHOOK_SECRET,
  headers: request.headers,
  body,
});
console.log(event.type, event.data);`,
  },
  {
    name: 'Python',
    code: `import base64, hashlib, hmac, os, time

def verify(headers, body: bytes) -> bool:
    key = base64.b64decode(os.environ["TOOLGATE_WEBHOOK_SECRET"].removeprefix("whsec_"))
    sent = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, sent, hashlib.sha256).digest()).decode()
    entries = headers["webhook-signature"].split(" ")
    is_fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_fresh and any(hmac.compare_digest(e, f"v1,{expected}") for e in entries)`,
  },
  {
    name: 'Go',
    code: `func verify(h http.Header, body []byte) bool {
	secret := strings.TrimPrefix(os.Getenv("TOOLGATE_WEBHOOK_SECRET"), "whsec_")
	key, _ := base64.StdEncoding.DecodeString(secret)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", h.Get("webhook-id"), h.Get("webhook-timestamp"), body)
	want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	sent, err := strconv.ParseInt(h.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	for _, entry := range strings.Fields(h.Get("webhook-signature")) {
		if hmac.Equal([]byte(entry), want) {
			return true
		}
	}
	return false
}`,
  },
];

type Target = { origin: string; projectId: string };

export const createSnippet = ({ origin, projectId }: Target) =>
  `curl -sS ${origin}/api/v1/projects/${projectId}/webhooks \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/hooks/toolgate", "events": ["tool_call.*"]}'`;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** What the API shows for the value of a header of the webhook. */
const HIDDEN = '[secret]';

/** The request of an attempt, to send it by hand. Values that are hidden have to be filled in. Its signature is that of the attempt, so a receiver that checks the time refuses it later. */
export function toCurl(url: string, { request_body, attempts }: DeliveryWithAttempts): string {
  const headers = Object.entries(attempts[0]?.request_headers ?? { 'content-type': 'application/json' })
    .filter(([name]) => !/^(host|content-length|connection)$/i.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value === HIDDEN ? 'YOUR_VALUE' : value}`)}`);
  return [`curl -sS -X POST ${quoted(url)}`, ...headers, `--data-raw ${quoted(request_body ?? '')}`].join(' \\\n  ');
}
