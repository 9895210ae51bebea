// The second half of the demo: a model calls tools, for nobody and for a member, and is refused.

import { setTimeout as sleep } from 'node:timers/promises';
import { NotFoundError, type RequestTrace } from '../../sdk/src/index.ts';
import { sessionToken, signAssertion } from '../shop/sign-in.ts';
import { connectMcp, type McpSession } from './mcp-client.ts';
import type { Demo } from './set-up.ts';

export const mcpUrl = ({ toolgate }: Demo) => `${toolgate.url}/api/v1/mcp`;
const USER = 'ana';
const ARRIVES_WITHIN_MS = 20_000;

export async function tour(demo: Demo): Promise<void> {
  await callForNobody(demo);
  const session = await callForMember(demo);
  try {
    await refuseForeignMember(demo, session);
  } finally {
    await session.close();
  }
  await refuseUnsigned(demo);
  await receiveWebhook(demo);
}

async function callForNobody(demo: Demo): Promise<void> {
  const { print, sign_in } = demo;
  print.step('A model connects with the official MCP client and calls a tool.');
  const session = await connectMcp(mcpUrl(demo), sign_in.api_key);
  try {
    print.say(
      `MCP client connected to ${mcpUrl(demo)} with an API key. Tools: ${(await session.toolNames()).join(', ')}.`,
    );
    await callTool(demo, session, 'find_products', { search: 'tea' });
  } finally {
    await session.close();
  }
  print.say('toolgate validated the arguments and signed the request (HMAC). The shop verified it with the SDK.');
}

async function callForMember(demo: Demo): Promise<McpSession> {
  const { print, sign_in } = demo;
  print.step(`The shop signs a member assertion: "this is ${USER}".`);
  const assertion = await signAssertion(sign_in, USER);
  print.say(`A JWT of ${assertion.length} characters, valid for 30 seconds, signed with the private key of the shop.`);

  print.step('The assertion is exchanged for a session token.');
  const token = await sessionToken(sign_in, assertion);
  print.say('toolgate verified it with the registered public key. The session is valid for 15 minutes.');

  print.step(`A model connects with that token and calls tools on behalf of the member ${USER}.`);
  const session = await connectMcp(mcpUrl(demo), token);
  await callTool(demo, session, 'place_order', { product_id: 'tea', quantity: 2 });
  await callTool(demo, session, 'my_orders', {});
  print.say('The model did not say who the person is. The id of the member is part of what toolgate signed.');
  return session;
}

async function callTool(
  { print }: Demo,
  session: McpSession,
  name: string,
  given: Record<string, unknown>,
): Promise<void> {
  print.say(`[model] calls ${name} ${JSON.stringify(given)}`);
  const { text, is_error } = await session.call(name, given);
  if (is_error) throw new Error(`The call of ${name} failed: ${text}`);
  print.say(`[model] gets ${text}`);
}

async function refuseForeignMember({ print, client }: Demo, session: McpSession): Promise<void> {
  print.step('The model asks for the orders of somebody else. The call is refused.');
  const given = { member_id: 'bruno' };
  print.say(`[model] calls my_orders ${JSON.stringify(given)}`);
  const { text, is_error, request_id } = await session.call('my_orders', given);
  if (!is_error) throw new Error('A model chose the member of a call, and was not refused.');
  print.say(`[model] gets an error: ${text.split('\n')[0]}`);
  print.say('toolgate refused it. The shop did not receive a request.');

  print.step('Why was it refused? toolgate has a trace of that request.');
  print.say(`GET /api/v1/projects/{id}/requests/${request_id}`);
  const trace = await within(ARRIVES_WITHIN_MS, 'the trace of the refused call', readTrace(client, request_id));
  for (const { step, outcome, reason, remedy } of trace.steps)
    print.say(`  ${step.padEnd(12)} ${outcome}${reason ? `: ${reason}. ${remedy}` : ''}`);
}

/** Traces are written shortly after the response. */
async function readTrace(client: Demo['client'], request_id: string): Promise<RequestTrace> {
  const signal = AbortSignal.timeout(ARRIVES_WITHIN_MS);
  for (;;) {
    try {
      return await client.requests.get(request_id, { signal });
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      await sleep(50, undefined, { signal });
    }
  }
}

async function refuseUnsigned({ print, shop }: Demo): Promise<void> {
  print.step('Somebody calls the shop directly, without toolgate. The shop refuses.');
  const { status, body } = await shop.requestDirectly('/v1/orders');
  if (status !== 401) throw new Error(`The shop answered ${status} to a request without a signature.`);
  print.say(`[somebody] gets ${status} ${body}`);
}

async function receiveWebhook({ print, nextEvent }: Demo): Promise<void> {
  print.step('toolgate tells the shop about the refused call with a webhook.');
  const event = await within(ARRIVES_WITHIN_MS, 'the webhook', nextEvent());
  if (event.type !== 'tool_call.failed') throw new Error(`The webhook is ${event.type}.`);
  const { tool_name, error_code } = event.data;
  print.say(`The shop received ${event.type} (${tool_name}, ${error_code}). The SDK verified that toolgate signed it.`);
}

async function within<Value>(limit_ms: number, what: string, work: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const late = sleep(limit_ms, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} did not arrive within ${limit_ms / 1000} seconds.`);
  });
  late.catch(() => {}); // cancelled below
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
