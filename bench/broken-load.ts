// Calls tools without a pause, from several callers each, until it is told to end. Run as a process of its own.

import { Pool } from 'undici';
import { sampleArguments } from './sample-tool.ts';

export type Tool = { what: string; path: string; name: string; key: string };
export type Load = { url: string; at_once: number; tools: Tool[] };

/** Over REST. Returns the status. */
export async function call(pool: Pool, { path, key }: Tool): Promise<number> {
  return send(pool, path, { authorization: `Bearer ${key}` }, { arguments: sampleArguments });
}

async function callOverMcp(pool: Pool, { name, key }: Tool): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  };
  const params = { name, arguments: sampleArguments };
  return send(pool, '/api/v1/mcp', headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

async function send(pool: Pool, path: string, headers: Record<string, string>, body: object): Promise<number> {
  const response = await pool.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  for await (const _part of response.body);
  return response.statusCode;
}

async function run({ url, at_once, tools }: Load): Promise<void> {
  const pool = new Pool(url, { connections: tools.length * at_once });
  let is_over = false;
  let calls = 0;
  process.once('message', () => {
    is_over = true;
    process.send?.(calls);
  });
  const callers = tools.flatMap((tool) =>
    Array.from({ length: at_once }, async (_, i) => {
      const callTool = i % 2 === 0 ? call : callOverMcp;
      while (!is_over) {
        const status = await callTool(pool, tool);
        if (status === 401 || status === 404) throw new Error(`${tool.what}: ${status}`);
        calls += 1;
      }
    }),
  );
  await Promise.all(callers);
  await pool.close();
}

if (process.argv[1] === import.meta.filename) process.once('message', (load: Load) => void run(load));
