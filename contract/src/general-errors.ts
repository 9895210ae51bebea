// The errors of every request.

import { type ErrorRow, type ReasonRow, remedyForModel } from './error-row.ts';

export const generalErrors = {
  invalidApiKey: {
    status: 401,
    code: 'INVALID_API_KEY',
    message: 'Invalid or inactive API key',
    cause:
      'The Authorization header is missing or malformed, or its token is unknown, inactive, revoked, expired or of another project. All of these look the same, so that nobody learns which keys exist.',
    remedy: 'Send an active API key or session token of this project as Authorization: Bearer <token>.',
    step: 'credential',
    hides_details: true,
  },
  insufficientPermissions: {
    status: 403,
    code: 'INSUFFICIENT_PERMISSIONS',
    message: 'Insufficient permissions',
    cause: 'The credential is valid and lacks the permission that this route requires.',
    remedy: 'Use an API key that has the permission.',
    step: 'permission',
  },
  rateLimitExceeded: {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Rate limit exceeded',
    cause: 'The project and its siblings made as many requests in the last hour as their plan allows.',
    remedy:
      'Retry after retry_after_seconds. An owner of the first organization can raise the limit in the dashboard under Settings → Plan; if you are not one, ask one of them.',
    step: 'rate_limit',
  },
  internal: {
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'Internal server error',
    cause: 'A mistake in this server. The response says nothing of its cause; the log of the server does.',
    remedy: 'Report the request_id to the operator of this server, whose log has the cause.',
    step: { request: 'answer', call_request: 'tool', call: 'upstream' },
    hides_details: true,
  },
  serviceUnavailable: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'Service unavailable',
    cause: 'The database cannot be reached, or the server is starting, stopping or busy.',
    remedy: 'Repeat the request after the seconds in Retry-After.',
    step: { request: 'answer', call_request: 'tool', call: 'upstream' },
  },
  malformedRequest: {
    status: 400,
    code: 'MALFORMED_REQUEST',
    message: 'Malformed request',
    cause: 'The request is not valid HTTP: two Host headers, a NUL character, a wrong Content-Length.',
    remedy: 'Send a valid HTTP request with one Host header and no NUL character in its URL.',
    step: 'body',
  },
  invalidJson: {
    status: 400,
    code: 'INVALID_JSON',
    message: 'Body is not valid JSON',
    cause: 'The body is not JSON that this server accepts.',
    remedy: 'Send a body that is valid JSON in UTF-8.',
    step: 'body',
  },
  validation: {
    status: 422,
    code: 'VALIDATION_ERROR',
    message: 'Validation error',
    cause: 'The body is JSON, and at least one field, parameter or header has a wrong value.',
    remedy: 'Correct the fields in problems.',
    step: { request: 'body', call_request: 'body', call: 'arguments' },
  },
  notFound: {
    status: 404,
    code: 'NOT_FOUND',
    message: 'Not found',
    cause: 'The path does not exist, or the project of the credential has no resource with this id.',
    remedy: 'Check the path and the id: it must belong to the project of the credential.',
    step: { request: 'answer', call_request: 'tool', call: 'tool' },
    over_mcp: 'error',
  },
  hostNotAllowed: {
    status: 403,
    code: 'HOST_NOT_ALLOWED',
    message: 'Host or Origin is not this server',
    cause: 'The Host or Origin header of the request to the MCP endpoint names another server than this one.',
    remedy: 'Set TOOLGATE_PUBLIC_URL to the address that clients use for this server.',
    step: 'permission',
  },
  methodNotAllowed: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'Method not allowed',
    cause: 'The path exists, and does not have this method.',
    remedy: 'Use one of the methods in the Allow header.',
    step: 'body',
  },
  nameTaken: {
    status: 409,
    code: 'NAME_TAKEN',
    message: 'Name already exists for this project',
    cause: 'Another resource of the project has this name.',
    remedy: 'Choose another name, or change the resource that has this one.',
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
    cause: 'A project and the siblings that its keys created are at most 100.',
    remedy: 'Delete projects that are not used, or ask the operator to create one with the root key.',
    step: 'answer',
  },
  limitReached: {
    status: 409,
    code: 'LIMIT_REACHED',
    message: 'Limit reached',
    cause: 'The project has as many of these resources as are allowed.',
    remedy: 'Delete what is not used.',
    step: 'answer',
  },
  bodyTooLarge: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    message: 'Body is too large',
    cause: 'The body is larger than this route allows; details.limit_bytes is the limit.',
    remedy: 'Send a smaller body.',
    step: { request: 'body', call_request: 'body', call: 'arguments' },
  },
  unsupportedMediaType: {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Content-Type must be application/json',
    cause: 'The Content-Type of the body is missing or is not JSON.',
    remedy: 'Send the body as JSON with Content-Type: application/json.',
    step: 'body',
  },
  headersTooLarge: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: 'Headers are too large',
    cause: 'The headers of the request are larger than 16 KiB together.',
    remedy: 'Send fewer or shorter headers.',
    step: 'body',
  },
  idempotencyKeyInUse: {
    status: 409,
    code: 'IDEMPOTENCY_KEY_IN_USE',
    message: 'Idempotency key in use',
    cause: 'The first request with this Idempotency-Key is still in progress.',
    remedy: 'Wait for the first request with this Idempotency-Key, then send this one again.',
    step: 'body',
  },
  idempotencyKeyReused: {
    status: 422,
    code: 'IDEMPOTENCY_KEY_REUSED',
    message: 'Idempotency key was used with another request',
    cause: 'This Idempotency-Key was sent before, with another body or to another path.',
    remedy: 'Use a new Idempotency-Key for another request.',
    step: 'body',
  },
  idempotencyAnswerNotKept: {
    status: 409,
    code: 'IDEMPOTENCY_ANSWER_NOT_KEPT',
    message: 'The request with this idempotency key was done; its answer is not kept',
    cause: 'The first request with this Idempotency-Key was done, and its response was too large to keep.',
    remedy: 'Read the result by the id in details: the request was done and must not be repeated.',
    step: 'body',
  },
} as const satisfies Record<string, ErrorRow>;

export const generalReasons = {
  api_key_revoked: {
    cause: 'The API key was revoked. Only the trace of the request says so.',
    remedy: 'Use another API key or create a new one: this one was revoked.',
  },
  api_key_inactive: {
    cause: 'The API key is switched off (is_active is false). Only the trace of the request says so.',
    remedy: 'Activate the API key (PATCH is_active), or use another one.',
  },
  api_key_expired: {
    cause: 'The API key is past its expires_at. Only the trace of the request says so.',
    remedy: 'Use another API key or create a new one: this one has expired.',
  },
  other_project: {
    cause: 'The path or X-Project-Id names another project than that of the credential.',
    remedy: 'Use a credential of the project that the path or X-Project-Id names: this one belongs to another.',
  },
  admin_in_production: {
    cause:
      'In production, only admins decide who a member is and where the token of a member goes: OAuth providers and clients, the settings oauth_member_id, approval_url and connect_url, and tools and MCP servers with member_oauth, member_jwt or token_exchange.',
    remedy:
      'Ask an admin: in production projects only admins decide who a member is and where the token of a member goes.',
  },
  operator_only: {
    cause:
      'The field is set by the operator only, and by owners of the first organization: a plan, or a number of requests per hour.',
    remedy:
      'Leave this field out, or ask an owner of the first organization to set it in the dashboard under Settings → Plan. The root key may set it too.',
  },
  root_key_calls_no_tools: {
    cause: 'The root key manages projects. It cannot call tools or open the MCP endpoint.',
    remedy: 'Use an API key or a session token of the project: the root key calls no tools.',
  },
  project_not_named: {
    cause: 'The root key, or the session of a person, was used on a path that names no project.',
    remedy: 'Name the project in the header X-Project-Id: the root key and accounts belong to none.',
  },
  account_only: {
    cause: 'The route is for people who are signed in. An API key and the root key are not accepted.',
    remedy: 'Sign in to the dashboard: this is for people, not for keys.',
  },
  account_calls_no_tools: {
    cause: 'A person tries tools over REST. The MCP endpoint takes no session cookie.',
    remedy: 'Use an API key or a session token: a person calls tools over REST only, to try them.',
  },
  owner_only: {
    cause: 'Only an owner decides who is an owner, sets up single sign-on, and deletes the organization.',
    remedy: 'Ask an owner of the organization.',
  },
  test_calls_per_hour: {
    cause: 'People tried tools of the project as often in the last hour as half of its plan allows.',
    remedy: 'Retry after retry_after_seconds, or call the tool with an API key of the project.',
  },
  account_requests_per_hour: {
    cause: 'The person made as many requests in the last hour as one person may.',
    remedy: 'Retry after retry_after_seconds. Use an API key for programs that send many requests.',
  },
  failed_credentials_per_minute: {
    cause: 'Too many requests with an invalid credential came from this network in a minute.',
    remedy: 'Send a valid credential: only requests without one are refused.',
  },
  organization_project_limit: {
    cause: 'The organization has as many projects as TOOLGATE_MAX_PROJECTS allows.',
    remedy: 'Delete projects that are not used, or ask the operator to raise TOOLGATE_MAX_PROJECTS.',
  },
  too_many_log_streams: {
    cause: 'The project has 5 log streams.',
    remedy: 'Delete log streams that are not used.',
  },
  too_many_webhooks: {
    cause: 'The project has as many webhooks as are allowed.',
    remedy: 'Delete webhooks that are not used.',
  },
  too_many_streams: {
    cause: 'The project has as many open streams of calls on this server as are allowed.',
    remedy: 'Close streams of calls that are not read: a project has at most 100 on a server.',
  },
  too_many_tools: {
    cause: 'The project has as many tools as are allowed.',
    remedy: 'Delete tools that are not used.',
  },
  tool_definitions_too_large: {
    cause: 'The definitions of the tools of the project have reached their total size.',
    remedy: 'Delete tools that are not used, or shorten their schemas.',
  },
  arguments_too_large: {
    cause: 'The arguments of the call are larger than allowed.',
    remedy: 'Send smaller arguments.',
    advice: remedyForModel,
  },
  read_took_too_long: {
    cause: 'The question about analytics or a log took longer than 2 seconds, and was ended.',
    remedy: 'Ask for less: a shorter period between from and to, a coarser interval, or a filter such as tool_id.',
  },
  too_many_concurrent_requests: {
    cause: 'The projects of the organization have more requests in progress than its share.',
    remedy: 'Send fewer requests at once: all projects of an organization share a few database connections.',
  },
  invalid_multipart: {
    cause: 'The multipart/form-data body cannot be read.',
    remedy: 'Send a valid multipart/form-data body, with the boundary that Content-Type names.',
  },
  not_a_project_id: {
    cause: 'The project in the path is not an id: a placeholder such as null, or an id that was cut off.',
    remedy: 'Put the id of your project into the path: prj_ and 22 letters and digits (GET /api/v1/projects lists it).',
  },
  json_syntax: {
    cause: 'The body has a syntax error in its JSON.',
    remedy: 'Correct the JSON syntax of the body.',
  },
  json_utf8: {
    cause: 'The body has bytes that are not UTF-8.',
    remedy: 'Send the body in UTF-8.',
  },
  json_duplicate: {
    cause: 'An object of the body has the same member twice.',
    remedy: 'Name each member of an object once.',
  },
  json_depth: {
    cause: 'The body is nested more deeply than allowed.',
    remedy: 'Nest the body less deeply.',
  },
  json_size: {
    cause: 'The body has more members and elements than allowed.',
    remedy: 'Send fewer members and elements.',
  },
  json_prototype: {
    cause: 'A member has a name that would change the prototype of objects in JavaScript.',
    remedy: 'Leave out members with the names __proto__ and constructor.prototype.',
  },
  missing_field: {
    cause: 'A required field is not there.',
    remedy: 'Add the field, and correct all other fields in problems.',
  },
  unknown_field: {
    cause: 'The route does not know this field. Unknown fields are refused, so that a typing mistake is never ignored.',
    remedy: 'Remove the field or correct its name, and correct all other fields in problems.',
  },
  invalid_value: {
    cause: 'The value of the field breaks the rule that problems states.',
    remedy: 'Correct the value, and all other fields in problems.',
  },
  invalid_cursor: {
    cause: 'The cursor was not made by this list, or was changed.',
    remedy: 'Pass next_cursor of the previous page unchanged, or leave cursor out to start from the beginning.',
  },
  address_not_public: {
    cause: 'The address is private, loopback, link-local or reserved, and the operator did not allow it.',
    remedy:
      'Use an address on the public internet, or ask the operator to add this host and port to TOOLGATE_EGRESS_ALLOW.',
    step: 'address',
  },
  document_too_large: {
    cause: 'The OpenAPI document has more operations, references or text than one import reads.',
    remedy: 'Select some operations of the document with include or exclude.',
  },
  names_taken: {
    cause: 'Tools of the project have names that the document would create.',
    remedy: 'Set on_conflict to skip or update, or leave these operations out with exclude.',
  },
} as const satisfies Record<string, ReasonRow>;
