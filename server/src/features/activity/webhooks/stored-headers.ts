// The `headers` of a webhook as they are stored: sealed, with their names beside them.

import { webhookHeadersProblem } from '@toolgate/contract/webhooks/rules.ts';
import { showName } from '../../../api/show-name.ts';
import type { App } from '../../../app.ts';
import type { Row } from '../../../database/tables.ts';
import { invalidField } from '../../../errors/errors.ts';
import { redactSecrets, secretForms } from '../../../outbound/redact-secrets.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { headersContext } from './secret-context.ts';
import { targetOf } from './url.ts';

type Headers = Record<string, string>;
type Owner = Pick<Row<'webhooks'>, 'id' | 'project_id' | 'url'>;
type StoredHeaders = Pick<Row<'webhooks'>, 'headers' | 'header_names'>;

/** Throws unless the headers may be sent. A refusal never contains a value. */
export function refuseHeaders(given: Headers): void {
  const found = webhookHeadersProblem(given);
  if (found) throw invalidField(found.name === null ? 'headers' : `headers.${showName(found.name)}`, found.problem);
}

export async function sealHeaders(app: App, { id, project_id, url }: Owner, headers: Headers): Promise<StoredHeaders> {
  const header_names = Object.keys(headers);
  if (header_names.length === 0) return { headers: null, header_names };
  const text = JSON.stringify(headers);
  return { headers: await app.secrets.seal(app.database, project_id, headersContext(id, url), text), header_names };
}

/** Rejects with SecretUnreadable if they cannot be opened, also because the origin of the URL is another one. */
export async function openHeaders(
  app: App,
  { id, project_id, url }: Owner,
  sealed: StoredHeaders['headers'],
): Promise<Headers> {
  if (sealed === null) return {};
  const text = await app.secrets.open(app.database, project_id, headersContext(id, url), sealed);
  return JSON.parse(text.toString()) as Headers;
}

/** Whoever may change a webhook must not get its headers sent to a host of their own. */
export function refuseToMoveHeaders(old: Owner & StoredHeaders, url: string): void {
  if (old.headers === null || targetOf(old.url).origin === targetOf(url).origin) return;
  throw invalidField('headers', 'must be sent again when the origin of url changes, because they would be sent there');
}

/** False if the stored headers cannot be opened. */
export async function areSameHeaders(app: App, old: Owner & StoredHeaders, given: Headers): Promise<boolean> {
  try {
    return JSON.stringify(await openHeaders(app, old, old.headers)) === JSON.stringify(given);
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}

/** As they are shown with an attempt. */
export const hideValues = (headers: Headers): Headers =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, '[secret]']));

/** Overwrites the values of headers in a response that repeats them, before it is stored. */
export function redactResponse<T extends { head: string; body: Buffer; truncated: boolean }>(
  response: T,
  headers: Headers,
): T {
  const forms = Object.values(headers).flatMap(partsOf).flatMap(secretForms);
  if (forms.length === 0) return response;
  const head = Buffer.from(response.head);
  redactSecrets(head, false, forms);
  redactSecrets(response.body, response.truncated, forms);
  return { ...response, head: head.toString() };
}

/** A receiver may repeat `Bearer token` without its first word. */
function partsOf(value: string): string[] {
  const space = value.indexOf(' ');
  return space === -1 ? [value] : [value, value.slice(space + 1)];
}
