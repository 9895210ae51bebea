// Where the token of a member may go. Saving a tool: in production a tool with member_oauth, or with a JWT about the member, and where it
// sends that, is for admins. Calling it: the token is sent only to origins that are allowed for the provider, whenever and by whomever the tool was
// saved.

import { refuseUnlessAdminInProduction } from '../../../access/admin-in-production.ts';
import { type Caller, hasPermission, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { invalidField, refuse } from '../../../errors/errors.ts';
import { allowOrigin, type Destinations, mayReceiveTokens } from '../../oauth/providers/allowed-origins.ts';
import { findAnyProvider, findProvider } from '../../oauth/providers/find.ts';
import { waitsForIssuer } from '../../oauth/providers/pinned-issuer.ts';
import { ensureSigningKey } from '../../projects/signing-keys/signing-key.ts';
import { approvalAfter, sendsMemberTokens } from './member-approval.ts';
import type { ToolRow } from './tool.ts';

type Definition = Pick<ToolRow, 'auth_strategy' | 'base_url' | 'is_enabled'> & {
  auth_config: Record<string, string | undefined>;
};
type Saved = Definition & Pick<ToolRow, 'is_approved'>;

/** What is stored with a save. `given`: what the caller asks for. */
export const toolApproval = (caller: Caller, old: Saved | null, saved: Definition, given?: boolean): boolean =>
  approvalAfter(caller, { old, saved, field: changedField(old, saved), given });

/** Refuses what needs an admin. `old` is null for a new tool. Call it in the transaction that saves the tools. */
export async function checkDestinations(
  app: App,
  caller: Caller,
  saves: readonly { old: Saved | null; saved: Saved }[],
): Promise<void> {
  const asked = new Map<string, { provider_id: string; origin: string }>();
  for (const { old, saved } of saves) {
    if (!sendsMemberTokens(saved)) continue;
    const field = changedField(old, saved);
    const isApprovedNow = saved.is_approved && !old?.is_approved;
    if (field === undefined && !isApprovedNow) continue;
    if (field !== undefined) refuseUnlessAdminInProduction(caller, { field });
    if (saved.auth_strategy !== 'member_oauth') {
      await ensureSigningKey(app, projectOf(caller).id);
      continue;
    }
    const [provider_id, origin] = [providerOf(saved), saved.base_url];
    if (field !== 'is_enabled' || isApprovedNow) asked.set(`${provider_id} ${origin}`, { provider_id, origin });
  }
  for (const { provider_id, origin } of asked.values()) await approve(app, caller, provider_id, origin);
}

const providerOf = ({ auth_config }: Pick<Definition, 'auth_config'>) => auth_config.oauth_provider_id as string;

/** Enabling one is for admins too: one of them may have disabled it because of where the token went. */
function changedField(old: Definition | null, saved: Definition): string | undefined {
  if (old?.auth_strategy !== saved.auth_strategy) return 'auth_strategy';
  if (old.base_url !== saved.base_url) return 'base_url';
  if (providerOf(old) !== providerOf(saved)) return 'auth_config.oauth_provider_id';
  for (const name of ['audience', 'token_url'] as const)
    if (old.auth_config[name] !== saved.auth_config[name]) return `auth_config.${name}`;
  return saved.is_enabled && !old.is_enabled ? 'is_enabled' : undefined;
}

/** An admin who saves or approves a tool approves its origin. Others can use the origins that the provider allows. */
async function approve(app: App, caller: Caller, provider_id: string, origin: string): Promise<void> {
  if (hasPermission(caller, 'admin')) return allowOrigin(app, caller, provider_id, origin);
  const provider = await findProvider(app, projectOf(caller).id, provider_id);
  if (provider && !mayReceiveTokens(provider, origin))
    throw invalidField('base_url', `is not in allowed_origins of the OAuth provider ${provider.name}`, {
      reason: 'member_token_origin_not_allowed',
    });
}

/** A provider as a tool keeps it; null: it was deleted. */
export type TokenDestinations = (Omit<Destinations, 'environment'> & { waits_for_issuer: boolean }) | null;

export async function findDestinations(app: App, project_id: string, id: string): Promise<TokenDestinations> {
  const provider = await findAnyProvider(app, project_id, id);
  if (!provider) return null;
  const { is_approved, allowed_origins } = provider;
  return { is_approved, allowed_origins, waits_for_issuer: waitsForIssuer(provider) };
}

/** At each call: the tool may have been saved before the origin was refused, or while the project was in development. */
export function refuseOtherOrigin({ environment }: Project, destinations: TokenDestinations, origin: string): void {
  const field = 'auth_config.oauth_provider_id';
  if (!destinations) throw refuse.toolExecutionFailed({ details: { field, reason: 'oauth_provider_deleted' } });
  if (destinations.waits_for_issuer)
    throw refuse.toolExecutionFailed({ details: { field: 'auth_config.issuer', reason: 'issuer_not_approved' } });
  if (mayReceiveTokens({ environment, ...destinations }, origin)) return;
  const isApproved = environment === 'development' || destinations.is_approved;
  const reason = isApproved ? 'member_token_origin_not_allowed' : 'oauth_provider_not_approved';
  throw refuse.toolExecutionFailed({ details: { field: isApproved ? 'base_url' : field, reason } });
}
