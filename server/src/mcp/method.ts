// The type of every MCP method. It returns JSON text, so that a cached serialized result is never parsed again.

import type { IncomingHttpHeaders } from 'node:http';
import type { ToolCaller } from '../access/caller.ts';
import type { RateLimitStatus } from '../api/response-headers.ts';
import type { App } from '../app.ts';
import type { Params, ResultText } from './json-rpc.ts';
import type { Protocol } from './protocol.ts';

export type MethodCall = {
  protocol: Protocol;
  params: Params;
  headers: IncomingHttpHeaders;
  body_bytes: number;
  request_id: string;
  /** The rate limit headers of the response are made from it. */
  http_request: { rate_limit: RateLimitStatus | null };
  /** Aborted when the client disconnects before the response. */
  gone(): AbortSignal;
};

export type Method = (app: App, caller: ToolCaller, call: MethodCall) => ResultText | Promise<ResultText>;
