// Ends the session of this browser. Nothing happens if it has ended already.

import type { App } from '../../../app.ts';
import { transact } from '../../../database/transact.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { recordOwn } from './record.ts';
import { deleteByHash } from './session-store.ts';
import { selectSecretAccount } from './store.ts';

export async function signOut(app: App, session_token: string | null): Promise<void> {
  if (session_token === null) return;
  await transact(app, async (app) => {
    const ended = await deleteByHash(app.database, hashToken(session_token));
    const account = ended && (await selectSecretAccount(app.database, ended.account_id));
    if (!ended || !account) return;
    await recordOwn(app, account, 'account.signed_out', { before: { session_id: ended.id } });
  });
}
