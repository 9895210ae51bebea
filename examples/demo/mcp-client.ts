// The official MCP client, as the program around a model uses it.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export type McpResult = {
  text: string;
  is_error: boolean;
  /** The X-Request-Id of toolgate's response. */
  request_id: string;
};

export type McpSession = {
  toolNames(): Promise<string[]>;
  call(name: string, given: Record<string, unknown>): Promise<McpResult>;
  close(): Promise<void>;
};

/** `token` is an API key, or the session token of a member. */
export async function connectMcp(url: string, token: string): Promise<McpSession> {
  let request_id = '';
  const client = new Client({ name: 'toolgate-demo', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    async fetch(address, init) {
      const response = await fetch(address, init);
      request_id = response.headers.get('x-request-id') ?? '';
      return response;
    },
  });
  await client.connect(transport);
  return {
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given) {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
      return { text, is_error: isError, request_id };
    },
    close: () => client.close(),
  };
}
