// A shop whose tools people grant to OAuth clients by toolset: reading is a baseline toolset, refunds are on request, and no person can
// grant the internal ones.

import assert from 'node:assert/strict';
import { callTool, revisionSenders } from '../../mcp/rpc.ts';
import { type Browser, openBrowser, signIn } from '../browser.ts';
import type { Customer } from '../peers/fake-customer.ts';
import type { OpenIdProvider } from '../peers/openid-provider.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse } from './make.ts';
import { authorizeUrl, CALLBACK, makeOAuthTenant, type Tokens } from './make-oauth.ts';
import { execute, makeTool } from './make-tools.ts';
import { makeToolset } from './make-toolset.ts';

export type OAuthShop = Awaited<ReturnType<typeof makeOAuthShop>>;

/** Tools: orders (read-only) and notes in reading, refund in refunds, purge in internal, loose in none. */
export async function makeOAuthShop(
  server: TestServer,
  peer: OpenIdProvider,
  customer: Customer,
  options: object = {},
) {
  const tenant = await makeOAuthTenant(server, peer, options);
  const tool = (name: string, fields: object = {}) =>
    makeTool(server, tenant.keys.write, customer, { name, ...fields });
  const annotations = { readOnlyHint: true };
  const tools = {
    orders: await tool('orders', { title: 'Find orders', annotations }),
    notes: await tool('notes', { annotations: { destructiveHint: false } }),
    refund: await tool('refund', { tags: ['money'] }),
    purge: await tool('purge'),
    loose: await tool('loose'),
  };
  const ids = (...names: (keyof typeof tools)[]) => names.map((name) => tools[name].id);
  const toolset = (slug: string, fields: object) =>
    makeToolset(server, tenant.id, { slug, name: `The ${slug}`, ...fields });
  const toolsets = {
    reading: await toolset('reading', { grant: 'baseline', tool_ids: ids('orders', 'notes') }),
    refunds: await toolset('refunds', { grant: 'on_request', tags: ['money'], description: 'Money back' }),
    internal: await toolset('internal', { tool_ids: ids('purge') }),
  };
  return { ...tenant, tools, toolsets, tool };
}

export const authorizeShop = ({ client }: Pick<OAuthShop, 'client'>, scope: string) =>
  authorizeUrl({ client_id: client.client_id, redirect_uri: CALLBACK, scope });

type SignIn = { browser?: Browser; untick?: readonly string[] };

/** Signs the peer's current user in, and returns the tokens. */
export async function tokensOf(
  server: TestServer,
  peer: OpenIdProvider,
  shop: Pick<OAuthShop, 'client'>,
  scope: string,
  { browser = openBrowser(server), untick = [] }: SignIn = {},
): Promise<Tokens> {
  const { location, text } = await signIn(browser, peer, authorizeShop(shop, scope), { untick });
  return redeem(server, shop, location ?? assert.fail(text));
}

export async function redeem(
  server: TestServer,
  { client }: Pick<OAuthShop, 'client'>,
  location: string,
): Promise<Tokens> {
  const { client_id, client_secret } = client;
  const code = new URL(location).searchParams.get('code');
  return expectResponse(await server.api('POST', '/oauth/token', { body: { code, client_id, client_secret } }), 200);
}

/** What a call is answered with by REST and by both revisions of MCP: `ok`, `unknown`, or the scopes that it needs. */
export async function outcomeOf(server: TestServer, key: string, name: string): Promise<string> {
  const rest = await execute(server, key, name);
  const responses = [restOutcome(rest)];
  for (const send of Object.values(revisionSenders)) {
    const { status, body, headers } = await callTool(send, server, key, name);
    if (status === 403) responses.push(scopesIn(body.error.data, headers));
    else responses.push(body.error?.code === -32602 ? 'unknown' : status === 200 && body.result ? 'ok' : `${status}`);
  }
  assert.deepEqual(new Set(responses).size, 1, responses.join(' | '));
  return responses[0] as string;
}

function restOutcome({ status, body, headers }: Awaited<ReturnType<typeof execute>>): string {
  if (status === 403) return scopesIn(body.error, headers);
  return status === 200 ? 'ok' : status === 404 ? 'unknown' : `${status}`;
}

function scopesIn({ code, details }: { code: string; details: { required_scope: string } }, headers: Headers): string {
  if (code !== 'TOOL_NOT_GRANTED') return code;
  const [, scope] = /^Bearer error="insufficient_scope", scope="([^"]+)", resource_metadata="https?:[^"]+"$/.exec(
    headers.get('www-authenticate') ?? '',
  ) ?? [undefined, 'no challenge'];
  assert.equal(details.required_scope, scope);
  return scope as string;
}

/** The tools that both revisions list. */
export async function listedTools(server: TestServer, key: string, path = '/api/v1/mcp'): Promise<string[]> {
  const lists = [];
  for (const send of Object.values(revisionSenders)) {
    const { result } = expectResponse(await send(server, key, 'tools/list', {}, { path }), 200);
    lists.push(result.tools.map(({ name }: { name: string }) => name));
  }
  assert.deepEqual(lists[0], lists[1]);
  return lists[0] as string[];
}

export async function changeToolset(server: TestServer, shop: { id: string }, id: string, body: object): Promise<void> {
  expectResponse(await server.api('PATCH', `/projects/${shop.id}/toolsets/${id}`, { key: ROOT_KEY, body }), 200);
}

/** The grants of the only member, newest first. */
export async function grantsOf(
  server: TestServer,
  { keys }: Pick<OAuthShop, 'keys'>,
  project_id: string,
): Promise<any[]> {
  const { data } = expectResponse(await server.api('GET', '/members', { key: keys.admin }), 200);
  const path = `/projects/${project_id}/members/${data[0].id}/grants`;
  return expectResponse(await server.api('GET', path, { key: keys.admin }), 200).data;
}
