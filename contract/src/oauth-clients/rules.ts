// The grant types of OAuth clients. The dashboard imports this file, so it has no dependencies.

export const oauthGrantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const;

export type OAuthGrantType = (typeof oauthGrantTypes)[number];

/** For an app that signs people in. */
export const defaultGrantTypes: readonly OAuthGrantType[] = ['authorization_code', 'refresh_token'];

/** For the JWTs with which clients authenticate, and for ID-JAGs. */
export const jwtAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const;

export type JwtAlgorithm = (typeof jwtAlgorithms)[number];
