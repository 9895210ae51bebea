// Calls tools without a pause, from several callers each, until it is told to end. Run as a process of its own.

import { Pool } from 'undici';
import { sampleArguments } from './sample-tool.ts';

export type Tool = { what: string; path: string; key: string };
export type Load = { url: string; at_once: number; tools: Tool[] };

/** Returns the status. */
export async function call(pool: Pool, { path, key }: Tool): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ arguments: sampleArguments });
  const answer = await pool.request({ path, method: 'POST', headers, body });
  for await (const _part of answer.body);
  return answer.statusCode;
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
    Array.from({ length: at_once }, async () => {
      while (!is_over) {
        await call(pool, tool);
        calls += 1;
      }
    }),
  );
  await Promise.all(callers);
  await pool.close();
}

if (process.argv[1] === import.meta.filename) process.once('message', (load: Load) => void run(load));
