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
