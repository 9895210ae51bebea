// The interface of custom tools for REST and MCP: the tools that a caller may call, a call, and its result.

import type { ListedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { Requester } from '../../../outbound/requester.ts';
import type { Truncation } from '../../../shaping/shape.ts';
import type { RequestSpan } from '../../../tracing/tracing.ts';
import type { StoredFile } from '../../files/files/file.ts';
import type { Elicitation } from '../approvals/elicitation.ts';
import type { ListedUi } from '../catalogue/listed-ui.ts';
import type { NearestLimit } from '../limits/take.ts';
import type { McpResult } from './mcp/mcp-result.ts';

export type Schema = Record<string, unknown>;

/** A tool as a model sees it. */
export type ToolForModel = {
  name: string;
  title: string | null;
  description: string | null;
  input_schema: Schema | null;
  /** The names of those that take a file. */
  file_arguments?: readonly string[];
  output_schema: Schema | null;
  annotations: ListedAnnotations;
  /** For hosts of MCP Apps. */
  ui?: ListedUi | null;
  definition_hash: string;
};

/** What a search shows of a tool. */
export type FoundTool = Pick<ToolForModel, 'name' | 'title' | 'description' | 'input_schema'>;

/** How a call came in, for the call log. REST says neither a client nor a revision. */
export type Transport = { name: 'rest' | 'mcp'; client_name: string | null; protocol_version: string | null };

export type ToolCall = {
  /** Or its id. */
  name: string;
  arguments: unknown;
  /** The result of measureArguments(). */
  argument_bytes: number;
  request_id: string;
  transport: Transport;
  traceparent?: string;
  /** For the request; only while spans are exported. */
  span?: RequestSpan;
  /** For the customer's API: see idempotency.ts. */
  idempotency_key?: string;
  requester?: Requester;
  /** Only over MCP. */
  elicitation?: Elicitation;
  /** Of REST: the approval with which the call is repeated. */
  approval_id?: string;
  /** What of the caller's request goes along to an MCP server. */
  upstream?: {
    /** Progress token and trace context. */
    meta: Record<string, unknown>;
    onProgress?: ((params: Record<string, unknown>) => void) | undefined;
  };
  /** The model found the tool by searching, and named it in `call_tool`. */
  via?: 'search';
  /** Of REST: the whole response is wanted instead of the shaped one, or beside it. */
  raw?: 'instead' | 'beside';
  /** Called with the id of the task that a call of a tool with `polling` has before it is sent. */
  onReserved?: (task_id: string) => void;
  /** Called with the tool when access has been checked, before anything else; may throw. */
  inspect?: (tool: { input_schema: Schema | null }) => void;
};

/** The response of the customer's API. */
export type ToolResult = {
  call_id: string;
  status: number;
  content_type: string | null;
  /** To be rendered once: results/render-off-thread.ts takes its memory. */
  body: Buffer;
  /** What the response became, instead of a body. Its link is made when the result is rendered. */
  file: StoredFile | null;
  /** The response was longer than the limit; `body` is its beginning. */
  truncated: boolean;
  duration_ms: number;
  /** `body` is not as the customer sent it. Null: it is. */
  shaped: { is_json: boolean; truncation: Truncation | null } | null;
  /** For a tool of an MCP server: its result as it came. */
  mcp?: McpResult;
  /** What the customer sent, beside the shaped response; null unless it was asked for. */
  raw_body: Buffer | null;
  result_tokens: number;
  shaped_tokens: number;
  tool: {
    id: string;
    /** As it is listed. */
    input_schema: Schema;
    output_schema: Schema | null;
    /** Returns how the value violates output_schema, or null. */
    checkOutput: ((value: unknown) => string | null) | null;
  };
  /** The limit that applies to the tool and has the least left. */
  nearest_limit: NearestLimit | null;
};
