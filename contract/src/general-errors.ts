// The errors of every request.

import { type ErrorRow, type ReasonRow, remedyForModel } from './error-row.ts';

export const generalErrors = {
  invalidApiKey: {
    status: 401,
    code: 'INVALID_API_KEY',
    message: 'Invalid or inactive API key',
    cause:
      'The Authorization header is missing or malformed, or its token is unknown, inactive, revoked, expired or from another project. All of these look the same, so that nobody can find out which keys exist.',
    remedy: 'Send an active API key or session token of this project as Authorization: Bearer <token>.',
    step: 'credential',
    hides_details: true,
  },
  insufficientPermissions: {
    status: 403,
    code: 'INSUFFICIENT_PERMISSIONS',
    message: 'Insufficient permissions',
    cause: 'The credential is valid, but lacks the permission that this route requires.',
    remedy: 'Use an API key that has the required permission.',
    step: 'permission',
  },
  rateLimitExceeded: {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Rate limit exceeded',
    cause:
      'The project, together with the projects in its quota group, used up the requests that its plan allows per hour.',
    remedy:
      "Retry after retry_after_seconds. An owner of the operator's organization can raise the limit in the dashboard under Settings → Plan.",
    step: 'rate_limit',
  },
  internal: {
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Internal server error',
    cause: 'A bug in this server. The response does not reveal the cause; the server log does.',
    remedy: "Report the request_id to this server's operator, who can find the cause in the log.",
    step: { request: 'answer', call_request: 'tool', call: 'upstream' },
    hides_details: true,
  },
  serviceUnavailable: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'Service unavailable',
    cause: 'The database cannot be reached, or the server is starting, stopping or busy.',
    remedy: 'Retry after the seconds in Retry-After.',
    step: { request: 'answer', call_request: 'tool', call: 'upstream' },
  },
  malformedRequest: {
    status: 400,
    code: 'MALFORMED_REQUEST',
    message: 'Malformed request',
    cause: 'The request is not valid HTTP: for example two Host headers, a NUL character or a wrong Content-Length.',
    remedy: 'Send a valid HTTP request with one Host header and no NUL character in its URL.',
    step: 'body',
  },
  invalidJson: {
    status: 400,
    code: 'INVALID_JSON',
    message: 'Body is not valid JSON',
    cause: 'This server cannot accept the body as JSON.',
    remedy: 'Send a body that is valid JSON in UTF-8.',
    step: 'body',
  },
  validation: {
    status: 422,
    code: 'VALIDATION_ERROR',
    message: 'Validation error',
    cause: 'The body is JSON, but at least one field, parameter or header has an invalid value.',
    remedy: 'Correct the fields listed in problems.',
    step: { request: 'body', call_request: 'body', call: 'arguments' },
  },
  notFound: {
    status: 404,
    code: 'NOT_FOUND',
    message: 'Not found',
    cause: "The path does not exist, or the credential's project has no resource with this id.",
    remedy: "Check the path and the id: the resource must belong to the credential's project.",
    step: { request: 'answer', call_request: 'tool', call: 'tool' },
    over_mcp: 'error',
  },
  hostNotAllowed: {
    status: 403,
    code: 'HOST_NOT_ALLOWED',
    message: 'Host or Origin is not this server',
    cause: 'The Host or Origin header of a request to the MCP endpoint belongs to another server.',
    remedy: 'Set TOOLGATE_PUBLIC_URL to the URL that clients use for this server.',
    step: 'permission',
  },
  methodNotAllowed: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'Method not allowed',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
    step: 'body',
  },
  nameTaken: {
    status: 409,
    code: 'NAME_TAKEN',
    message: 'Name already exists for this project',
    cause: 'Another resource in this project has the same name.',
    remedy: 'Choose another name, or change the resource that uses this one.',
    step: 'answer',
  },
  requestTimeout: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: 'Request took too long to arrive',
    cause: 'The request did not arrive completely within 30 seconds.',
    remedy: 'Send the whole request without long pauses.',
    step: 'body',
  },
  projectLimitReached: {
    status: 403,
    code: 'PROJECT_LIMIT_REACHED',
    message: 'Project limit reached',
    cause: 'A quota group, which is a project and the projects created with its keys, can have at most 100 projects.',
    remedy: 'Delete projects that you no longer use, or ask the operator to create one with the root key.',
    step: 'answer',
  },
  limitReached: {
    status: 409,
    code: 'LIMIT_REACHED',
    message: 'Limit reached',
    cause: 'The project has reached its maximum number of these resources.',
    remedy: 'Delete the ones that you no longer use.',
    step: 'answer',
  },
  bodyTooLarge: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: 'Body is too large',
    cause: 'The body is larger than this route allows; see details.limit_bytes.',
    remedy: 'Send a smaller body.',
    step: { request: 'body', call_request: 'body', call: 'arguments' },
  },
  unsupportedMediaType: {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Content-Type must be application/json',
    cause: "The body's Content-Type is missing or is not JSON.",
    remedy: 'Send the body as JSON with Content-Type: application/json.',
    step: 'body',
  },
  headersTooLarge: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'Headers are too large',
    cause: 'The request headers are larger than 16 KiB in total.',
    remedy: 'Send fewer or shorter headers.',
    step: 'body',
  },
  idempotencyKeyInUse: {
    status: 409,
    code: 'IDEMPOTENCY_KEY_IN_USE',
    message: 'Idempotency key in use',
    cause: 'The first request with this Idempotency-Key is still in progress.',
    remedy: 'Wait for the first request with this Idempotency-Key to finish, then send this one again.',
    step: 'body',
  },
  idempotencyKeyReused: {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'Idempotency key was used with another request',
    cause: 'This Idempotency-Key was already used with another body or path.',
    remedy: 'Use a new Idempotency-Key for each different request.',
    step: 'body',
  },
  idempotencyResponseNotKept: {
    status: 409,
    code: 'IDEMPOTENCY_ANSWER_NOT_KEPT',
    message: 'The request with this idempotency key succeeded, but its response was not kept',
    cause: 'The first request with this Idempotency-Key succeeded, but its response was too large to keep.',
    remedy: 'Read the result by the id in details, and do not repeat the request: it already succeeded.',
    step: 'body',
  },
} as const satisfies Record<string, ErrorRow>;

export const generalReasons = {
  api_key_revoked: {
    cause: "The API key was revoked. Only the request's trace shows this.",
    remedy: 'Use another API key or create a new one: this one was revoked.',
  },
  api_key_inactive: {
    cause: "The API key is disabled (is_active is false). Only the request's trace shows this.",
    remedy: 'Enable the API key (PATCH is_active), or use another one.',
  },
  api_key_expired: {
    cause: "The API key has passed its expires_at. Only the request's trace shows this.",
    remedy: 'Use another API key or create a new one: this one has expired.',
  },
  other_project: {
    cause: "The path or X-Project-Id refers to a project other than the credential's.",
    remedy: 'Use a credential of the project in the path or X-Project-Id: this one belongs to another project.',
  },
  admin_in_production: {
    cause:
      "Only admins can change who a member is and where a member's token is sent in a production project: OAuth providers and clients, the settings oauth_member_id, approval_url and connect_url, and member_oauth, member_jwt and token_exchange of tools and MCP servers.",
    remedy: "Ask an admin: in production, only admins can change who a member is and where a member's token is sent.",
  },
  operator_only: {
    cause:
      "Only the operator and owners of the operator's organization can set this field: the plan or the number of requests per hour.",
    remedy:
      "Leave this field out, or ask an owner of the operator's organization to set it in the dashboard under Settings → Plan. The root key can set it too.",
  },
  root_key_calls_no_tools: {
    cause: 'The root key manages projects. It cannot call tools or use the MCP endpoint.',
    remedy: 'Use an API key or session token of the project: the root key cannot call tools.',
  },
  project_not_named: {
    cause: "The root key or a person's session was used on a path that does not include a project.",
    remedy: "Set the X-Project-Id header to the project's id: the root key and accounts do not belong to a project.",
  },
  account_only: {
    cause: 'This route is for people who are signed in. It accepts neither API keys nor the root key.',
    remedy: 'Sign in to the dashboard: this route is for people, not for keys.',
  },
  account_calls_no_tools: {
    cause: 'People can try tools over REST. The MCP endpoint does not accept a session cookie.',
    remedy: 'Use an API key or a session token: people can call tools only over REST, to try them.',
  },
  owner_only: {
    cause: 'Only an owner can make someone an owner, set up single sign-on or delete the organization.',
    remedy: 'Ask an owner of the organization.',
  },
  test_calls_per_hour: {
    cause: "In the last hour, people's test calls used up half of the requests that the project's plan allows.",
    remedy: "Retry after retry_after_seconds, or call the tool with one of the project's API keys.",
  },
  account_requests_per_hour: {
    cause: 'The person made more requests in the last hour than one person is allowed.',
    remedy: 'Retry after retry_after_seconds, and use an API key for programs that send many requests.',
  },
  failed_credentials_per_minute: {
    cause: 'Too many requests with an invalid credential came from this network within a minute.',
    remedy: 'Send a valid credential: only requests without one are refused.',
  },
  organization_project_limit: {
    cause: 'The organization has reached the number of projects that TOOLGATE_MAX_PROJECTS allows.',
    remedy: 'Delete projects that you no longer use, or ask the operator to raise TOOLGATE_MAX_PROJECTS.',
  },
  too_many_log_streams: {
    cause: 'The project already has 5 log streams.',
    remedy: 'Delete log streams that you no longer use.',
  },
  too_many_webhooks: {
    cause: 'The project has reached its maximum number of webhooks.',
    remedy: 'Delete webhooks that you no longer use.',
  },
  too_many_streams: {
    cause: 'The project has reached its maximum number of open call streams on this server.',
    remedy: 'Close call streams that you no longer read: a project can have at most 100 per server.',
  },
  too_many_tools: {
    cause: 'The project has reached its maximum number of tools.',
    remedy: 'Delete tools that you no longer use.',
  },
  tool_definitions_too_large: {
    cause: "The project's tool definitions have reached their maximum total size.",
    remedy: 'Delete tools that you no longer use, or shorten their schemas.',
  },
  arguments_too_large: {
    cause: "The call's arguments are larger than allowed.",
    remedy: 'Send smaller arguments.',
    advice: remedyForModel,
  },
  read_took_too_long: {
    cause: 'The query for analytics or a log took longer than 2 seconds and was cancelled.',
    remedy: 'Query less data: a shorter period between from and to, a coarser interval, or a filter such as tool_id.',
  },
  too_many_concurrent_requests: {
    cause: "The organization's projects have more requests in progress than its share allows.",
    remedy: 'Send fewer requests at the same time: all projects of an organization share a few database connections.',
  },
  invalid_multipart: {
    cause: 'The multipart/form-data body cannot be read.',
    remedy: 'Send a valid multipart/form-data body with the boundary that is given in Content-Type.',
  },
  not_a_project_id: {
    cause: 'The project in the path is not a valid id: it is a placeholder such as null, or was cut off.',
    remedy: "Put your project's id in the path: prj_ and 22 letters and digits (GET /api/v1/projects lists it).",
  },
  json_syntax: {
    cause: 'The body has a JSON syntax error.',
    remedy: 'Correct the JSON syntax of the body.',
  },
  json_utf8: {
    cause: 'The body has bytes that are not UTF-8.',
    remedy: 'Send the body in UTF-8.',
  },
  json_duplicate: {
    cause: 'An object in the body has the same field twice.',
    remedy: 'Send each field of an object once.',
  },
  json_depth: {
    cause: 'The body is nested more deeply than allowed.',
    remedy: 'Nest the body less deeply.',
  },
  json_size: {
    cause: 'The body has more fields and elements than allowed.',
    remedy: 'Send fewer fields and elements.',
  },
  json_prototype: {
    cause: "A field's name would change the prototype of JavaScript objects.",
    remedy: 'Remove fields that are named __proto__ or constructor.prototype.',
  },
  missing_field: {
    cause: 'A required field is missing.',
    remedy: 'Add the field, and correct all other fields listed in problems.',
  },
  unknown_field: {
    cause: 'This route has no such field. Unknown fields are refused, so that typos are never ignored.',
    remedy: 'Remove the field or correct its name, and correct all other fields listed in problems.',
  },
  invalid_value: {
    cause: "The field's value breaks the rule stated in problems.",
    remedy: 'Correct the value, and all other fields listed in problems.',
  },
  invalid_cursor: {
    cause: 'The cursor does not come from this list, or it was modified.',
    remedy: 'Send next_cursor of the previous page unchanged, or leave out cursor to start from the beginning.',
  },
  address_not_public: {
    cause: "The URL's IP address is private, loopback, link-local or reserved, and the operator has not allowed it.",
    remedy:
      'Use a host on the public internet, or ask the operator to add this host and port to TOOLGATE_EGRESS_ALLOW.',
    step: 'address',
  },
  document_too_large: {
    cause: 'The OpenAPI document has more operations, references or text than one import can read.',
    remedy: "Select some of the document's operations with include or exclude.",
  },
  names_taken: {
    cause: 'The project already has tools with names that this document would create.',
    remedy: 'Set on_conflict to skip or update, or leave these operations out with exclude.',
  },
} as const satisfies Record<string, ReasonRow>;
