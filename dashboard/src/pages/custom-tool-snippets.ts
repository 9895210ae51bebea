// Code to paste: the same call with an API key, and how the customer's API verifies a signed request.

import type { CustomTool } from '@toolgate/sdk';
import type { Snippet } from '../components/code-block.tsx';

type Call = { origin: string; tool: CustomTool; args: Record<string, unknown> };

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

export function verifySnippets(): Snippet[] {
  return [
    {
      name: 'Verify',
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
  ];
}
