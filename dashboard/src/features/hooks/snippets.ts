// Code for a policy: it verifies that toolgate asks, and decides. The secret is read from the environment.

import type { Snippet } from '../../ui/code-block.tsx';

export const verifySnippets: Snippet[] = [
  {
    name: 'TypeScript',
    code: `import { verifyToolRequest } from '@toolgate/sdk';

// request: of the Fetch API. Throws unless the signature is valid.
const body = await request.text();
await verifyToolRequest({
  secret: process.env.TOOLGATE_HOOK_SECRET,
  method: request.method,
  url: request.url,
  headers: request.headers,
  body,
});
const { tool, member, arguments: given } = JSON.parse(body);
const needsManager = tool.name === 'refund_order' && given.amount > 100;
if (needsManager && member?.claims.role !== 'manager')
  return Response.json({ decision: 'deny', reason: 'Refunds over 100 need a manager.' });
return Response.json({ decision: 'allow' });`,
  },
  {
    name: 'Python',
    code: `import json, os
from toolgate_verify import verify_tool_request  # examples/verify-python

# body: the raw bytes. Raises unless the signature is valid.
verify_tool_request(
    secret=os.environ["TOOLGATE_HOOK_SECRET"], method="POST", url=url, headers=headers, body=body
)
call = json.loads(body)
if call["tool"]["name"] == "refund_order" and call["arguments"]["amount"] > 100:
    decision = {"decision": "deny", "reason": "Refunds over 100 need a manager."}
else:
    decision = {"decision": "allow"}`,
  },
];

/** Creates a hook over the API. */
export const createSnippet = (origin: string, projectId: string) =>
  `curl -sS ${origin}/api/v1/projects/${projectId}/hooks \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://policy.example.com/toolgate", "points": ["before"]}'`;
