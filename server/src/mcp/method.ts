// The type of every MCP method. It returns JSON text, so that a cached serialized result is never parsed again.

import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import type { Capabilities } from './elicitation.ts';
import type { JsonText, Params } from './json-rpc.ts';
import type { Notifier } from './notifier.ts';
import type { Protocol } from './protocol.ts';

/** The part of the HTTP request that a method uses and sets. */
export type HttpRequest = Pick<FastifyRequest, 'rate_limit' | 'span' | 'refusal' | 'requester'>;

export type MethodCall = {
  protocol: Protocol;
  params: Params;
  headers: IncomingHttpHeaders;
  body_bytes: number;
  request_id: string;
  http_request: HttpRequest;
  /** For a client before 2026-07-28: what its session id says that it can ask its user. */
  capabilities: Capabilities;
  /** Null where nothing can be sent before the result. */
  notifier: Notifier | null;
};

export type Method = (app: App, caller: TokenCaller, call: MethodCall) => JsonText | Promise<JsonText>;
