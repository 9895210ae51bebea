// The kinds of OAuth providers: how an app is registered there, and what their scopes mean.

import { type OAuthProviderKind, oauthProviderKinds } from '@toolgate/contract/oauth-providers/rules.ts';

export type Kind = OAuthProviderKind;
type Scope = { value: string; meaning: string };
type KindOfProvider = {
  name: string;
  /** Shown on the tile. */
  text: string;
  /** Where the callback URL is entered at the provider. */
  callbackField: string;
  scopes: Scope[];
};

const identity: Scope[] = [
  { value: 'openid', meaning: 'Who the person is' },
  { value: 'email', meaning: 'Email address' },
  { value: 'profile', meaning: 'Name and picture' },
];

export const kinds: Record<Kind, KindOfProvider> = {
  google: {
    name: 'Google',
    text: 'Google Workspace and personal accounts',
    callbackField: 'Google Cloud console → Google Auth Platform → Clients → Authorized redirect URIs',
    scopes: [
      ...identity,
      { value: 'https://www.googleapis.com/auth/calendar.readonly', meaning: 'Read calendars' },
      { value: 'https://www.googleapis.com/auth/drive.readonly', meaning: 'Read files in Drive' },
    ],
  },
  github: {
    name: 'GitHub',
    text: 'github.com, or your own GitHub Enterprise Server',
    callbackField: 'GitHub → Settings → Developer settings → OAuth Apps → Authorization callback URL',
    scopes: [
      { value: 'read:user', meaning: 'Profile' },
      { value: 'user:email', meaning: 'Email addresses' },
      { value: 'read:org', meaning: 'Read organizations and teams' },
      { value: 'repo', meaning: 'Read and write repositories' },
    ],
  },
  oidc: {
    name: 'OpenID Connect',
    text: 'Okta, Microsoft Entra, Auth0, Keycloak and any other issuer',
    callbackField: 'the settings of the app at your issuer → redirect URIs',
    scopes: [...identity, { value: 'offline_access', meaning: 'Refresh tokens while the person is away' }],
  },
};

export const isKind = (text: string | undefined): text is Kind => oauthProviderKinds.includes(text as Kind);
export const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
