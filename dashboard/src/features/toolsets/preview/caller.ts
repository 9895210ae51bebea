// Who "Preview as" looks through the eyes of: one parameter of the URL, named as in the API.

import type { Search } from '../../../ui/search.ts';

export const callerNames = ['api_key_id', 'member_id', 'oauth_client_id', 'oauth_grant_id'] as const;

export type CallerName = (typeof callerNames)[number];
export type PreviewCaller = { name: CallerName; id: string };

export const callerWords: Record<CallerName, string> = {
  api_key_id: 'API key',
  member_id: 'Member',
  oauth_client_id: 'OAuth client',
  oauth_grant_id: 'Grant of a member',
};

/** The first one of the URL. */
export function callerOf(values: Search): PreviewCaller | null {
  const name = callerNames.find((each) => values[each]);
  return name ? { name, id: values[name] ?? '' } : null;
}

/** Only one caller can be in the URL. */
export const onlyCaller = (name: CallerName, id: string | undefined): Search => ({
  ...Object.fromEntries(callerNames.map((each) => [each, undefined])),
  [name]: id,
});
