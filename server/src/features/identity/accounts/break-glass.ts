// What required single sign-on means for passwords: only owners who are marked as break-glass owners, and have a second factor, use
// one. While it is required, such an owner stays.

import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import type { AccountRow } from './account.ts';
import { deleteSessions } from './session-store.ts';
import { hasBreakGlass, selectSsoRequired } from './store.ts';

type Marked = Pick<AccountRow, 'id' | 'organization_id' | 'is_break_glass'>;

export async function refusePasswordIfSsoRequired(
  app: App,
  { organization_id, is_break_glass = false }: { organization_id: string; is_break_glass?: boolean },
): Promise<void> {
  if (!is_break_glass && (await selectSsoRequired(app.database, organization_id))) throw refuse.ssoRequired();
}

/** For an account that could be marked. */
export function refuseUnlessFit({ role, sso_subject, totp_enabled_at }: AccountRow): void {
  if (role !== 'owner') throw refuse.breakGlassNotAllowed({ details: { field: 'role' } });
  if (sso_subject !== null) throw refuse.breakGlassNotAllowed({ details: { field: 'has_sso' } });
  if (totp_enabled_at === null) throw refuse.breakGlassNotAllowed({ details: { field: 'has_totp' } });
}

/** Before an account loses the mark. Under the lock of the people. */
export async function refuseLastBreakGlass(app: App, { id, organization_id, is_break_glass }: Marked): Promise<void> {
  if (!is_break_glass || (await hasBreakGlass(app.database, organization_id, id))) return;
  if (await selectSsoRequired(app.database, organization_id)) throw refuse.ssoBreakGlassMissing();
}

/** After an account lost the mark: its sessions would go on when single sign-on is no longer required. */
export async function endSessionsIfSsoRequired(app: App, { id, organization_id }: Marked): Promise<void> {
  if (await selectSsoRequired(app.database, organization_id)) await deleteSessions(app.database, id, null);
}
