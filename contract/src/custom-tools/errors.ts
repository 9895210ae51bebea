// The errors of definitions of tools.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const customToolsErrors = {
  baseUrlNotHttps: {
    status: 400,
    code: 'BASE_URL_NOT_HTTPS',
    message: 'base_url must use HTTPS',
    cause:
      "base_url does not begin with https://, and the operator has not allowed plain HTTP to this host and port. TLS protects credentials and members' data.",
    remedy:
      'Begin base_url with https://. To allow plain HTTP to this host and port, the operator adds http://host:port to TOOLGATE_EGRESS_ALLOW.',
    step: 'body',
  },
  baseUrlNotOrigin: {
    status: 400,
    code: 'BASE_URL_NOT_ORIGIN',
    message: 'base_url must be origin-only (no paths)',
    cause: 'base_url contains a path, a query, a fragment or a user name.',
    remedy: 'Move the path to endpoint_path: base_url has only a scheme, host and port.',
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
    cause: 'The auth_strategy requires a secret, and the tool has none.',
    remedy: 'Send the secret in encrypted_auth_secret, in plain text or as a JWE.',
    step: 'body',
  },
  memberIdWithoutMember: {
    status: 400,
    code: 'MEMBER_ID_WITHOUT_REQUIRE_MEMBER',
    message: 'endpoint_path uses {{member_id}} but require_member=False',
    cause: "endpoint_path contains a member's id, but the tool can be called without a member.",
    remedy: 'Set require_member to true, or remove {{member_id}} from endpoint_path.',
    step: 'body',
  },
  sampleToolsNotAllowed: {
    status: 403,
    code: 'SAMPLE_TOOLS_NOT_ALLOWED',
    message: 'The sample shop is for development projects',
    cause: 'The sample shop cannot be loaded into a production project.',
    remedy: 'Load the sample shop into a project whose environment is development.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const customToolsReasons = {
  tool_not_approved: {
    cause:
      "The project is in production, and calls to the tool would send a member's token, or a JWT about a member, to a destination that nobody with the permission admin has approved. Nothing was sent.",
    remedy:
      "Ask a project admin to review the tool's base_url, auth_strategy and auth_config, and to approve it (PATCH is_approved).",
  },
  placeholder_in_single_braces: {
    cause: 'endpoint_path has a placeholder in single braces, which would be sent literally.',
    remedy: 'Write each placeholder with two braces: {{id}}, not {id}.',
  },
} as const satisfies Record<string, ReasonRow>;
