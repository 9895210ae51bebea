// What every MCP method is given, and what it makes: the text of its result, so that what is kept serialized is never parsed again.

import type { IncomingHttpHeaders } from 'node:http';
import type { ToolCaller } from '../access/caller.ts';
import type { GoneSignal } from '../api/gone-signal.ts';
import type { App } from '../app.ts';
import type { Params, ResultText } from './json-rpc.ts';
import type { Era } from './protocol.ts';

export type MethodCall = {
  era: Era;
  params: Params;
  headers: IncomingHttpHeaders;
  body_bytes: number;
  request_id: string;
  /** Aborted when the client is gone before it is answered. */
  gone(): GoneSignal;
};

export type Method = (app: App, caller: ToolCaller, call: MethodCall) => ResultText | Promise<ResultText>;
