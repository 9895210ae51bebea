// The sessions of a person: list them, end one, end all others.

import type { AccountSession, EndedSessions } from '@toolgate/contract/accounts/account.ts';
import { accountOf, type Caller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { transact } from '../../../database/transact.ts';
import { refuse } from '../../../errors/errors.ts';
import { showSession } from './account.ts';
import { recordAccount } from './record.ts';
import { deleteSession, deleteSessions, pageOfSessions } from './session-store.ts';

export async function listSessions(app: App, caller: Caller, query: PageQuery): Promise<Page<AccountSession>> {
  const { account_id, session_id } = accountOf(caller);
  const page = await pageOfSessions(app.database, account_id, app.now(), query);
  return makePage(
    page,
    page.rows.map((row) => showSession(row, session_id)),
  );
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

export async function endOtherSessions(app: App, given: Caller): Promise<EndedSessions> {
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
