// The customer's own page on which a member connects an account, for members whom the customer identifies (setting `connect_url`).

import type { Project } from '../../../access/caller.ts';

type Ids = { member_id: string; provider: { id: string } };

/** It names what the backend of the page needs to ask for a URL. Null: the project has none. */
export function connectPageUrl(
  { connect_url }: Pick<Project['settings'], 'connect_url'>,
  { member_id, provider }: Ids,
): string | null {
  if (connect_url === null) return null;
  const url = new URL(connect_url);
  url.searchParams.set('member_id', member_id);
  url.searchParams.set('provider_id', provider.id);
  return url.href;
}
