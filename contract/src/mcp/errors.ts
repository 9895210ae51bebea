// The errors of the MCP protocol.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const mcpErrors = {
  tooManyStreams: {
    status: 429,
    code: 'TOO_MANY_SUBSCRIPTIONS',
    message: 'Too many open streams',
    cause: 'The credential has 4 open streams of `subscriptions/listen` on this server, or its organization has 2,000.',
    remedy: 'Close streams that are not read, or wait until one has ended.',
    step: 'rate_limit',
  },
} as const satisfies Record<string, ErrorRow>;

export const mcpReasons = {
  parse_error: {
    cause: 'The body is not JSON.',
    remedy: 'Send one JSON-RPC 2.0 message as JSON in UTF-8.',
  },
  invalid_request: {
    cause: 'The message is not a valid JSON-RPC 2.0 request, or not one of this revision of MCP.',
    remedy: 'Send a JSON-RPC 2.0 request as the MCP specification describes it.',
  },
  method_not_found: {
    cause: 'This server does not have the method.',
    remedy: 'Use a method that the MCP specification has for servers with tools.',
  },
  invalid_params: {
    cause: 'The parameters of the method are wrong; the message names the parameter.',
    remedy: 'Correct the parameters of the method.',
  },
  header_mismatch: {
    cause: 'A header of MCP says something else than the body.',
    remedy: 'Send the same values in the MCP headers and in the body.',
  },
  missing_client_capability: {
    cause: 'The tool needs a capability that the client did not declare.',
    remedy: 'Declare the capability in _meta, or call another tool.',
  },
  unsupported_protocol_version: {
    cause: 'The server does not speak the revision of MCP that the client asked for.',
    remedy: 'Use one of the revisions in supported.',
  },
  session_not_found: {
    cause: 'This server did not issue this Mcp-Session-Id to this caller.',
    remedy: 'Start a new session with initialize, and send the Mcp-Session-Id of its response.',
  },
  url_elicitation_required: {
    cause: 'A person has to open an address before the tool can be called.',
    remedy: 'Let the user open the address in elicitations, then call the tool again with the same arguments.',
    step: 'confirmation',
  },
  unknown_tool: {
    cause: 'No tool with this name exists in the project, or it is not visible to this credential.',
    remedy: 'Call a tool that tools/list returns.',
    step: 'tool',
  },
} as const satisfies Record<string, ReasonRow>;
