// Why a request is refused, for each reason: one sentence for the page of errors (http/errors-page.ts, docs/reference/errors.md).
// remedies.ts says what to do about it.

import type { Reason } from './remedies.ts';

export const causes: Record<Reason, string> = {
  // Credentials and permissions
  invalid_api_key:
    'The Authorization header is missing or malformed, or its token is unknown, inactive, revoked, expired or of another project. All of these look the same, so that nobody learns which keys exist.',
  api_key_revoked: 'The API key was revoked. Only the trace of the request says so.',
  api_key_inactive: 'The API key is switched off (is_active is false). Only the trace of the request says so.',
  api_key_expired: 'The API key is past its expires_at. Only the trace of the request says so.',
  other_project: 'The path or X-Project-Id names another project than that of the credential.',
  insufficient_permissions: 'The credential is valid and lacks the permission that this route requires.',
  operator_only:
    'The field is set by the operator only, and by owners of the first organization: a plan, or a number of requests per hour.',
  root_key_calls_no_tools: 'The root key manages projects. It cannot call tools or open the MCP endpoint.',
  project_not_named: 'The root key, or the session of a person, was used on a path that names no project.',
  account_only: 'The route is for people who are signed in. An API key and the root key are none.',
  account_calls_no_tools: 'A person tries tools over REST. The MCP endpoint takes no session cookie.',
  owner_only: 'Only an owner decides who is an owner, and deletes the organization.',
  host_not_allowed: 'The Host or Origin header of the request to the MCP endpoint names another server than this one.',
  insufficient_scope:
    'The person signed in for the management API only: the token has permissions and not the scope mcp.',

  // Accounts
  not_signed_in: 'There is no session cookie: nobody has signed in with this browser, or the person has signed out.',
  session_ended:
    'The session of the cookie has ended: after 12 hours without use, after 7 days, by signing out, by a new password, or because the account was removed.',
  origin_not_allowed:
    'The request has the session cookie and comes from a page of another site, or changes something and does not say which page it comes from.',
  sign_in_failed: 'There is no account with this email address, or the password is another. Both look the same.',
  totp_required: 'The password is right, and the account has two-factor authentication on.',
  totp_invalid:
    'The code is not one of the last, the current or the next 30 seconds, or it, or a newer one, was used already.',
  recovery_code_invalid: 'The recovery code is none of those that are left.',
  sign_in_delayed:
    'Five sign-ins with this email address, or from this network, have failed. Each further failure makes the wait twice as long, up to 15 minutes.',
  password_incorrect: 'The change needs the password of the account, and another text was sent.',
  current_password_required: 'A new email address or password was sent without the current password.',
  password_too_common: 'The password is common, a sequence, one repeated character, or the email address itself.',
  email_taken: 'Another account has this email address. An address belongs to one account.',
  setup_link_invalid: 'The token of the set-up link is unknown or older than 30 minutes.',
  invitation_invalid:
    'The invitation is older than 7 days, was accepted, deleted or sent anew, or the person who made it may no longer make it.',
  invitation_exists: 'An invitation of this email address is open.',
  organization_in_use: 'An organization is deleted only when it has no projects.',
  first_organization: 'The first organization is that of the operator, and owns the projects that the root key makes.',
  last_owner: 'The change would leave the organization without an owner.',
  totp_already_on: 'The account has a secret that was confirmed.',
  totp_not_pending: 'No secret was made, or it was confirmed already.',
  totp_not_on: 'The account has no second factor.',

  // OAuth
  oauth_invalid_request: 'A parameter is missing, repeated, malformed or in the wrong place.',
  oauth_invalid_client: 'The client_id is unknown, or the client secret is missing or wrong.',
  oauth_invalid_grant:
    'The code or the refresh token is unknown, expired, used already, revoked, or was issued to another client or redirect_uri.',
  oauth_invalid_scope: 'No scope that was asked for is both known and granted by the OAuth provider of the project.',
  oauth_invalid_target: 'The resource is not the address of an MCP endpoint of this project.',
  oauth_unsupported_grant_type: 'The token endpoint knows the grant types authorization_code and refresh_token only.',
  oauth_unsupported_response_type: 'Only the authorization code flow is supported.',
  oauth_access_denied: 'The person, or the provider where they signed in, denied the access.',
  oauth_server_error: 'The project has no OAuth provider, or all of them are disabled.',
  oauth_invalid_redirect_uri: 'A redirect URI of the client is not an allowed address.',
  oauth_invalid_client_metadata: 'A member of the client metadata is wrong.',
  unknown_oauth_client: 'No client with this client_id exists, or it was deleted.',
  redirect_uri_not_registered:
    'The redirect_uri differs from those that the client registered. They are compared exactly.',
  sign_in_expired:
    'The sign-in was begun more than 10 minutes ago or in another browser, or this step of it was done already.',
  sign_in_from_other_site: 'The browser says that a page of another site sent this form.',
  sign_in_refused: 'The provider answered with an error, or its answer did not pass the checks.',
  sign_in_provider_unavailable: 'The provider could not be reached, or did not answer in time.',
  verified_email_required: 'The project accepts only people whose email address the provider has verified.',

  // Limits
  rate_limit_exceeded: 'The project and its siblings made as many requests in the last hour as their plan allows.',
  failed_credentials_per_minute: 'Too many requests with an invalid credential came from this network in a minute.',
  project_limit_reached: 'A project and the siblings that its keys created are at most 100.',
  organization_project_limit: 'The organization has as many projects as TOOLGATE_MAX_PROJECTS allows.',
  limit_reached: 'The project has as many of these resources as are allowed.',
  too_many_api_keys: 'The project has as many API keys as are allowed.',
  too_many_integrations: 'The project has as many integrations as are allowed.',
  too_many_assertion_keys: 'The project has as many assertion keys as are allowed.',
  too_many_webhooks: 'The project has as many webhooks as are allowed.',
  too_many_oauth_providers: 'The project has as many OAuth providers as are allowed.',
  too_many_oauth_clients: 'The project has as many OAuth clients as are allowed.',
  too_many_accounts: 'The organization has as many people as are allowed.',
  too_many_invitations: 'The organization has as many open invitations as are allowed.',
  too_many_password_checks: 'More people sign in at this moment than passwords can be checked.',
  too_many_streams: 'The project has as many open streams of calls on this server as are allowed.',
  too_many_tools: 'The project has as many tools as are allowed.',
  tool_definitions_too_large: 'The definitions of the tools of the project have reached their total size.',
  body_too_large: 'The body is larger than this route allows; details.limit_bytes is the limit.',
  arguments_too_large: 'The arguments of the call are larger than allowed.',
  headers_too_large: 'The headers of the request are larger than 16 KiB together.',
  service_unavailable: 'The database cannot be reached, or the server is starting, stopping or busy.',
  too_many_concurrent_requests: 'The project and its siblings have more requests in progress than their share.',

  // The request
  malformed_request: 'The request is not valid HTTP: two Host headers, a NUL character, a wrong Content-Length.',
  invalid_multipart: 'The multipart/form-data body cannot be read.',
  request_timeout: 'The request did not arrive completely within 30 seconds.',
  unsupported_media_type: 'The Content-Type of the body is missing or is not JSON.',
  method_not_allowed: 'The path exists, and does not have this method.',
  not_found: 'The path does not exist, or the project of the credential has no resource with this id.',
  not_a_project_id: 'The project in the path is not an id: a placeholder such as null, or an id that was cut off.',
  invalid_json: 'The body is not JSON that this server accepts.',
  json_syntax: 'The body has a syntax error in its JSON.',
  json_utf8: 'The body has bytes that are not UTF-8.',
  json_duplicate: 'An object of the body has the same member twice.',
  json_depth: 'The body is nested more deeply than allowed.',
  json_size: 'The body has more members and elements than allowed.',
  json_prototype: 'A member has a name that would change the prototype of objects in JavaScript.',
  validation_error: 'The body is JSON, and at least one field, parameter or header has a wrong value.',
  missing_field: 'A required field is not there.',
  unknown_field:
    'The route does not know this field. Unknown fields are refused, so that a typing mistake is never ignored.',
  invalid_value: 'The value of the field breaks the rule that problems states.',
  invalid_cursor: 'The cursor was not made by this list, or was changed.',
  address_not_public: 'The address is private, loopback, link-local or reserved, and the operator did not allow it.',
  internal_error: 'A mistake in this server. The response says nothing of its cause; the log of the server does.',

  // Resources
  document_too_large: 'The OpenAPI document has more operations, references or text than one import reads.',
  sample_tools_not_allowed: 'The sample shop was asked for in a project whose environment is production.',
  name_taken: 'Another resource of the project has this name.',
  names_taken: 'Tools of the project have names that the document would create.',
  idempotency_key_in_use: 'The first request with this Idempotency-Key is still in progress.',
  idempotency_key_reused: 'This Idempotency-Key was sent before, with another body or to another path.',
  idempotency_answer_not_kept:
    'The first request with this Idempotency-Key was done, and its answer was too large to keep.',
  api_key_not_active: 'The API key was revoked or has expired. Both are final.',
  api_key_already_rotated: 'The API key has a successor already.',
  webhook_disabled: 'The webhook is not enabled, so nothing is sent to it.',
  delivery_under_way: 'An attempt of the delivery is in progress.',

  // Member sessions
  member_required: 'The body has neither member_assertion nor member_external_id.',
  member_unresolved: 'No member can be made from the claim sub or from member_external_id.',
  not_a_test_member:
    'In production a person tries a tool only for a member whose external id begins with test_, so that nobody acts for a real one.',
  external_id_unusable: 'member_external_id is empty, too long, blank or has control characters.',
  api_key_without_integration:
    'The API key was created from the project. Only a key of an integration creates sessions.',
  member_external_id_disabled: 'The project is in production, where a member is identified by a signed assertion only.',
  assertion_missing_kid: 'The header of the JWT has no kid.',
  assertion_key_not_found: 'The project has no active assertion key with the kid of the JWT.',
  assertion_aud_mismatch: 'The claim aud is not service:project: followed by the id of this project.',
  assertion_expired: 'The claim exp is in the past.',
  assertion_invalid_signature: 'The signature does not match the registered public key, or alg is another algorithm.',
  assertion_malformed:
    'The assertion is not a compact JWT, or a member of its header or claims is missing or not allowed.',
  assertion_ttl_too_long: 'The assertion is valid for more than 60 seconds.',
  assertion_replayed: 'An assertion with this jti was exchanged before.',
  member_session_expired: 'The session token is older than 15 minutes.',

  // Assertion keys
  invalid_public_key: 'The text is not one public key in PEM (SubjectPublicKeyInfo) that fits the algorithm.',
  unsupported_algorithm: 'The algorithm is none of ES256, ES384, Ed25519 and RS256.',
  kid_already_exists: 'An active assertion key of the project has this kid.',
  private_key: 'The text is a private key. It was not stored.',
  certificate: 'The text is a certificate and not a public key.',
  ssh_public_key: 'The text is a public key in the format of OpenSSH.',
  pkcs1_public_key: 'The text is an RSA key in PKCS#1, which begins with BEGIN RSA PUBLIC KEY.',
  json_web_key: 'The text is a JSON Web Key.',
  escaped_line_breaks: 'The text has the characters backslash and n where a PEM has line breaks.',
  one_line: 'The PEM has no line breaks.',
  not_pem: 'The text has no PEM block.',
  several_keys: 'The text has more than one PEM block.',
  damaged_pem: 'The PEM cannot be decoded: it was cut off, or has other text in it.',
  pem_too_long: 'The text is longer than any accepted key.',
  algorithm_mismatch: 'The key is for another algorithm than the one that was sent.',
  unsupported_curve: 'The key is on another curve, or is not encoded with a named curve and an uncompressed point.',
  unsupported_key: 'The key is of a kind that no accepted algorithm uses.',
  rsa_too_short: 'The RSA key has fewer than 2,048 bits.',
  rsa_too_long: 'The RSA key has more than 8,192 bits.',
  unsafe_key: 'The key has a known weakness, so that its private part can be computed.',

  // Definitions of tools
  base_url_not_https: 'base_url does not begin with https://. Credentials and data of members are sent over TLS only.',
  base_url_not_origin: 'base_url has a path, a query, a fragment or a user name.',
  endpoint_path_not_absolute: 'endpoint_path does not begin with a slash.',
  auth_secret_required: 'The auth_strategy needs a secret, and the tool has none.',
  member_id_without_require_member: 'endpoint_path needs the id of a member, and the tool can be called without one.',
  placeholder_in_single_braces: 'endpoint_path has a placeholder in single braces, which would be sent as it is.',

  // Calls of tools
  reserved_variable:
    'The arguments name project_id, integration_id or member_id, which only this server sets. Nothing was sent.',
  invalid_arguments: 'The arguments do not match input_schema of the tool. Nothing was sent.',
  arguments_not_wrapped: 'The body has the arguments of the tool where the member arguments belongs.',
  tool_not_enabled: 'The tool is disabled. Imported tools are created disabled.',
  member_context_required: 'The tool requires a member, and the call was made with an API key.',
  tool_execution_failed: 'The call could not be made, for a reason on this server.',
  tool_timed_out: 'The API behind the tool did not answer within timeout_ms of the tool.',
  auth_secret_unreadable:
    'The stored secret of the tool cannot be decrypted: it was sealed for another key, or is damaged.',
  upstream_status: 'The API behind the tool answered with another status than 2xx. Redirects are not followed.',
  token_endpoint_refused: 'The token endpoint of the tool gave no access token.',
  upstream_connection: 'No complete answer came from the API behind the tool.',
  host_not_resolved: 'The host name of base_url does not resolve to an address that may be called.',
  host_unreachable: 'There is no route to the address of the host.',
  connection_refused: 'Nothing listens on the port of base_url.',
  connect_timed_out: 'The connection to the host was not established in time.',
  connection_closed: 'The API closed the connection before its answer was complete.',
  certificate_not_accepted: 'The certificate of the API is expired, self-signed, incomplete or for another host name.',
  tls_failed: 'The TLS handshake with the API failed.',
  malformed_response: 'The answer of the API is not valid HTTP/1.1, or is compressed in another way than it says.',
  circuit_open: 'Connections to this host failed several times in a row, so no further one is tried for a while.',
  caller_gone: 'The caller disconnected before the answer. This status is only in the log and in traces.',
  output_schema_mismatch: 'The answer of the API does not match output_schema of the tool.',

  // Connected accounts and OAuth resources
  member_sign_in_required:
    'The tool uses an account of the member, who has not connected one, or whose connection has ended.',
  oauth_provider_deleted: 'The OAuth provider that the tool names does not exist any more.',
  oauth_provider_disabled: 'The OAuth provider that the tool names is disabled.',
  connect_link_invalid: 'The link is older than its lifetime, was used, or its provider is not enabled any more.',
  public_client_without_secret: 'A public client has no secret that could be rotated.',
  id_taken: 'Another resource has the id that the request chose.',
  field_not_changeable: 'The field is fixed when the resource is created.',

  // Protocol errors of MCP
  parse_error: 'The body is not JSON.',
  invalid_request: 'The message is not a valid JSON-RPC 2.0 request, or not one of this revision of MCP.',
  method_not_found: 'This server does not have the method.',
  invalid_params: 'The parameters of the method are wrong; the message names the parameter.',
  header_mismatch: 'A header of MCP says something else than the body.',
  missing_client_capability: 'The tool needs a capability that the client did not declare.',
  unsupported_protocol_version: 'The server does not speak the revision of MCP that the client asked for.',
  unknown_tool: 'No tool with this name exists in the project, or it is not visible to this credential.',
};
