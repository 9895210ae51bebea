// How the project of a credential is read from its row. Here, below every feature, because each lookup of a credential
// joins the project to it.

import { defaultSettings, type ProjectSettings } from '@toolgate/contract/projects/settings.ts';
import type { Project } from './caller.ts';

export const projectColumns = [
  'id',
  'organization_id',
  'quota_group_id',
  'fairness_key',
  'name',
  'environment',
  'plan',
  'requests_per_hour',
  'settings',
  'is_archived',
  'mcp_connected_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Project)[];

type ProjectRow = Omit<Project, 'settings'> & { settings: Record<string, unknown> };

export const toProject = (row: ProjectRow): Project => ({ ...row, settings: completeSettings(row.settings) });

/** Only settings that were set are stored, so that a changed default applies to all other projects. */
export function completeSettings(stored: Record<string, unknown>): ProjectSettings {
  return { ...defaultSettings, ...stored, listing: { ...defaultSettings.listing, ...(stored.listing as object) } };
}
