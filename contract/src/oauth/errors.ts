// The errors of OAuth: its endpoints, its pages and connected accounts.

import type { ErrorRow, ReasonRow } from '../error-row.ts';
import { type IdJagCheck, idJagChecks, idJagRequirements } from '../oauth-providers/rules.ts';

export const oauthErrors = {
  oauthInvalidRequest: {
    status: 400,
    code: 'OAUTH_INVALID_REQUEST',
    message: 'Invalid OAuth request',
    cause: 'A parameter is missing, repeated, malformed or in the wrong place.',
    remedy: "Correct the request's parameters.",
    step: 'body',
  },
  oauthInvalidClient: {
    status: 401,
    code: 'OAUTH_INVALID_CLIENT',
    message: 'Client authentication failed',
    cause: 'The client_id is unknown, or the client secret or the client assertion is missing or wrong.',
    remedy: 'Check the client_id, and the client secret or the client assertion.',
    step: 'credential',
  },
  oauthUnauthorizedClient: {
    status: 400,
    code: 'OAUTH_UNAUTHORIZED_CLIENT',
    message: 'The client may not use this grant type',
    cause: "The client's grant_types do not include the grant type of the request.",
    remedy: "Add the grant type to the client's grant_types, or use another client.",
    step: 'permission',
  },
  oauthInvalidGrant: {
    status: 400,
    code: 'OAUTH_INVALID_GRANT',
    message: 'The code, refresh token or assertion is invalid, expired or revoked',
    cause:
      'The code, refresh token or assertion is unknown, expired, already used, revoked, not trusted, or was issued for another client or redirect_uri.',
    remedy: 'Sign in again: a code works once within 60 seconds, a refresh token until its successor is used.',
    step: 'credential',
  },
  oauthInvalidScope: {
    status: 400,
    code: 'OAUTH_INVALID_SCOPE',
    message: 'None of the requested scopes can be granted',
    cause: "No requested scope is both known and granted by the project's OAuth provider.",
    remedy: "Request mcp, or permissions that the project's provider grants.",
    step: 'body',
  },
  oauthInvalidTarget: {
    status: 400,
    code: 'OAUTH_INVALID_TARGET',
    message: 'The resource is not an MCP endpoint of this project',
    cause: "The resource is not the URL of one of this project's MCP endpoints.",
    remedy: "Send the URL of the project's MCP endpoint as resource.",
    step: 'body',
  },
  oauthUnsupportedGrantType: {
    status: 400,
    code: 'OAUTH_UNSUPPORTED_GRANT_TYPE',
    message: 'Unsupported grant type',
    cause: 'The token endpoint does not support this grant type.',
    remedy: 'Use authorization_code, refresh_token, client_credentials or urn:ietf:params:oauth:grant-type:jwt-bearer.',
    step: 'body',
  },
  oauthUnsupportedResponseType: {
    status: 400,
    code: 'OAUTH_UNSUPPORTED_RESPONSE_TYPE',
    message: 'response_type must be code',
    cause: 'Only the authorization code flow is supported.',
    remedy: 'Use response_type=code, or leave it out.',
    step: 'body',
  },
  oauthAccessDenied: {
    status: 403,
    code: 'OAUTH_ACCESS_DENIED',
    message: 'Access was denied',
    cause: 'The person denied access, or the provider where they signed in did.',
    remedy: 'Start again if the person changes their mind.',
    step: 'permission',
  },
  oauthNoProvider: {
    status: 500,
    code: 'OAUTH_SERVER_ERROR',
    message: 'The project has no enabled OAuth provider',
    cause: 'The project has no OAuth provider, or all of them are disabled.',
    remedy: 'Enable an OAuth provider in the project.',
    step: 'answer',
  },
  oauthInvalidRedirectUri: {
    status: 400,
    code: 'OAUTH_INVALID_REDIRECT_URI',
    message: 'Invalid redirect URI',
    cause: "One of the client's redirect URIs is not allowed.",
    remedy: 'Use HTTPS, or HTTP on a loopback address, without a fragment.',
    step: 'body',
  },
  oauthInvalidClientMetadata: {
    status: 400,
    code: 'OAUTH_INVALID_CLIENT_METADATA',
    message: 'Invalid client metadata',
    cause: 'A field of the client metadata is wrong.',
    remedy: "Correct the client's metadata.",
    step: 'body',
  },
  insufficientScope: {
    status: 403,
    code: 'INSUFFICIENT_SCOPE',
    message: 'The token lacks the scope mcp',
    cause: 'The person signed in for the management API only: the token has permissions, but not the scope mcp.',
    remedy: 'Sign in again with the scope mcp.',
    step: 'permission',
  },
  toolNotGranted: {
    status: 403,
    code: 'TOOL_NOT_GRANTED',
    message: 'The person has not granted access to this tool',
    cause:
      'The token covers other toolsets; or the tool joined its toolset, or stopped being read-only, after the person approved it.',
    remedy: 'Send the person to authorize again with the scopes in required_scope.',
    step: 'toolset',
  },
  unknownOAuthClient: {
    status: 400,
    code: 'UNKNOWN_OAUTH_CLIENT',
    message: 'This app is not known here',
    cause: 'No client with this client_id exists, or it was deleted.',
    remedy: 'Go back to the app: its client_id is unknown.',
    step: 'body',
  },
  redirectUriNotRegistered: {
    status: 400,
    code: 'REDIRECT_URI_NOT_REGISTERED',
    message: 'This app sent a redirect URI that is not registered',
    cause: 'The redirect_uri differs from those that the client registered. They must match exactly.',
    remedy: 'Go back to the app: its redirect_uri must be one that it registered.',
    step: 'body',
  },
  signInExpired: {
    status: 400,
    code: 'SIGN_IN_EXPIRED',
    message: 'This sign-in has expired',
    cause: 'The sign-in started more than 10 minutes ago or in another browser, or this step was already completed.',
    remedy: 'Go back to the app and start again.',
    step: 'body',
  },
  otherMember: {
    status: 403,
    code: 'OTHER_MEMBER',
    message: 'You signed in as someone else',
    cause: 'The link is for one member, but another person signed in at the provider.',
    remedy: 'Open the link again and sign in with the account that you use in the app.',
    step: 'body',
  },
  signInFromOtherSite: {
    status: 403,
    code: 'SIGN_IN_FROM_OTHER_SITE',
    message: 'This form was sent from another site',
    cause: 'The browser reports that a page of another site sent this form.',
    remedy: 'Go back to the app and start again.',
    step: 'body',
  },
  signInRefused: {
    status: 403,
    code: 'SIGN_IN_REFUSED',
    message: 'The provider did not accept the sign-in',
    cause: 'The provider returned an error, or its response did not pass the checks.',
    remedy: 'Try again, or sign in with another account.',
    step: 'body',
  },
  signInProviderUnavailable: {
    status: 502,
    code: 'SIGN_IN_PROVIDER_UNAVAILABLE',
    message: 'The provider cannot be reached',
    cause: 'The provider could not be reached, or did not respond in time.',
    remedy: 'Try again in a moment.',
    step: 'body',
  },
  verifiedEmailRequired: {
    status: 403,
    code: 'VERIFIED_EMAIL_REQUIRED',
    message: 'The provider has no verified email address for you',
    cause: 'The project accepts only people whose email address the provider has verified.',
    remedy: 'Verify your email address at the provider, then sign in again.',
    step: 'body',
  },
  memberOfOtherProvider: {
    status: 403,
    code: 'MEMBER_OF_OTHER_PROVIDER',
    message: 'This email address belongs to a member who signs in at another provider',
    cause:
      'The project identifies members by their email address, and the member with this one first signed in with another provider of the project.',
    remedy: 'Sign in with the provider that you used first.',
    step: 'body',
  },
  connectLinkInvalid: {
    status: 410,
    code: 'CONNECT_LINK_INVALID',
    message: 'This link has expired or was already used',
    cause: 'The link has expired or was already used, or its provider is disabled.',
    remedy: 'Call the tool again to get a new link.',
    step: 'body',
  },
} as const satisfies Record<string, ErrorRow>;

/** The checks of an ID-JAG, as reasons in traces. */
const idJagReasons = Object.fromEntries(
  idJagChecks.map((check) => [
    `id_jag_${check}`,
    {
      cause: `An ID-JAG failed the check ${check}: ${idJagRequirements[check]}`,
      remedy:
        'Send the assertion to POST /projects/{id}/oauth-providers/{id}/debug-id-jag, which explains what is wrong.',
    },
  ]),
) as Record<`id_jag_${IdJagCheck}`, ReasonRow>;

export const oauthReasons = {
  ...idJagReasons,
  not_an_integration_key: {
    cause: 'Only a key of an integration that the member came through can act for the member.',
    remedy: "Use an API key of the integration that created the member's session.",
  },
  connect_url_not_set: {
    cause: 'Assertions identify this member, and the project has no page where such members connect an account.',
    remedy: "Set the project's connect_url to your page where members connect an account.",
  },
  email_not_an_address: {
    cause: "The provider returned an invalid email address, which could be mistaken for another member's id.",
    remedy: 'Correct your email address at the provider, then sign in again.',
  },
  oauth_provider_deleted: {
    cause: "The OAuth provider in the tool's auth_config no longer exists.",
    remedy: "Set the tool's auth_config.oauth_provider_id to one of the project's OAuth providers.",
  },
  oauth_provider_not_approved: {
    cause: "The project is in production, and nobody with the permission admin has approved the tool's OAuth provider.",
    remedy:
      "Ask a project admin to review issuer and allowed_origins of the tool's OAuth provider, and to approve it (PATCH is_approved).",
  },
  member_token_origin_not_allowed: {
    cause:
      "The tool would send a member's token to an origin that is not in its OAuth provider's allowed_origins. An empty list allows any origin in a development project and none in production.",
    remedy: "Ask a project admin to add the origin of base_url to allowed_origins of the tool's OAuth provider.",
  },
  oauth_provider_disabled: {
    cause: "The tool's OAuth provider is disabled.",
    remedy: "Enable the tool's OAuth provider.",
  },
  public_client_without_secret: {
    cause: 'A public client has no secret to rotate.',
    remedy: 'Use the client without a secret, or create a confidential client.',
  },
  client_with_keys_without_secret: {
    cause: 'A client with jwks or jwks_uri authenticates with a key, and has no secret to rotate.',
    remedy: 'Publish a new key, or set jwks and jwks_uri to null first.',
  },
  id_taken: {
    cause: 'Another resource already has the requested id.',
    remedy: 'Choose another random id, or leave it out.',
  },
  field_not_changeable: {
    cause: 'The field is set when the resource is created, and cannot change.',
    remedy: 'Leave the field out, or create a new resource.',
  },
} as const satisfies Record<string, ReasonRow>;
