// The errors of calls of tools.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

/** For a model. */
export const REFUSED_BY_API =
  'The API refused the call, and body is its response. If that says what is wrong with the arguments, correct them and call the tool again; otherwise tell the user.';

/** The statuses of an API that may be other ones when the call is repeated. */
const TEMPORARY_STATUSES = [408, 425, 429, 500, 502, 503, 504];

const isRefusal = (status: number) => status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status);

export const toolCallsErrors = {
  reservedVariable: {
    status: 400,
    code: 'RESERVED_VARIABLE',
    message: 'Reserved variable cannot be provided as user input',
    cause: 'The arguments name project_id, integration_id or member_id, which only this server sets. Nothing was sent.',
    remedy: 'Leave this argument out: it is filled in for you.',
    step: 'arguments',
    advice: remedyForModel,
  },
  toolNotEnabled: {
    status: 403,
    code: 'TOOL_NOT_ENABLED',
    message: 'Tool not enabled for this project',
    cause: 'The tool is disabled. Imported tools are created disabled.',
    remedy: 'Enable the tool: POST /api/v1/custom-tools/{id or name}/enable.',
    step: 'tool',
  },
  memberContextRequired: {
    status: 403,
    code: 'MEMBER_CONTEXT_REQUIRED',
    message: 'Member context required for this tool',
    cause: 'The tool requires a member, and the call was made with an API key.',
    remedy: 'Call the tool with a session token of a member (POST /api/v1/mcp/session-token).',
    step: 'member',
  },
  memberSignInRequired: {
    status: 409,
    code: 'MEMBER_SIGN_IN_REQUIRED',
    message: 'Member must sign in to connect an account for this tool',
    cause: 'The tool uses an account of the member, who has not connected one, or whose connection has ended.',
    remedy: 'Ask the user to open sign_in_url in a browser. After that, call the tool again.',
    step: 'member',
    advice: remedyForModel,
  },
  toolExecutionFailed: {
    status: 500,
    code: 'TOOL_EXECUTION_FAILED',
    message: 'Tool execution failed',
    cause: 'The call could not be made, for a reason on this server.',
    remedy: 'Try again, and report the request_id to the operator of this server if it fails again.',
    step: 'upstream',
  },
  toolTimedOut: {
    status: 500,
    code: 'TOOL_TIMED_OUT',
    message: 'Tool execution timed out',
    cause: 'The API behind the tool did not respond within timeout_ms of the tool.',
    remedy: 'Make the API respond faster, or raise timeout_ms of the tool.',
    step: 'upstream',
    retryable: true,
    advice: () =>
      'The API did not respond in time. The call may have taken effect all the same: find that out before you repeat it.',
  },
  authSecretUnreadable: {
    status: 500,
    code: 'AUTH_SECRET_UNREADABLE',
    message: 'Failed to decrypt auth secret',
    cause: 'The stored secret of the tool cannot be decrypted: it was sealed for another key, or is damaged.',
    remedy: 'Save the secret of the tool again: PATCH encrypted_auth_secret.',
    step: 'upstream',
  },
  upstreamStatus: {
    status: 502,
    code: 'UPSTREAM_STATUS',
    message: 'Upstream tool call failed - non-2xx response',
    cause: 'The API behind the tool returned a status other than 2xx. Redirects are not followed.',
    remedy: 'Your API returned an error. Read upstream_status and body in details.',
    step: 'upstream',
    retryable: TEMPORARY_STATUSES,
    advice: ({ upstream_status }) => (isRefusal(Number(upstream_status)) ? REFUSED_BY_API : null),
  },
  upstreamConnection: {
    status: 502,
    code: 'UPSTREAM_CONNECTION',
    message: 'Upstream tool call failed - connection error',
    cause: 'No complete response came from the API behind the tool.',
    remedy:
      'Check that the API at base_url can be reached from the internet; a write key of a development project is told the reason.',
    step: 'upstream',
    retryable: true,
  },
  callerGone: {
    status: 499,
    code: 'CALLER_GONE',
    message: 'The caller closed the connection',
    cause: 'The caller disconnected before the response. This status is only in the log, in traces and in metrics.',
    remedy: 'Keep the connection open until the response arrives.',
    step: 'upstream',
  },
  outputSchemaMismatch: {
    status: 502,
    code: 'OUTPUT_SCHEMA_MISMATCH',
    message: 'The answer does not match output_schema',
    cause: 'The response of the API does not match output_schema of the tool.',
    remedy: 'Correct output_schema, or the response of the API.',
    step: 'answer',
  },
  resultTooLarge: {
    status: 502,
    code: 'RESULT_TOO_LARGE',
    message: 'The result is larger than max_tokens of the tool, and cannot be cut',
    cause:
      'What the rule `response` of the tool leaves is larger than its max_tokens, although lists and long texts were cut.',
    remedy: 'Ask for less, or let `response` of the tool select less.',
    step: 'answer',
    advice: remedyForModel,
  },
  resultNotShaped: {
    status: 502,
    code: 'RESULT_NOT_SHAPED',
    message: 'The response has something that `response` of the tool cannot be applied to',
    cause:
      'The rule `response` of the tool selects, drops or redacts parts of a response, and this response is not JSON; or it is that of an MCP server with a file, a link or a question that the rule cannot be applied to.',
    remedy:
      'Let the API return JSON, or remove select, drop and redact from `response` of the tool. Detectors alone work on texts, links and questions, too.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const toolCallsReasons = {
  invalid_arguments: {
    cause: 'The arguments do not match input_schema of the tool. Nothing was sent.',
    remedy: 'Correct the arguments in problems and call the tool again.',
    advice: remedyForModel,
  },
  arguments_not_wrapped: {
    cause: 'The body has the arguments of the tool where the member arguments belongs.',
    remedy: 'Put the arguments of the tool into the member arguments: {"arguments": {…}}.',
  },
  token_endpoint_refused: {
    cause: 'The token endpoint of the tool gave no access token.',
    remedy: 'Check token_url, client_id and the secret of the tool: the token endpoint refused them.',
  },
  host_not_resolved: {
    cause: 'The host name of base_url does not resolve to an address that may be called.',
    remedy:
      'Check that the host name resolves to an address on the public internet; the operator can allow a private one with TOOLGATE_EGRESS_ALLOW.',
    step: 'address',
  },
  host_unreachable: {
    cause: 'There is no route to the address of the host.',
    remedy: 'Check that the address of the host can be reached from the internet.',
  },
  connection_refused: {
    cause: 'Nothing listens on the port of base_url.',
    remedy: 'Check that the API is running and listens on this port.',
  },
  connect_timed_out: {
    cause: 'The connection to the host was not established in time.',
    remedy: 'Check that a firewall lets this server connect to the API.',
  },
  connection_closed: {
    cause: 'The API closed the connection before its response was complete.',
    remedy: 'Find out why the API closed the connection before its response was complete.',
  },
  certificate_not_accepted: {
    cause: 'The certificate of the API is expired, self-signed, incomplete or for another host name.',
    remedy:
      'Install a certificate that is valid for this host name, with its intermediate certificates; NODE_EXTRA_CA_CERTS trusts a private authority.',
  },
  tls_failed: {
    cause: 'The TLS handshake with the API failed.',
    remedy: 'Check that the API speaks HTTPS (TLS 1.2 or later) on this port.',
  },
  malformed_response: {
    cause: 'The response of the API is not valid HTTP/1.1, or is compressed in another way than it says.',
    remedy: 'Make the API return valid HTTP/1.1, uncompressed or as gzip, deflate or br.',
  },
  circuit_open: {
    cause: 'Connections to this host failed several times in a row, so no further one is tried for a while.',
    remedy: 'Make the API reachable: after several failed connections it is tried again within a minute.',
  },
} as const satisfies Record<string, ReasonRow>;
