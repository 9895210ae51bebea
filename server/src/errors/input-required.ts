// A call over MCP that needs something of its user first. The transport renders it as its revision says; `refusal` is for the call
// log and the trace.

import type { ApiError } from './errors.ts';

export type ElicitRequest = {
  method: 'elicitation/create';
  params:
    | { mode: 'form'; message: string; requestedSchema: Record<string, unknown> }
    | { mode: 'url'; message: string; url: string };
};

/** `state` comes back with the response. It is null where the revision has no place for it. */
export type Asked =
  | { kind: 'form'; message: string; state: string }
  | {
      kind: 'url';
      key: 'confirm' | 'connect' | 'upload';
      message: string;
      url: string;
      id: string;
      state: string | null;
    }
  /** The questions of an MCP server, by its keys. */
  | { kind: 'relay'; requests: Record<string, ElicitRequest>; state: string }
  | { kind: 'capability'; required: Record<string, unknown> };

export class InputRequired extends Error {
  readonly asked: Asked;
  readonly refusal: ApiError;

  constructor(asked: Asked, refusal: ApiError) {
    super(refusal.message);
    this.asked = asked;
    this.refusal = refusal;
  }
}

/** The state that came back was not sealed by this server. */
export class TamperedState extends Error {}
