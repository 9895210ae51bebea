// Session token → the member it was made for. A session ends with whatever it was made through, because all of that is
// looked up with it: its API key, that key's integration, the assertion key, the project.

import type { MemberCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import { refuse } from '../../errors.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { toProject } from '../projects/project.ts';
import { selectSessionByHash } from './store.ts';

/** For so long the answer is "expired" and not "unknown". */
export const KEPT_MS = 24 * 3_600_000;

type Known = { caller: MemberCaller; ends_at: number };

/** The member if the session is remembered and still good; no I/O. */
export function cachedSessionCaller(app: App, token: string): MemberCaller | null {
  const known = app.cache.get<Known>('member_session', token);
  return known ? use(app, known) : null;
}

/** The member, or null for a session that is unknown or was ended. */
export async function loadSessionCaller(app: App, token: string): Promise<MemberCaller | null> {
  const known = await app.cache.getOrLoad<Known>('member_session', token, async () => {
    const row = await selectSessionByHash(app.database, hashToken(token));
    if (!row) return null;
    const { session, project } = row;
    const { id: session_id, integration_id, member_id, external_id, expires_at } = session;
    return {
      project_id: project.id,
      value: {
        caller: {
          kind: 'member',
          project: toProject(project),
          session_id,
          integration_id,
          member_id,
          external_id,
          reauthenticate: () => reauthenticate(app, token),
        },
        ends_at: Date.parse(expires_at),
      },
    };
  });
  return known && use(app, known);
}

async function reauthenticate(app: App, token: string): Promise<MemberCaller> {
  const caller = cachedSessionCaller(app, token) ?? (await loadSessionCaller(app, token));
  if (!caller) throw refuse.invalidApiKey();
  return caller;
}

function use(app: App, { caller, ends_at }: Known): MemberCaller | null {
  const now = app.now();
  if (now < ends_at) return caller;
  if (now < ends_at + KEPT_MS) throw refuse.memberSessionExpired();
  return null;
}
