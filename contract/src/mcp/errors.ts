// The errors of the MCP protocol.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const mcpErrors = {
  tooManyStreams: {
    status: 429,
    code: 'TOO_MANY_SUBSCRIPTIONS',
    message: 'Too many open streams',
    cause: 'The credential has 4 open `subscriptions/listen` streams on this server, or its organization has 2,000.',
    remedy: 'Close streams that you no longer read, or wait until one closes.',
    step: 'rate_limit',
  },
} as const satisfies Record<string, ErrorRow>;

export const mcpReasons = {
  parse_error: {
    cause: 'The body is not JSON.',
    remedy: 'Send one JSON-RPC 2.0 message as JSON in UTF-8.',
  },
  invalid_request: {
    cause: 'The message is not a valid JSON-RPC 2.0 request for this MCP revision.',
    remedy: 'Send a JSON-RPC 2.0 request that follows the MCP specification.',
  },
  method_not_found: {
    cause: 'This server does not support the method.',
    remedy: 'Use a method that the MCP specification defines for servers with tools.',
  },
  invalid_params: {
    cause: "The method's parameters are wrong; the message identifies the parameter.",
    remedy: 'Correct the parameters of the method.',
  },
  header_mismatch: {
    cause: 'An Mcp-* header contradicts the body.',
    remedy: 'Send the same values in the Mcp-* headers and in the body.',
  },
  missing_client_capability: {
    cause: 'The tool requires a capability that the client did not declare.',
    remedy: 'Declare the capability in _meta, or call another tool.',
  },
  unsupported_protocol_version: {
    cause: 'The server does not support the MCP revision that the client requested.',
    remedy: 'Use one of the revisions listed in supported.',
  },
  session_not_found: {
    cause: 'This server did not issue this Mcp-Session-Id to this caller.',
    remedy: 'Start a new session with initialize, and send the Mcp-Session-Id of its response.',
  },
  resource_not_found: {
    cause: 'No tool that this credential can call has this view.',
    remedy: 'Read a URI that resources/list returns, or that tools/list names in _meta.ui.',
  },
  url_elicitation_required: {
    cause: 'A person has to open a URL before the tool can be called.',
    remedy: 'Ask the user to open the URL in elicitations, then call the tool again with the same arguments.',
    step: 'confirmation',
  },
  unknown_tool: {
    cause: 'The project has no tool with this name, or this credential cannot see it.',
    remedy: 'Call one of the tools that tools/list returns.',
    step: 'tool',
  },
  unknown_resource: {
    cause: 'No tool that this credential can call has this view.',
    remedy: 'Read a URI that resources/list returns, or that tools/list names in _meta.ui.',
  },
} as const satisfies Record<string, ReasonRow>;
