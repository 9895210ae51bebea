// The errors of calls of tools.

import { type ErrorRow, type ReasonRow, remedyForModel } from '../error-row.ts';

/** For a model. */
export const REFUSED_BY_API =
  'The API refused the call; body is its response. If it explains what is wrong with the arguments, correct them and call the tool again; otherwise tell the user.';

/** The statuses of an API that may be other ones when the call is repeated. */
const TEMPORARY_STATUSES = [408, 425, 429, 500, 502, 503, 504];

const isRefusal = (status: number) => status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status);

export const toolCallsErrors = {
  reservedVariable: {
    status: 400,
    code: 'RESERVED_VARIABLE',
    message: 'Reserved variable cannot be provided as user input',
    cause:
      'The arguments contain project_id, integration_id or member_id, which only this server sets. Nothing was sent.',
    remedy: 'Leave this argument out: the server sets it for you.',
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
    cause: 'The tool requires a member, but the call was made with an API key.',
    remedy: "Call the tool with a member's session token (POST /api/v1/mcp/session-token).",
    step: 'member',
  },
  memberSignInRequired: {
    status: 409,
    code: 'MEMBER_SIGN_IN_REQUIRED',
    message: 'Member must sign in to connect an account for this tool',
    cause:
      "The tool uses one of the member's accounts, but the member has not connected it, or the connection is no longer valid.",
    remedy: 'Ask the user to open sign_in_url in a browser, then call the tool again.',
    step: 'member',
    advice: remedyForModel,
  },
  toolExecutionFailed: {
    status: 500,
    code: 'TOOL_EXECUTION_FAILED',
    message: 'Tool execution failed',
    cause: 'The call could not be made because of a problem on this server.',
    remedy: "Try again; if it fails again, report the request_id to this server's operator.",
    step: 'upstream',
  },
  toolTimedOut: {
    status: 500,
    code: 'TOOL_TIMED_OUT',
    message: 'Tool execution timed out',
    cause: "The API behind the tool did not respond within the tool's timeout_ms.",
    remedy: "Make the API respond faster, or raise the tool's timeout_ms.",
    step: 'upstream',
    retryable: true,
    advice: () =>
      'The API did not respond in time, but the call may have taken effect: check that before you repeat it.',
  },
  authSecretUnreadable: {
    status: 500,
    code: 'AUTH_SECRET_UNREADABLE',
    message: 'Failed to decrypt auth secret',
    cause: "The tool's stored secret cannot be decrypted: it was encrypted for another key, or is damaged.",
    remedy: "Save the tool's secret again: PATCH encrypted_auth_secret.",
    step: 'upstream',
  },
  upstreamStatus: {
    status: 502,
    code: 'UPSTREAM_STATUS',
    message: 'Upstream tool call failed - non-2xx response',
    cause: 'The API behind the tool returned a status other than 2xx. Redirects are not followed.',
    remedy: 'Your API returned an error: see upstream_status and body in details.',
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
      'Check that the API at base_url can be reached from this server; in a development project, a key with the permission write sees the reason.',
    step: 'upstream',
    retryable: true,
  },
  callerGone: {
    status: 499,
    code: 'CALLER_GONE',
    message: 'The caller closed the connection',
    cause:
      'The caller disconnected before the response. This status appears only in the log, in traces and in metrics.',
    remedy: 'Keep the connection open until the response arrives.',
    step: 'upstream',
  },
  outputSchemaMismatch: {
    status: 502,
    code: 'OUTPUT_SCHEMA_MISMATCH',
    message: 'The response does not match output_schema',
    cause: "The API's response does not match the tool's output_schema.",
    remedy: "Correct output_schema or the API's response.",
    step: 'answer',
  },
  resultTooLarge: {
    status: 502,
    code: 'RESULT_TOO_LARGE',
    message: "The result is larger than the tool's max_tokens and cannot be cut",
    cause:
      "After the tool's `response` rule was applied, and lists and long texts were cut, the result is still larger than max_tokens.",
    remedy: "Request less data, or make the tool's `response` rule select less.",
    step: 'answer',
    advice: remedyForModel,
  },
  resultNotShaped: {
    status: 502,
    code: 'RESULT_NOT_SHAPED',
    message: "The tool's `response` rule cannot be applied to this response",
    cause:
      "The tool's `response` rule selects, drops or redacts parts of a response, but this response is not JSON; or it comes from an MCP server and contains a file, a link or a question that the rule cannot be applied to.",
    remedy:
      "Make the API return JSON, or remove select, drop and redact from the tool's `response` rule: detectors alone also work on texts, links and questions.",
    step: 'answer',
  },
  resultNotText: {
    status: 502,
    code: 'RESULT_NOT_TEXT',
    message: 'The API returned a file, and this project stores no files',
    cause:
      "The API's response is neither JSON nor text, such as a PDF, and the project setting `file_retention_seconds` is 0.",
    remedy:
      'Set `file_retention_seconds` to 300 or more, so that such a response becomes a file, or make the API return JSON or text.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const toolCallsReasons = {
  file_too_large: {
    cause: 'The API returned a file of more than 25 MB.',
    remedy: 'Request a smaller file: a file can have at most 25 MB.',
    advice: remedyForModel,
  },
  invalid_arguments: {
    cause: "The arguments do not match the tool's input_schema. Nothing was sent.",
    remedy: 'Correct the arguments listed in problems and call the tool again.',
    advice: remedyForModel,
  },
  arguments_not_wrapped: {
    cause: "The body has the tool's arguments at the top level instead of in the field arguments.",
    remedy: 'Put the tool\'s arguments in the field arguments: {"arguments": {…}}.',
  },
  token_endpoint_refused: {
    cause: "The tool's token endpoint did not return an access token.",
    remedy: "Check the tool's token_url, client_id and secret: the token endpoint refused them.",
  },
  host_not_resolved: {
    cause: 'The host name in base_url does not resolve to an IP address that toolgate is allowed to call.',
    remedy:
      'Check that the host name resolves to a public IP address; the operator can allow a private one with TOOLGATE_EGRESS_ALLOW.',
    step: 'address',
  },
  host_unreachable: {
    cause: "There is no network route to the host's IP address.",
    remedy: "Check that the host's IP address can be reached from this server.",
  },
  connection_refused: {
    cause: 'Nothing listens on the port in base_url.',
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
    cause: "The API's certificate is expired, self-signed, incomplete or for another host name.",
    remedy:
      'Install a certificate that is valid for this host name, with its intermediate certificates; to trust a private authority, set certificate_id.',
  },
  client_certificate_refused: {
    cause: 'The API refused the client certificate, or requires one and got none.',
    remedy: 'Set certificate_id to a certificate with a client certificate that the API accepts.',
  },
  tls_failed: {
    cause: 'The TLS handshake with the API failed.',
    remedy: 'Check that the API speaks HTTPS (TLS 1.2 or later) on this port.',
  },
  malformed_response: {
    cause: "The API's response is not valid HTTP/1.1, or its compression does not match its headers.",
    remedy: 'Make the API return valid HTTP/1.1, uncompressed or as gzip, deflate or br.',
  },
  refused_by_egress_proxy: {
    cause: 'The egress proxy refused the connection.',
    remedy:
      'It was refused by the egress proxy (TOOLGATE_EGRESS_PROXY). Ask the operator to let it connect to this host and port.',
  },
  egress_proxy_unreachable: {
    cause: 'The egress proxy cannot be reached.',
    remedy: 'Ask the operator to check that the egress proxy in TOOLGATE_EGRESS_PROXY is running.',
  },
  circuit_open: {
    cause: 'Connections to this host failed several times in a row, so toolgate pauses before it tries again.',
    remedy: 'Make the API reachable: toolgate tries again within a minute.',
  },
} as const satisfies Record<string, ReasonRow>;
