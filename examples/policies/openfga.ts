// Lets OpenFGA decide whether a member may call a tool: https://openfga.dev/api/service. The relation `can_call` of the type `tool` says who.

import type { Decide } from './serve.ts';

type Store = { url: string; store_id: string; token?: string };

export function askOpenFga({ url, store_id, token }: Store, timeout_ms = 500): Decide {
  return async ({ tool, member }) => {
    if (member === null) return { decision: 'deny', reason: 'Only members may call tools.' };
    const tuple_key = { user: `user:${member.external_id}`, relation: 'can_call', object: `tool:${tool.name}` };
    const response = await fetch(`${url}/stores/${store_id}/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ tuple_key }),
      signal: AbortSignal.timeout(timeout_ms),
    });
    if (!response.ok) throw new Error(`OpenFGA answered ${response.status}`);
    const { allowed } = (await response.json()) as { allowed?: boolean };
    return allowed ? { decision: 'allow' } : { decision: 'deny', reason: `You may not call ${tool.name}.` };
  };
}
