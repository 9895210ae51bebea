// The secrets of a log stream as they are stored: sealed, and bound to their row. Headers are bound to the origin of the endpoint
// too, because they are sent: after a change of it in the database they cannot be opened.

import { webhookHeadersProblem } from '@toolgate/contract/webhooks/rules.ts';
import { showName } from '../../../api/show-name.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import type { Certificate } from '../../../outbound/messages.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import type { SealContext } from '../../../secrets/envelope.ts';
import { findCertificate } from '../certificates/find-certificate.ts';
import { targetOf } from '../webhooks/url.ts';
import type { SealedColumns } from './store.ts';

type Owner = { id: string; project_id: string; endpoint: string };
type Sealed = Owner & SealedColumns & { previous_secret_ends_at: string | null; certificate_id: string | null };
type Plain = { headers?: Record<string, string>; secret_access_key?: string | null; secret?: string | null };

export type Credentials = {
  headers: Record<string, string>;
  secret_access_key: string;
  secret: string;
  /** Null unless a rotation overlaps. */
  previous_secret: string | null;
  /** What its connections are made with. */
  certificate: Certificate | null;
};

/** Throws unless the headers may be sent. A refusal never contains a value. */
export function refuseHeaders(given: Record<string, string>): void {
  const found = webhookHeadersProblem(given);
  if (found) throw invalidField(found.name === null ? 'headers' : `headers.${showName(found.name)}`, found.problem);
}

/** Those that are given. An empty object of headers removes them. */
export async function sealCredentials(app: App, owner: Owner, given: Plain): Promise<Partial<SealedColumns>> {
  const seal = (column: keyof SealedColumns, text: string) =>
    app.secrets.seal(app.database, owner.project_id, contextOf(owner, column), text);
  const sealed: Partial<SealedColumns> = {};
  const { headers, secret, secret_access_key } = given;
  if (headers) sealed.headers = Object.keys(headers).length > 0 ? await seal('headers', JSON.stringify(headers)) : null;
  if (secret) sealed.secret = await seal('secret', secret);
  if (secret_access_key) sealed.secret_access_key = await seal('secret_access_key', secret_access_key);
  return sealed;
}

/** Rejects with SecretUnreadable if one cannot be opened. One that there is not is empty. */
export async function openCredentials(app: App, stream: Sealed): Promise<Credentials> {
  const ends = stream.previous_secret_ends_at;
  const open = async (column: keyof SealedColumns) => {
    const sealed = stream[column];
    if (sealed === null) return '';
    return (await app.secrets.open(app.database, stream.project_id, contextOf(stream, column), sealed)).toString();
  };
  return {
    headers: JSON.parse((await open('headers')) || '{}') as Record<string, string>,
    secret_access_key: await open('secret_access_key'),
    secret: await open('secret'),
    previous_secret: ends !== null && Date.parse(ends) > app.now() ? await open('previous_secret') : null,
    certificate: await findCertificate(app, stream.project_id, stream.certificate_id),
  };
}

/** Whether those that are given are the stored ones. False if the stored ones cannot be opened. */
export async function hasCredentials(
  app: App,
  stream: Sealed,
  { headers, secret_access_key }: Plain,
): Promise<boolean> {
  if (headers === undefined && !secret_access_key) return true;
  try {
    const stored = await openCredentials(app, stream);
    const isSame = headers === undefined || JSON.stringify(headers) === JSON.stringify(stored.headers);
    return isSame && (!secret_access_key || secret_access_key === stored.secret_access_key);
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}

export function contextOf({ id, endpoint }: Owner, column: keyof SealedColumns): SealContext {
  const context = { table: 'log_streams', column, row_id: id };
  return column === 'headers' ? { ...context, destination: targetOf(endpoint).origin } : context;
}
