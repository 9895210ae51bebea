// The HTTP server of a policy: verifies that toolgate asks, and answers with what `decide` returns. Give it to `https.createServer`.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SignatureError, verifyToolRequest } from '../../sdk/src/index.ts';

/** What toolgate asks about; docs/guides/policy-hooks.md. */
export type Call = {
  call_id: string;
  point: 'before' | 'after';
  tool: { id: string; name: string; version: number; hints: Record<string, boolean> };
  member: { id: string; external_id: string; claims: Record<string, unknown> } | null;
  integration: { id: string } | null;
  client: { id: string | null; name: string | null } | null;
  arguments?: Record<string, unknown>;
  result?: unknown;
};

export type Decision = { decision: 'allow' | 'deny' | 'confirm'; reason?: string };

export type Decide = (call: Call) => Decision | Promise<Decision>;

/** `secret`: what toolgate returned for the hook, `hksec_…`. */
export function createPolicy(secret: string, decide: Decide): RequestListener {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(await request.toArray()); // the raw bytes: they are what is signed
      await verifyToolRequest({ secret, method, url, headers, body });
      const decision = JSON.stringify(await decide(JSON.parse(body.toString()) as Call));
      response.writeHead(200, { 'content-type': 'application/json' }).end(decision);
    } catch (error) {
      // toolgate refuses the call then, unless the hook allows what it cannot decide.
      response.writeHead(error instanceof SignatureError ? 401 : 500).end();
    }
  };
  return (request, response) => void respond(request, response);
}
