// Code to paste: the same call with an API key, and how the customer's API verifies a signed request or a JWT about a member.

import type { CustomTool } from '@toolgate/sdk';
import type { Snippet } from '../../ui/code-block.tsx';

type Call = { origin: string; tool: CustomTool; args: Record<string, unknown> };

export const createSnippet = (origin: string) => `curl -sS ${origin}/api/v1/custom-tools \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "name": "find_order",
    "description": "Finds an order by its number.",
    "method": "GET",
    "base_url": "https://api.example.com",
    "endpoint_path": "/v1/orders/{{order_id}}",
    "input_schema": {
      "type": "object",
      "properties": { "order_id": { "type": "string" } },
      "required": ["order_id"]
    }
  }'`;

export function callSnippets({ origin, tool, args }: Call): Snippet[] {
  const key = tool.require_member ? 'MEMBER_SESSION_TOKEN' : 'YOUR_API_KEY';
  // Inside of single quotes the shell changes nothing but the quote itself.
  const body = JSON.stringify({ arguments: args }).replaceAll("'", "'\\''");
  return [
    {
      name: 'cURL',
      code: `curl -sS ${origin}/api/v1/custom-tools/${tool.name}/execute \\
  -H "Authorization: Bearer ${key}" \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
    },
    {
      name: 'TypeScript',
      code: `import { Toolgate } from '@toolgate/sdk';

const toolgate = new Toolgate({ apiKey: '${key}', baseUrl: '${origin}' });
const { body } = await toolgate.customTools.execute('${tool.name}', ${JSON.stringify(args, null, 2)});
console.log(body);`,
    },
  ];
}

/** That without the SDK is in docs/signatures.md too, which is run. */
export const verifySnippets: Snippet[] = [
  {
    name: 'TypeScript',
    code: `// In your API, before anything else is done with the request.
import { SignatureError, verifyToolRequest } from '@toolgate/sdk';

try {
  const { memberId, requestId } = await verifyToolRequest({
    secret: process.env.TOOL_SECRET,
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: rawBody, // the bytes as they came, not parsed
  });
} catch (error) {
  if (error instanceof SignatureError) return reply(401, { reason: error.reason });
  throw error;
}`,
  },
  {
    name: 'Python',
    code: `import hashlib, hmac, re, time
from urllib.parse import unquote

def verify_tool_request(method, host, target, headers, body, secret, now=None):
    """\`target\` is path and query as received, \`headers\` have lower-case names, \`body\` is bytes. Returns the member id, or None: return 401."""
    header = lambda name: headers.get(f"x-toolgate-{name}", "")
    path, _, query = target.partition("?")
    signed = "\\n".join(["v1", header("timestamp"), header("request-id"), method, host, path, query, hashlib.sha256(body).hexdigest(),
                        header("project-id"), header("integration-id"), header("member-id")])
    expected = "v1=" + hmac.new(secret.encode(), signed.encode(), hashlib.sha256).hexdigest()
    is_genuine = any(hmac.compare_digest(given.strip().encode(), expected.encode()) for given in header("signature").split(","))
    now = time.time() if now is None else now
    is_fresh = re.fullmatch(r"[0-9]+", header("timestamp")) is not None and abs(now - int(header("timestamp"))) <= 300
    return unquote(header("member-id")) if is_genuine and is_fresh else None`,
  },
];

/** The `iss` of JWTs about the members of a project. */
export const issuerOf = (origin: string, projectId: string) => `${origin}/api/v1/projects/${projectId}`;

type Trusted = { issuer: string; audience: string };

/** Those in other languages are in examples/member-jwt. */
export const verifyJwtSnippets = ({ issuer, audience }: Trusted): Snippet[] => [
  {
    name: 'TypeScript',
    code: `// In your API, before anything else is done with the request.
import { SignatureError, verifyMemberJwt } from '@toolgate/sdk';

try {
  const { memberId } = await verifyMemberJwt({
    token: request.headers.get('authorization') ?? '',
    issuer: ${JSON.stringify(issuer)},
    audience: ${JSON.stringify(audience)},
  });
} catch (error) {
  if (error instanceof SignatureError) return reply(401, { reason: error.reason });
  throw error;
}`,
  },
  {
    name: 'Python',
    code: `# verify_member_jwt.py of examples/member-jwt
claims = verify_member_jwt(
    request.headers["Authorization"],
    ${JSON.stringify(issuer)},
    ${JSON.stringify(audience)},
    keys,  # the list "keys" of {issuer}/jwks.json
)`,
  },
];
