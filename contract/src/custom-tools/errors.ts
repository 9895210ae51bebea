// The errors of definitions of tools.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const customToolsErrors = {
  baseUrlNotHttps: {
    status: 400,
    code: 'BASE_URL_NOT_HTTPS',
    message: 'base_url must use HTTPS',
    cause:
      'base_url does not begin with https://, and the operator has not allowed plain HTTP to this host and port. Credentials and data of members are sent over TLS otherwise.',
    remedy:
      'Begin base_url with https://. The operator can allow plain HTTP to this host and port: http://host:port in TOOLGATE_EGRESS_ALLOW.',
    step: 'body',
  },
  baseUrlNotOrigin: {
    status: 400,
    code: 'BASE_URL_NOT_ORIGIN',
    message: 'base_url must be origin-only (no paths)',
    cause: 'base_url has a path, a query, a fragment or a user name.',
    remedy: 'Put the path into endpoint_path: base_url is scheme, host and port only.',
    step: 'body',
  },
  endpointPathNotAbsolute: {
    status: 400,
    code: 'ENDPOINT_PATH_NOT_ABSOLUTE',
    message: 'endpoint_path must start with /',
    cause: 'endpoint_path does not begin with a slash.',
    remedy: 'Begin endpoint_path with /.',
    step: 'body',
  },
  authSecretRequired: {
    status: 400,
    code: 'AUTH_SECRET_REQUIRED',
    message: "encrypted_auth_secret is required when auth_strategy is 'hmac_signature'",
    cause: 'The auth_strategy needs a secret, and the tool has none.',
    remedy: 'Send the secret in encrypted_auth_secret, in plain text or as a JWE.',
    step: 'body',
  },
  memberIdWithoutMember: {
    status: 400,
    code: 'MEMBER_ID_WITHOUT_REQUIRE_MEMBER',
    message: 'endpoint_path uses {{member_id}} but require_member=False',
    cause: 'endpoint_path needs the id of a member, and the tool can be called without one.',
    remedy: 'Set require_member to true, or take {{member_id}} out of endpoint_path.',
    step: 'body',
  },
  sampleToolsNotAllowed: {
    status: 403,
    code: 'SAMPLE_TOOLS_NOT_ALLOWED',
    message: 'The sample shop is for development projects',
    cause: 'The sample shop was asked for in a project whose environment is production.',
    remedy: 'Load the sample shop into a project whose environment is development.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const customToolsReasons = {
  tool_not_approved: {
    cause:
      'The project is in production, and calls of the tool would send the token of a member, or a JWT about one, to a place that nobody with the permission admin has approved. Nothing was sent.',
    remedy:
      'Ask an admin of the project to look at base_url, auth_strategy and auth_config of the tool, and to approve it (PATCH is_approved).',
  },
  placeholder_in_single_braces: {
    cause: 'endpoint_path has a placeholder in single braces, which would be sent as it is.',
    remedy: 'Write each placeholder with two braces: {{id}}, not {id}.',
  },
} as const satisfies Record<string, ReasonRow>;
