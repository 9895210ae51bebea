// The sessions of a person: list them, end one, end all others.

import { z } from 'zod';
import { accountOf, type Caller } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Page, PageQuery } from '../../database/page.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { type AccountSession, showSession } from './account.ts';
import { recordAccount } from './record.ts';
import { deleteSession, deleteSessions, pageOfSessions } from './session-store.ts';

export async function listSessions(app: App, caller: Caller, query: PageQuery): Promise<Page<AccountSession>> {
  const { account_id, session_id } = accountOf(caller);
  const page = await pageOfSessions(app.database, account_id, app.now(), query);
  return { ...page, data: page.data.map((row) => showSession(row, session_id)) };
}

export async function endSession(app: App, given: Caller, id: string): Promise<void> {
  const caller = accountOf(given);
  await transact(app, async (app) => {
    if (!(await deleteSession(app.database, caller.account_id, id))) throw refuse.notFound();
    await recordAccount(app, caller, {
      action: 'account.sessions_ended',
      organization_id: caller.organization_id,
      account_id: caller.account_id,
      before: { session_id: id },
    });
  });
}

export const endedSessions = z
  .strictObject({
    object: z.literal('ended_sessions'),
    ended: z.int().meta({ description: 'How many sessions were ended' }),
  })
  .meta({ id: 'EndedSessions' });

export async function endOtherSessions(app: App, given: Caller): Promise<z.infer<typeof endedSessions>> {
  const caller = accountOf(given);
  return transact(app, async (app) => {
    const ended = await deleteSessions(app.database, caller.account_id, caller.session_id);
    if (ended > 0)
      await recordAccount(app, caller, {
        action: 'account.sessions_ended',
        organization_id: caller.organization_id,
        account_id: caller.account_id,
        before: { ended },
      });
    return { object: 'ended_sessions' as const, ended };
  });
}
