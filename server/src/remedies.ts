// What to do about each reason for which a request is refused: one imperative sentence. Every code of errors.ts is a reason, in
// lower case; the others name one rule of several that share a code. A refusal may replace the sentence by one with numbers or names.

export const remedies = {
  // Credentials and permissions
  invalid_api_key: 'Send an active API key or session token of this project as Authorization: Bearer <token>.',
  api_key_revoked: 'Use another API key or create a new one: this one was revoked.',
  api_key_inactive: 'Activate the API key (PATCH is_active), or use another one.',
  api_key_expired: 'Use another API key or create a new one: this one has expired.',
  other_project: 'Use a credential of the project that the path or X-Project-Id names: this one belongs to another.',
  insufficient_permissions: 'Use an API key that has the permission.',
  operator_only:
    'Leave this field out, or ask the operator of this server: only the root key and the owners of the first organization set it.',
  root_key_calls_no_tools: 'Use an API key or a session token of the project: the root key calls no tools.',
  project_not_named: 'Name the project in the header X-Project-Id: the root key and accounts belong to none.',
  account_only: 'Sign in to the dashboard: this is for people, not for keys.',
  account_calls_no_tools: 'Use an API key or a session token: a person calls tools over REST only, to try them.',
  owner_only: 'Ask an owner of the organization.',
  host_not_allowed: 'Set TOOLGATE_PUBLIC_URL to the address that clients use for this server.',

  insufficient_scope: 'Sign in again with the scope mcp.',

  // Accounts
  not_signed_in: 'Sign in with POST /account/sign-in, whose answer sets the session cookie.',
  session_ended: 'Sign in again.',
  origin_not_allowed:
    'Open the dashboard at its own address (TOOLGATE_PUBLIC_URL), or use an API key: a cookie needs the Origin of this server.',
  sign_in_failed: 'Check the email address and the password.',
  totp_required: 'Send code from the authenticator app, or recovery_code, with the same email and password.',
  totp_invalid: 'Wait for the next code of the authenticator app and check the clock of the device.',
  recovery_code_invalid: 'Use another recovery code: each works once.',
  sign_in_delayed: 'Wait for retry_after_seconds, then try again.',
  password_incorrect: 'Send the current password of your account.',
  current_password_required: 'Send current_password: it is needed to change the email address or the password.',
  password_too_common: 'Choose another password: this one is among the first that are guessed.',
  email_taken: 'Use another email address.',
  setup_link_invalid: 'Open the newest link in the log of the server: each start prints one, valid for 30 minutes.',
  invitation_invalid: 'Ask for a new invitation: a link is valid for 7 days and works once.',
  invitation_exists: 'Resend the invitation, or delete it first.',
  organization_in_use: 'Delete the projects of the organization first.',
  first_organization: 'Keep this organization: the projects of the root key belong to it.',
  last_owner: 'Make another person an owner first.',
  totp_already_on: 'Turn two-factor authentication off first.',
  totp_not_pending: 'Ask for a new secret: POST /api/v1/account/totp.',
  totp_not_on: 'Turn two-factor authentication on first.',
  too_many_accounts: 'Remove people who have left the organization.',
  too_many_invitations: 'Delete invitations that are not needed.',
  too_many_password_checks: 'Try again after the seconds in Retry-After: many people sign in at this moment.',

  // OAuth
  oauth_invalid_request: 'Correct the parameters of the request.',
  oauth_invalid_client: 'Check the client_id and the client secret.',
  oauth_invalid_grant:
    'Sign in again: a code works once within 60 seconds, a refresh token until the next one is used.',
  oauth_invalid_scope: 'Ask for mcp, or for permissions that the provider of the project grants.',
  oauth_invalid_target: "Send the address of the project's MCP endpoint as resource.",
  oauth_unsupported_grant_type: 'Use authorization_code or refresh_token.',
  oauth_unsupported_response_type: 'Use response_type=code, or leave it out.',
  oauth_access_denied: 'Start again if the person changes their mind.',
  oauth_server_error: 'Enable an OAuth provider in the project.',
  oauth_invalid_redirect_uri: 'Use HTTPS, or HTTP on a loopback address, without a fragment.',
  oauth_invalid_client_metadata: 'Correct the metadata of the client.',
  unknown_oauth_client: 'Go back to the app. Its client_id is unknown.',
  redirect_uri_not_registered: 'Go back to the app. Its redirect_uri must be one of those that it registered.',
  sign_in_expired: 'Go back to the app and start again.',
  sign_in_from_other_site: 'Go back to the app and start again.',
  sign_in_refused: 'Try again, or sign in with another account.',
  sign_in_provider_unavailable: 'Try again in a moment.',
  verified_email_required: 'Verify your email address at the provider, then sign in again.',

  // Limits
  rate_limit_exceeded:
    'Retry after retry_after_seconds, or ask the operator of this server, who can change the plan of the project with the root key.',
  failed_credentials_per_minute: 'Send a valid credential: only requests without one are refused.',
  project_limit_reached: 'Delete projects that are not used, or ask the operator to create one with the root key.',
  organization_project_limit: 'Delete projects that are not used, or ask the operator to raise TOOLGATE_MAX_PROJECTS.',
  limit_reached: 'Delete what is not used.',
  too_many_api_keys: 'Delete API keys that are not used.',
  too_many_integrations: 'Delete integrations that are not used.',
  too_many_assertion_keys: 'Delete assertion keys that are not used.',
  too_many_webhooks: 'Delete webhooks that are not used.',
  too_many_oauth_providers: 'Delete OAuth providers that are not used.',
  too_many_oauth_clients: 'Delete OAuth clients that are not used.',
  too_many_streams: 'Close streams of calls that are not read: a project has at most 100 on a server.',
  too_many_tools: 'Delete tools that are not used.',
  tool_definitions_too_large: 'Delete tools that are not used, or shorten their schemas.',
  body_too_large: 'Send a smaller body.',
  arguments_too_large: 'Send smaller arguments.',
  headers_too_large: 'Send fewer or shorter headers.',
  service_unavailable: 'Repeat the request after the seconds in Retry-After.',
  too_many_concurrent_requests:
    'Send fewer requests at once: a project and its siblings share a few database connections.',

  // The request
  malformed_request: 'Send a valid HTTP request with one Host header and no NUL character in its URL.',
  invalid_multipart: 'Send a valid multipart/form-data body, with the boundary that Content-Type names.',
  request_timeout: 'Send the whole request without long pauses.',
  unsupported_media_type: 'Send the body as JSON with Content-Type: application/json.',
  method_not_allowed: 'Use one of the methods in the Allow header.',
  not_found: 'Check the path and the id: it must belong to the project of the credential.',
  not_a_project_id:
    'Put the id of your project into the path: prj_ and 22 letters and digits (GET /api/v1/projects lists it).',
  invalid_json: 'Send a body that is valid JSON in UTF-8.',
  json_syntax: 'Correct the JSON syntax of the body.',
  json_utf8: 'Send the body in UTF-8.',
  json_duplicate: 'Name each member of an object once.',
  json_depth: 'Nest the body less deeply.',
  json_size: 'Send fewer members and elements.',
  json_prototype: 'Leave out members with the names __proto__ and constructor.prototype.',
  validation_error: 'Correct the fields in problems.',
  missing_field: 'Add the field, and correct all other fields in problems.',
  unknown_field: 'Remove the field or correct its name, and correct all other fields in problems.',
  invalid_value: 'Correct the value, and all other fields in problems.',
  invalid_cursor: 'Pass next_cursor of the previous page unchanged, or leave cursor out to start from the beginning.',
  address_not_public:
    'Use an address on the public internet, or ask the operator to name this address and port in TOOLGATE_EGRESS_ALLOW.',
  internal_error: 'Report the request_id to the operator of this server, whose log has the cause.',

  // Resources
  document_too_large: 'Select some operations of the document with include or exclude.',
  sample_tools_not_allowed: 'Load the sample shop into a project whose environment is development.',
  name_taken: 'Choose another name, or change the resource that has this one.',
  names_taken: 'Set on_conflict to skip or update, or leave these operations out with exclude.',
  idempotency_key_in_use: 'Wait for the first request with this Idempotency-Key, then send this one again.',
  idempotency_key_reused: 'Use a new Idempotency-Key for another request.',
  idempotency_answer_not_kept: 'Read the result by the id in details: the request was done and must not be repeated.',
  api_key_not_active: 'Use or create an active key: a revoked or expired one cannot be changed back.',
  api_key_already_rotated: 'Rotate the successor instead: value has its id.',
  webhook_disabled: 'Enable the webhook first (PATCH is_enabled).',
  delivery_under_way: 'Wait until the attempt has ended, then redeliver.',

  // Member sessions
  member_required: 'Send member_assertion, a JWT that your backend signed for the member.',
  member_unresolved:
    'Set the claim sub to your own id of the person: 1 to 255 characters (POST /api/v1/assertion-keys/debug explains an assertion).',
  not_a_test_member: 'Name a test member, whose external id begins with test_: this project is in production.',
  external_id_unusable: 'Send your own id of the person: 1 to 255 characters, not blank, without control characters.',
  api_key_without_integration:
    'Create a key from an integration (POST /api/v1/projects/{project_id}/integrations/{id}/api-keys) and use it here.',
  member_external_id_disabled: 'Send member_assertion: in production only signed assertions are accepted.',
  assertion_missing_kid:
    'Set kid in the JWT header to the kid of a registered key (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_key_not_found:
    'Register the public key under this kid, or sign with an active one (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_aud_mismatch:
    'Set aud to service:project:<project id> of this API key (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_expired:
    'Sign a new assertion for each exchange and check the clock (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_invalid_signature:
    'Sign with the private key and the algorithm registered for this kid (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_malformed:
    'Send a compact JWT with the header members alg, kid and typ only, and with exp (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_ttl_too_long:
    'Let exp be at most 60 seconds after now and iat (POST /api/v1/assertion-keys/debug explains an assertion).',
  assertion_replayed:
    'Sign a new assertion with a new jti for each exchange (POST /api/v1/assertion-keys/debug explains an assertion).',
  member_session_expired: 'Exchange a new assertion for a new session token: one lasts 15 minutes.',

  // Assertion keys
  invalid_public_key: 'Send one PEM block that begins with -----BEGIN PUBLIC KEY-----.',
  unsupported_algorithm: 'Set algorithm to ES256, ES384, Ed25519 or RS256.',
  kid_already_exists: 'Choose another kid, or deactivate the key that has this one.',
  private_key:
    'Send the public key only (openssl pkey -in private.pem -pubout), and replace this private key if others saw it.',
  certificate: 'Send the public key of the certificate: openssl x509 -in certificate.pem -pubkey -noout.',
  ssh_public_key: 'Convert the SSH key to PEM: ssh-keygen -e -m PKCS8 -f key.pub.',
  pkcs1_public_key: 'Convert the PKCS#1 key: openssl rsa -RSAPublicKey_in -in key.pem -pubout.',
  json_web_key: 'Send the key as PEM (SubjectPublicKeyInfo) and not as a JWK.',
  escaped_line_breaks: 'Replace each backslash followed by n with a line break: the text was escaped twice.',
  one_line: 'Put a line break after -----BEGIN PUBLIC KEY----- and before -----END PUBLIC KEY-----.',
  not_pem: 'Send a PEM that begins with -----BEGIN PUBLIC KEY-----.',
  several_keys: 'Send one key, and register each further one by itself.',
  damaged_pem: 'Send the whole PEM file unchanged, with nothing before or after it.',
  pem_too_long: 'Send one public key as PEM of at most 4,096 characters.',
  algorithm_mismatch: 'Register the key with the algorithm that it is for.',
  unsupported_curve: 'Send a key on the named curve P-256 (ES256) or P-384 (ES384), with an uncompressed point.',
  unsupported_key: 'Send a key for the algorithm.',
  rsa_too_short: 'Generate an RSA key of 2,048 to 8,192 bits.',
  rsa_too_long: 'Generate an RSA key of 2,048 to 8,192 bits.',
  unsafe_key: 'Generate a new key pair: this key is not safe.',

  // Definitions of tools
  base_url_not_https: 'Begin base_url with https://.',
  base_url_not_origin: 'Put the path into endpoint_path: base_url is scheme, host and port only.',
  endpoint_path_not_absolute: 'Begin endpoint_path with /.',
  auth_secret_required: 'Send the secret in encrypted_auth_secret, in plain text or as a JWE.',
  member_id_without_require_member: 'Set require_member to true, or take {{member_id}} out of endpoint_path.',
  placeholder_in_single_braces: 'Write each placeholder with two braces: {{id}}, not {id}.',

  // Calls of tools
  reserved_variable: 'Leave this argument out: it is filled in for you.',
  invalid_arguments: 'Correct the arguments in problems and call the tool again.',
  arguments_not_wrapped: 'Put the arguments of the tool into the member arguments: {"arguments": {…}}.',
  tool_not_enabled: 'Enable the tool: POST /api/v1/custom-tools/{id or name}/enable.',
  member_context_required: 'Call the tool with a session token of a member (POST /api/v1/mcp/session-token).',
  tool_execution_failed: 'Try again, and report the request_id to the operator of this server if it fails again.',
  tool_timed_out: 'Make the API answer faster, or raise timeout_ms of the tool.',
  auth_secret_unreadable: 'Save the secret of the tool again: PATCH encrypted_auth_secret.',
  upstream_status: 'Read upstream_status and body in details: the API answered so.',
  token_endpoint_refused: 'Check token_url, client_id and the secret of the tool: the token endpoint refused them.',
  upstream_connection:
    'Check that the API at base_url can be reached from the internet; a write key of a development project is told the reason.',
  host_not_resolved:
    'Check that the host name resolves to an address on the public internet; the operator can allow a private one with TOOLGATE_EGRESS_ALLOW.',
  host_unreachable: 'Check that the address of the host can be reached from the internet.',
  connection_refused: 'Check that the API is running and listens on this port.',
  connect_timed_out: 'Check that a firewall lets this server connect to the API.',
  connection_closed: 'Find out why the API closed the connection before its answer was complete.',
  certificate_not_accepted:
    'Install a certificate that is valid for this host name, with its intermediate certificates; NODE_EXTRA_CA_CERTS trusts a private authority.',
  tls_failed: 'Check that the API speaks HTTPS (TLS 1.2 or later) on this port.',
  malformed_response: 'Make the API answer with valid HTTP/1.1, uncompressed or as gzip, deflate or br.',
  circuit_open: 'Make the API reachable: after several failed connections it is tried again within a minute.',
  caller_gone: 'Keep the connection open until the answer arrives.',
  output_schema_mismatch: 'Correct output_schema, or the answer of the API.',

  // OAuth
  member_sign_in_required: 'Ask the user to open sign_in_url in a browser. After that, call the tool again.',
  oauth_provider_deleted: 'Set auth_config.oauth_provider_id of the tool to an OAuth provider of the project.',
  oauth_provider_disabled: 'Enable the OAuth provider of the tool.',
  connect_link_invalid: 'Call the tool again to get a new link.',
  public_client_without_secret: 'Use the client without a secret, or create a confidential one.',
  id_taken: 'Choose another random id, or leave it out.',
  field_not_changeable: 'Leave the field out, or create another resource.',

  // Protocol errors of MCP
  parse_error: 'Send one JSON-RPC 2.0 message as JSON in UTF-8.',
  invalid_request: 'Send a JSON-RPC 2.0 request as the MCP specification describes it.',
  method_not_found: 'Use a method that the MCP specification has for servers with tools.',
  invalid_params: 'Correct the parameters of the method.',
  header_mismatch: 'Send the same values in the MCP headers and in the body.',
  missing_client_capability: 'Declare the capability in _meta, or call another tool.',
  unsupported_protocol_version: 'Use one of the revisions in supported.',
  unknown_tool: 'Call a tool that tools/list returns.',
} as const satisfies Record<string, string>;

/** Which rule refused a request. */
export type Reason = keyof typeof remedies;

export function isReason(text: string): text is Reason {
  return Object.hasOwn(remedies, text);
}
