// Filters, search, page and open dialogs live in the URL, as plain strings: a link shows what its sender saw.

import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the URL of a page may have; a link with another name does not compile. Filters are called as the API calls them. */
export type SearchName =
  | 'action'
  | 'actor'
  | 'api_key_id'
  | 'approval'
  | 'call'
  | 'code'
  | 'compare'
  | 'cursor'
  | 'delivery'
  | 'dialog'
  | 'entry'
  | 'error_code'
  | 'event_id'
  | 'event_type'
  | 'example'
  | 'external_id'
  | 'for'
  | 'from'
  | 'group_by'
  | 'hint'
  | 'in'
  | 'integration_id'
  | 'is_allowed'
  | 'is_archived'
  | 'is_enabled'
  | 'is_test'
  | 'is_waiting'
  | 'kid'
  | 'limit'
  | 'member_id'
  | 'method'
  | 'next'
  | 'oauth_client_id'
  | 'oauth_grant_id'
  | 'outcome'
  | 'provider'
  | 'range'
  | 'reason'
  | 'request_id'
  | 'search'
  | 'sort'
  | 'sso'
  | 'status'
  | 'tab'
  | 'tag'
  | 'target'
  | 'time_zone'
  | 'to'
  | 'tool_id'
  | 'via';

export type Search = { [Name in SearchName]?: string | undefined };

/** Plain strings, as in the API: `?outcome=failed`, not the JSON that the router would write. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text)) as Search;
}

export function stringifySearch(search: Search): string {
  const pairs = Object.entries(search).filter((pair): pair is [string, string] => !!pair[1]);
  const text = new URLSearchParams(pairs).toString();
  return text ? `?${text}` : '';
}

/**
 * The search parameters of the page, and how to change some of them. A change of a filter goes back to the first page.
 * `state: true` keeps what "Previous" needs to know: whether the page before is in the history.
 */
export function useFilters(): { values: Search; set(changes: Search): void; clear(): void } {
  const values = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (search: Search) => void navigate({ to: '.', search, replace: true, state: true });
  return {
    values,
    set: (changes) => go({ ...values, cursor: undefined, ...changes }),
    clear: () => go({}),
  };
}

/** Whether the dialog `name` is open (`?dialog=create`), so that links and the command palette can open it. */
export function useUrlDialog(name: string): [isOpen: boolean, setOpen: (open: boolean) => void] {
  const { values } = useFilters();
  const navigate = useNavigate();
  const setOpen = (open: boolean) =>
    void navigate({ to: '.', search: { ...values, dialog: open ? name : undefined }, replace: true, state: true });
  return [values.dialog === name, setOpen];
}
