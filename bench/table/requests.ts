// The requests that are measured.

import { randomUUID } from 'node:crypto';
import { signAssertion } from '../../server/test/support/make/sign-assertion.ts';
import type { Template } from '../load.ts';
import { sampleArguments } from '../sample-tool.ts';
import type { Exchanger } from './seed.ts';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
/** Requests of one burst that need an assertion of their own. */
const ASSERTIONS = 1_000;

const json = { authorization: 'Bearer {{key}}', 'content-type': 'application/json' };

function mcp(method: string, revision: string, params: object): Pick<Template, 'method' | 'path' | 'headers' | 'body'> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const all = revision === MODERN ? { ...params, _meta } : params;
  const modern = { 'mcp-method': method, ...(method === 'tools/call' ? { 'mcp-name': '{{tool}}' } : {}) };
  const headers = {
    ...json,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(revision === MODERN ? modern : {}),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: all });
  return { method: 'POST', path: '/api/v1/mcp', headers, body };
}

type Keys = { key: string[] };

/** The lists are used side by side: the first key with the first tool, and so on. */
export function toolsCall(values: Keys & { tool: string[] }, { is_legacy = false } = {}): Template {
  const params = { name: '{{tool}}', arguments: sampleArguments };
  return { ...mcp('tools/call', is_legacy ? LEGACY : MODERN, params), values, expected: 'ord_1' };
}

/** The same with other arguments. */
export function callWith(values: Keys & { tool: string[] }, given: object): Template {
  return { ...mcp('tools/call', MODERN, { name: '{{tool}}', arguments: given }), values, expected: 'ord_1' };
}

export function toolsList(values: Keys, { is_legacy = false } = {}): Template {
  return { ...mcp('tools/list', is_legacy ? LEGACY : MODERN, {}), values, expected: 'find_order_009' };
}

export function execute(values: Keys & { tool: string[] }): Template {
  const body = JSON.stringify({ arguments: sampleArguments });
  return {
    method: 'POST',
    path: '/api/v1/custom-tools/{{tool}}/execute',
    headers: json,
    body,
    values,
    expected: 'ord_1',
  };
}

export function readProject(project_id: string, values: Keys): Template {
  const headers = { authorization: json.authorization };
  return { method: 'GET', path: `/api/v1/projects/${project_id}`, headers, values, expected: project_id };
}

export function exchange({ key }: Exchanger): Template {
  const body = JSON.stringify({ member_assertion: '{{assertion}}' });
  const values = { key: [key], assertion: [] };
  return { method: 'POST', path: '/api/v1/mcp/session-token', headers: json, body, values, expected: 'session_token' };
}

/** New assertions for 50 members: each is accepted once, and for a minute. */
export function freshAssertions({ project_id, key, signer }: Exchanger): { key: string[]; assertion: string[] } {
  const now = Date.now();
  const assertion = Array.from({ length: ASSERTIONS }, (_, i) =>
    signAssertion(signer, project_id, now, { claims: { sub: `member-${i % 50}`, jti: randomUUID() } }),
  );
  return { key: Array<string>(ASSERTIONS).fill(key), assertion };
}
