// The hooks of a tool, ready to be asked: prepared once with the tool, in the order in which they were created.

import { createSecretKey, type KeyObject } from 'node:crypto';
import { type HintName, hintNames, type ListedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import type { App } from '../../../app.ts';
import type { Certificate } from '../../../outbound/messages.ts';
import { SecretUnreadable } from '../../../secrets/aes-gcm.ts';
import { findCertificate } from '../../activity/certificates/find-certificate.ts';
import { secretContext } from './secret.ts';
import type { StoredHook } from './store.ts';

export type PreparedHook = Pick<StoredHook, 'id' | 'points' | 'timeout_ms' | 'on_failure' | 'may_change'> & {
  origin: string;
  /** As in the Host header. */
  host: string;
  path: string;
  /** Without the `?`. */
  query: string;
  /** Null: the stored secret, or the key of the certificate, cannot be opened, so that the hook fails. */
  keys: { key: KeyObject; previous: { key: KeyObject; ends_at: number } | null } | null;
  certificate: Certificate | null;
};

export type Hints = Record<HintName, boolean>;

/** `hints`: of the tool, as models see them. */
export type HooksOfTool = { before: readonly PreparedHook[]; after: readonly PreparedHook[]; hints: Hints | null };

const NO_HOOKS: HooksOfTool = { before: [], after: [], hints: null };

export async function prepareHooks(
  app: App,
  project_id: string,
  rows: readonly StoredHook[] | null,
  annotations: () => ListedAnnotations,
): Promise<HooksOfTool> {
  if (rows === null || rows.length === 0) return NO_HOOKS;
  const hooks: PreparedHook[] = [];
  for (const row of rows) hooks.push(await prepareHook(app, project_id, row));
  return {
    before: hooks.filter(({ points }) => points.includes('before')),
    after: hooks.filter(({ points }) => points.includes('after')),
    hints: hintsOf(annotations()),
  };
}

export const hintsOf = (annotations: ListedAnnotations) =>
  Object.fromEntries(hintNames.map((name) => [name, annotations[name]])) as Hints;

export async function prepareHook(app: App, project_id: string, row: StoredHook): Promise<PreparedHook> {
  const { id, points, timeout_ms, on_failure, may_change } = row;
  const { origin, host, pathname: path, search } = new URL(row.url);
  const opened = await openSecrets(app, project_id, row);
  return { id, points, timeout_ms, on_failure, may_change, origin, host, path, query: search.slice(1), ...opened };
}

type Opened = Pick<PreparedHook, 'keys' | 'certificate'>;

async function openSecrets(app: App, project_id: string, row: StoredHook): Promise<Opened> {
  const { id, secret, previous_secret, previous_secret_ends_at } = row;
  const open = async (column: 'secret' | 'previous_secret', blob: string) =>
    createSecretKey(await app.secrets.open(app.database, project_id, secretContext(id, column), blob));
  try {
    const certificate = await findCertificate(app, project_id, row.certificate_id);
    const key = await open('secret', secret);
    const ends_at = previous_secret_ends_at === null ? 0 : Date.parse(previous_secret_ends_at);
    if (previous_secret === null || ends_at <= app.now()) return { keys: { key, previous: null }, certificate };
    const previous = { key: await open('previous_secret', previous_secret), ends_at };
    return { keys: { key, previous }, certificate };
  } catch (error) {
    if (error instanceof SecretUnreadable) return { keys: null, certificate: null };
    throw error;
  }
}

/** The keys that sign at this time, the newest first. */
export function signingKeys({ key, previous }: NonNullable<PreparedHook['keys']>, now: number): KeyObject[] {
  return previous && now < previous.ends_at ? [key, previous.key] : [key];
}
