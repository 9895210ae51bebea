// Key → Caller, with its project in the same look-up, so that nothing behind it asks again. Remembered until the project
// changes, under the key itself: hashing it on every request would cost more than the rest of the check.

import type { ApiKeyCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { toProject } from '../projects/project.ts';
import { selectKeyByHash } from './find-by-hash.ts';

const NOTE_USE_EVERY_MS = 60_000;

type Known = { caller: ApiKeyCaller; ends_at: number; used_noted_at: number };

/** The caller if the key is remembered and still good; no I/O. */
export function cachedKeyCaller(app: App, token: string): ApiKeyCaller | null {
  const known = app.cache.get<Known>('api_key', token);
  return known ? use(app, known) : null;
}

/** The caller, or null for every reason a key can be bad. */
export async function loadKeyCaller(app: App, token: string): Promise<ApiKeyCaller | null> {
  const known = await app.cache.getOrLoad<Known>('api_key', token, async () => {
    const row = await selectKeyByHash(app.database, hashToken(token));
    if (!row) return null;
    const { key, project } = row;
    return {
      project_id: project.id,
      value: {
        caller: {
          kind: 'api_key',
          project: toProject(project),
          api_key_id: key.id,
          integration_id: key.integration_id,
          permissions: key.permissions,
          expires_at: key.expires_at,
          reauthenticate: () => reauthenticate(app, token),
        },
        ends_at: key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
        used_noted_at: key.last_used_at === null ? 0 : Date.parse(key.last_used_at),
      },
    };
  });
  return known && use(app, known);
}

async function reauthenticate(app: App, token: string): Promise<ApiKeyCaller> {
  const caller = cachedKeyCaller(app, token) ?? (await loadKeyCaller(app, token));
  if (!caller) throw refuse.invalidApiKey();
  return caller;
}

function use(app: App, known: Known): ApiKeyCaller | null {
  const now = app.now();
  if (known.ends_at <= now) return null;
  if (now - known.used_noted_at > NOTE_USE_EVERY_MS) {
    known.used_noted_at = now;
    noteUse(app, known.caller, now);
  }
  return known.caller;
}

/** Not awaited: a request does not wait for a note about itself, and a lost note is made by the next one. */
function noteUse(app: App, { api_key_id, project }: ApiKeyCaller, now: number): void {
  const at = new Date(now).toISOString();
  const due = new Date(now - NOTE_USE_EVERY_MS).toISOString();
  app.database
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('project_id', '=', project.id)
    .where('id', '=', api_key_id)
    // Another replica may have made the note meanwhile.
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', due)]))
    .execute()
    .catch((error: unknown) => app.log.warn({ err: error }, 'last_used_at was not written'));
}
