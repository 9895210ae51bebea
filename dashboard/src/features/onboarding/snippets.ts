// Code to paste, with the URL, the project and the key filled in.

import type { Snippet } from '../../ui/code-block.tsx';

type Target = { origin: string; projectId: string; key: string };

/** Lists the tools over REST, for the page of API keys that has none yet. */
export const restSnippet = ({ origin, key }: Target) =>
  `curl -sS ${origin}/api/v1/custom-tools \\\n  -H "Authorization: Bearer ${key}"`;

/** Stands where a key belongs, when the page does not know one. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const mcpUrl = (origin: string) => `${origin}/api/v1/mcp`;

function mcpServers({ origin, key }: Target): string {
  return JSON.stringify({ mcpServers: { toolgate: { url: mcpUrl(origin), headers: bearer(key) } } }, null, 2);
}

/**
 * Links that these programs open themselves, to add the server with its key. Not with a placeholder: it would be added.
 * https://cursor.com/docs/context/mcp/install-links, https://code.visualstudio.com/api/extension-guides/ai/mcp
 */
function installLinks(url: string, key: string): { cursor?: Snippet['link']; code?: Snippet['link'] } {
  if (key === KEY_PLACEHOLDER) return {};
  const server = { url, headers: bearer(key) };
  const config = encodeURIComponent(btoa(JSON.stringify(server)));
  const install = encodeURIComponent(JSON.stringify({ name: 'toolgate', type: 'http', ...server }));
  return {
    cursor: {
      label: 'Add to Cursor',
      href: `cursor://anysphere.cursor-deeplink/mcp/install?name=toolgate&config=${config}`,
    },
    code: { label: 'Add to VS Code', href: `vscode:mcp/install?${install}` },
  };
}

/** How to connect the clients that people use. `key` may be the placeholder. */
export function mcpSnippets(target: Target): Snippet[] {
  const { origin, projectId, key } = target;
  const url = mcpUrl(origin);
  const desktop = {
    command: 'npx',
    args: ['-y', 'mcp-remote', url, '--header', `Authorization: Bearer ${key}`],
  };
  const code = { servers: { toolgate: { type: 'http', url, headers: bearer(key) } } };
  const links = installLinks(url, key);
  return [
    {
      name: 'Claude Code',
      hint: 'Run this in a terminal.',
      code: `claude mcp add --transport http toolgate ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
    {
      name: 'Claude Desktop',
      hint: 'In claude_desktop_config.json: Settings → Developer → Edit config. It needs Node on this computer.',
      code: JSON.stringify({ mcpServers: { toolgate: desktop } }, null, 2),
    },
    {
      name: 'Cursor',
      hint: 'In .cursor/mcp.json of your project, or in ~/.cursor/mcp.json.',
      code: mcpServers(target),
      link: links.cursor,
    },
    {
      name: 'VS Code',
      hint: 'In .vscode/mcp.json of your workspace.',
      code: JSON.stringify(code, null, 2),
      link: links.code,
    },
    {
      name: 'ChatGPT',
      hint: 'Settings → Connectors → Create, with this URL. ChatGPT connects from the internet, so this server needs a public HTTPS URL. People sign in with OAuth, so add a provider on the OAuth page first.',
      code: `${url}/${projectId}`,
    },
    ...sdkSnippets(url, key),
    { name: 'MCP', hint: 'For any other client, in the most common format.', code: mcpServers(target) },
  ];
}

/** The MCP SDKs, and a request that shows what they send. */
function sdkSnippets(url: string, key: string): Snippet[] {
  return [
    {
      name: 'TypeScript',
      hint: 'npm install @modelcontextprotocol/sdk',
      code: `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'my-app', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL('${url}'), {
    requestInit: { headers: { Authorization: 'Bearer ${key}' } },
  }),
);
console.log(await client.listTools());`,
    },
    {
      name: 'Python',
      hint: 'pip install mcp',
      code: `import asyncio
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

async def main():
    headers = {"Authorization": "Bearer ${key}"}
    async with streamablehttp_client("${url}", headers=headers) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            print(await session.list_tools())

asyncio.run(main())`,
    },
    {
      name: 'cURL',
      hint: 'Lists the tools, as a model sees them.',
      code: `curl -sS ${url} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
    },
  ];
}

/** How a backend gets a session token for a person. `key` is of an integration. */
export function sessionSnippets({ origin, projectId, key }: Target): Snippet[] {
  return [
    {
      name: 'TypeScript',
      code: `import { signMemberAssertion, Toolgate } from '@toolgate/sdk';

const toolgate = new Toolgate({
  apiKey: '${key}',
  baseUrl: '${origin}',
  projectId: '${projectId}',
});
const memberAssertion = await signMemberAssertion({
  privateKey: process.env.ASSERTION_PRIVATE_KEY, // PEM
  kid: 'backend-2026',
  algorithm: 'ES256',
  projectId: '${projectId}',
  memberId: user.id,
});
const { session_token } = await toolgate.memberSessions.create({ memberAssertion });`,
    },
    {
      name: 'cURL',
      code: `curl -sS -X POST ${origin}/api/v1/mcp/session-token \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d "{\\"member_assertion\\": \\"$ASSERTION\\"}"`,
    },
    {
      name: 'cURL, development',
      code: `# Outside of production an id is enough, without a signature.
curl -sS -X POST ${origin}/api/v1/mcp/session-token \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"member_external_id": "user-42"}'`,
    },
  ];
}

/** The first of each kind, over the API: for empty lists. */
export function createSnippets(origin: string, projectId: string) {
  const post = (path: string) => `curl -sS ${origin}/api/v1${path} \\
  -H "Authorization: Bearer YOUR_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d `;
  const project = `/projects/${projectId}`;
  return {
    integration: `${post(`${project}/integrations`)}'{"name": "Web app", "description": "The assistant in our web app"}'`,
    assertionKey: `jq -n --rawfile pem public.pem '{kid: "backend-2026", algorithm: "ES256", public_key: $pem}' |
  ${post('/assertion-keys')}@-`,
    oauthProvider: `${post(`${project}/oauth-providers`)}'{
    "provider": "google",
    "client_id": "YOUR_CLIENT_ID",
    "client_secret": "YOUR_CLIENT_SECRET"
  }'`,
    oauthClient: `${post(`${project}/oauth-clients`)}'{
    "name": "Web app",
    "redirect_uris": ["https://app.example.com/callback"]
  }'`,
    limit: `${post(`${project}/limits`)}'{"name": "Calls of a member", "per": "member", "limit": 100, "window_seconds": 3600}'`,
    toolset: `${post(`${project}/toolsets`)}'{"name": "Support staff", "slug": "support", "tags": ["orders"]}'`,
  };
}
