// The OAuth provider of a tool with member_oauth: named, or the only one of the project.

import type { CustomToolChange, CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import type { App } from '../../../app.ts';
import { invalidField } from '../../../errors/errors.ts';
import { findEnabledProviders, findProvider } from '../../oauth/providers/find.ts';

import type { ToolRow } from './tool.ts';

type Auth = Pick<CustomToolDefinition, 'auth_strategy' | 'auth_config'>;

/** Returns the auth_config to save. */
export async function resolveProvider(
  app: App,
  project_id: string,
  { auth_strategy, auth_config }: Auth,
): Promise<CustomToolDefinition['auth_config']> {
  if (auth_strategy !== 'member_oauth') return auth_config;
  const { oauth_provider_id } = auth_config;
  const field = 'auth_config.oauth_provider_id';
  if (oauth_provider_id !== undefined) {
    if (await findProvider(app, project_id, oauth_provider_id)) return auth_config;
    throw invalidField(field, "must be one of this project's OAuth providers");
  }
  const [only, ...more] = await findEnabledProviders(app, project_id);
  if (only && more.length === 0) return { oauth_provider_id: only.id };
  throw invalidField(field, only ? 'must be one of the OAuth providers' : 'the project has no OAuth provider yet');
}

/** The same for a change of the strategy or its configuration. */
export async function resolveChangedProvider(
  app: App,
  row: ToolRow,
  change: CustomToolChange,
): Promise<CustomToolChange> {
  const { auth_strategy = row.auth_strategy as Auth['auth_strategy'], auth_config } = change;
  const isChanged = auth_strategy !== row.auth_strategy || auth_config !== undefined;
  if (auth_strategy !== 'member_oauth' || !isChanged) return change;
  const given = { auth_strategy, auth_config: auth_config ?? {} };
  return { ...change, auth_config: await resolveProvider(app, row.project_id, given) };
}
