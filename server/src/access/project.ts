// How the project of a credential is read from its row. Here, below every feature, because each look-up of a credential
// joins the project to it.

import type { Project, ProjectSettings } from './caller.ts';

const MIB = 1024 * 1024;

const defaults: ProjectSettings = {
  mcp_server_name: null,
  mcp_instructions: null,
  max_response_bytes: MIB,
  record_payloads: false,
  redact_fields: [],
  oauth_member_id: 'subject',
};

export const projectColumns = [
  'id',
  'organization_id',
  'quota_group_id',
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
  return { ...defaults, ...stored };
}
