// The choices and limits of a project. Without zod: the dashboard ships it to browsers.

export const environments = ['development', 'production'] as const;

export const oauthMemberIds = ['subject', 'email'] as const;

export const MAX_INSTRUCTIONS_LENGTH = 8_192;
export const MIN_RESPONSE_BYTES = 1_024;
export const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

/** For the setting `listing`. */
export type ListingField =
  | 'homepage_url'
  | 'privacy_url'
  | 'terms_url'
  | 'support_email'
  | 'description'
  | 'icon_url'
  | 'version';

/** For a listing in a directory. The registry allows 255 characters for an icon and for a version. */
export const MAX_LISTING_URL_LENGTH = 2_048;
export const MAX_ICON_URL_LENGTH = 255;
export const MAX_VERSION_LENGTH = 255;

export const PUBLISHED_URL_RULE = 'must be an https URL in ASCII, without user or password';

export function isPublishedUrl(text: string): boolean {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(text)) return false;
  const { hostname = '', username, password } = URL.parse(text) ?? {};
  return hostname.includes('.') && username === '' && password === '';
}

export const PUBLISHED_VERSION_RULE = 'must be one version such as 1.2.0 or 2.0.0-beta.1, not a range and not latest';

/** Registries refuse `^1.2.3`, `1.x`, `>=1` and `latest`. */
export const isPublishedVersion = (text: string) =>
  /^v?\d+(\.\d+){0,3}([-+][0-9A-Za-z]+([.+-][0-9A-Za-z]+)*)?$/.test(text);
