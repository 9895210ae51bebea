// `--keep`: what to try, and live traffic until the signal.

import { setTimeout as sleep } from 'node:timers/promises';
import { sessionToken, signAssertion } from '../shop/sign-in.ts';
import { connectMcp } from './mcp-client.ts';
import { type Demo, OWNER_EMAIL } from './set-up.ts';
import { mcpUrl } from './tour.ts';

const PAUSE_MS = 3_000;
const users = ['ana', 'bruno', 'chloe'];
const products = ['tea', 'pot', 'mug'];

export function printWhatToTry(demo: Demo): void {
  const { print, toolgate, shop, project_id, admin_key, authority_file, password } = demo;
  const project = `${toolgate.url}/api/v1/projects/${project_id}`;
  const bearer = `-H 'Authorization: Bearer ${admin_key}'`;
  print.step('Everything keeps running, with calls every few seconds. Ctrl-C ends it and removes it.');
  print.say(
    `Dashboard ${toolgate.url}/projects/${project_id}  (sign in as ${OWNER_EMAIL} with ${password})`,
    `API       ${toolgate.url}/api/v1  (described in /api/v1/openapi.json)`,
    `MCP       ${mcpUrl(demo)}`,
    `Shop      ${shop.url}  (trust ${authority_file})`,
    `Project   ${project_id}`,
    `API key   ${admin_key}  (admin of this project)`,
    '',
    'See the calls as they are made:',
    `  curl -N ${project}/tool-calls/stream ${bearer}`,
    'Calls, errors and durations of the last 24 hours:',
    `  curl ${project}/analytics ${bearer}`,
    'Call a tool:',
    `  curl ${toolgate.url}/api/v1/custom-tools/find_products/execute ${bearer} \\`,
    `    -H 'Content-Type: application/json' -d '{"arguments":{"search":"mug"}}'`,
    'Give the tools to Claude Code:',
    `  claude mcp add --transport http demo ${mcpUrl(demo)} --header 'Authorization: Bearer ${admin_key}'`,
    '',
  );
}

/** Returns when the signal is aborted. */
export async function keepCalling(demo: Demo): Promise<void> {
  const { signal, print, nextEvent } = demo;
  const printEvents = async (): Promise<never> => {
    for (;;) print.say(`[shop] webhook ${(await nextEvent()).type}: signature verified`);
  };
  printEvents().catch((error: Error) => print.say(`[shop] ${error.message}`));
  for (let round = 0; !signal.aborted; round += 1) {
    await callAsUser(demo, round);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {}); // aborted
  }
}

/** Each round signs another user in, so no session gets old. Every fourth order is refused: it has no quantity. */
async function callAsUser({ toolgate, sign_in, print }: Demo, round: number): Promise<void> {
  const user_id = users[round % users.length] as string;
  const token = await sessionToken(sign_in, await signAssertion(sign_in, user_id));
  const session = await connectMcp(`${toolgate.url}/api/v1/mcp`, token);
  try {
    await session.call('find_products', { search: 't' });
    const order = { product_id: products[round % products.length], ...(round % 4 === 1 ? {} : { quantity: 1 }) };
    const { is_error, text } = await session.call('place_order', order);
    print.say(`[${user_id}] place_order ${JSON.stringify(order)}: ${is_error ? text.split('\n')[0] : 'ok'}`);
  } finally {
    await session.close();
  }
}
