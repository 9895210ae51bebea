// What a door asks of custom tools: which of them a caller may call, to call one, and what comes back.

import type { Signal } from '../../outbound/messages.ts';

export type Schema = Record<string, unknown>;

/** A tool as a model sees it. */
export type ToolForModel = {
  name: string;
  title: string | null;
  description: string | null;
  input_schema: Schema | null;
  output_schema: Schema | null;
  annotations: Record<string, unknown> | null;
  definition_hash: string;
};

export type ToolCall = {
  /** Or its id. */
  name: string;
  arguments: unknown;
  /** At least as many as the arguments have as JSON. */
  argument_bytes: number;
  request_id: string;
  traceparent?: string;
  /** For the customer's API: see idempotency.ts. */
  idempotency_key?: string;
  signal?: Signal;
  /** Given the tool once it is found and allowed, before anything else happens; may throw. */
  inspect?: (tool: { input_schema: Schema | null }) => void;
};

/** What the customer's API answered. */
export type ToolResult = {
  call_id: string;
  status: number;
  content_type: string | null;
  body: Buffer;
  /** The answer was longer than the cap; `body` is its beginning. */
  truncated: boolean;
  duration_ms: number;
  tool: {
    output_schema: Schema | null;
    /** What in this value breaks output_schema, in words; null where nothing does. */
    checkOutput: ((value: unknown) => string | null) | null;
  };
};
