// The webhooks of a project as an attempt needs them: with their opened secrets, in the project cache. A change of a webhook, or of its
// project, removes them there, so that the next attempt reads them again, also of a delivery that was claimed before the change.

import type { App } from '../../../app.ts';
import type { Certificate } from '../../../outbound/messages.ts';
import { findCertificate } from '../certificates/find-certificate.ts';
import { secretContext } from './secret-context.ts';
import { type ReceiverRow, selectReceivers } from './store.ts';
import { openHeaders } from './stored-headers.ts';

const KIND = 'webhook_receivers';

type Opened = {
  secret: string;
  previous_secret: string | null;
  headers: Record<string, string>;
  certificate: Certificate | null;
};

export type Receiver = Omit<ReceiverRow, keyof Opened> & {
  /** Opened once. Rejects with SecretUnreadable if one cannot be opened. */
  open(app: App): Promise<Opened>;
};

/** Null if there is no such webhook. */
export async function findReceiver(app: App, project_id: string, webhook_id: string): Promise<Receiver | null> {
  const cached = await app.cache.getOrLoad(KIND, project_id, async () => ({
    project_id,
    value: await loadReceivers(app, project_id),
  }));
  // The notification of a new webhook may be on its way.
  return cached?.get(webhook_id) ?? (await loadReceivers(app, project_id)).get(webhook_id) ?? null;
}

async function loadReceivers({ database }: App, project_id: string): Promise<Map<string, Receiver>> {
  const rows = await selectReceivers(database, project_id);
  // One after the other: the first reads the data key of the project, and the others find it in the cache.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: InTurn = (open) => {
    const opened = last.then(open);
    last = opened.catch(() => {});
    return opened;
  };
  return new Map(rows.map((row) => [row.id, createReceiver(project_id, row, inTurn)]));
}

type InTurn = (open: () => Promise<Opened>) => Promise<Opened>;

function createReceiver(project_id: string, row: ReceiverRow, inTurn: InTurn): Receiver {
  const { secret, previous_secret, headers, ...fields } = row;
  let opening: Promise<Opened> | undefined;
  return {
    ...fields,
    open(app) {
      opening ??= inTurn(() => openSecrets(app, project_id, row)).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
  };
}

async function openSecrets(app: App, project_id: string, row: ReceiverRow): Promise<Opened> {
  const { id, url, previous_secret, certificate_id } = row;
  const open = (column: 'secret' | 'previous_secret', sealed: string) =>
    app.secrets.openInput(app.database, project_id, secretContext(id, column), sealed);
  const ends = row.previous_secret_ends_at;
  const overlaps = ends !== null && Date.parse(ends) > app.now();
  return {
    secret: await open('secret', row.secret),
    previous_secret: previous_secret !== null && overlaps ? await open('previous_secret', previous_secret) : null,
    headers: await openHeaders(app, { id, project_id, url }, row.headers),
    certificate: await findCertificate(app, project_id, certificate_id),
  };
}
