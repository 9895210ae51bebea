// The kinds of OAuth providers. Without zod: the dashboard ships it to browsers.

export const oauthProviderKinds = ['google', 'github', 'oidc'] as const;

export type OAuthProviderKind = (typeof oauthProviderKinds)[number];

const openid = ['openid', 'email', 'profile'];
/** The least that shows who signed in, and the verified email. */
export const defaultScopes: Record<OAuthProviderKind, string[]> = {
  google: openid,
  oidc: openid,
  github: ['read:user', 'user:email'],
};

export const linkKinds = ['subject', 'email'] as const;

export const MIN_ASSERTION_SECONDS = 60;
export const MAX_ASSERTION_SECONDS = 3600;
export const DEFAULT_ASSERTION_SECONDS = 300;

/** The checks of an ID-JAG, in their order, and what each requires. */
export const idJagRequirements = {
  shape: 'A compact JWT of at most 8,192 bytes, whose header contains no keys and no extensions.',
  typ: 'The header typ is oauth-id-jag+jwt.',
  algorithm: 'The header alg is ES256, ES384, RS256, PS256 or EdDSA.',
  issuer: "iss is the issuer of one of the project's providers that is enabled and accepts ID-JAGs.",
  key: "The issuer's key set has a matching key.",
  signature: 'The signature was made with that key.',
  aud: "aud is this server's issuer: a string, or a list with only that string.",
  resource: 'resource, if present, is the MCP endpoint that the token is for.',
  client_id: 'client_id is the client that sends the assertion.',
  sub: 'sub is a string of 1 to 255 characters. If users are identified by email, email is verified.',
  jti: 'jti is a string of 1 to 255 characters.',
  iat: 'iat is present.',
  exp: 'exp is present.',
  times: "It is valid now, and its lifetime is at most the provider's max_assertion_seconds.",
  cnf: 'There is no cnf: it is not bound to a key.',
  replay: 'Its jti was not used before.',
  required_claims: "It has every claim in the provider's required_claims.",
  scope: 'At least one scope is allowed by the assertion, requested by the client and granted by the provider.',
} as const;

export type IdJagCheck = keyof typeof idJagRequirements;

export const idJagChecks = Object.keys(idJagRequirements) as [IdJagCheck, ...IdJagCheck[]];
