// The events of API keys. Reading them needs admin, as listing keys does.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { apiKey } from './api-key.ts';

const example = {
  object: 'api_key',
  id: exampleIds.api_key_id,
  project_id: exampleIds.project_id,
  integration_id: null,
  name: 'Production backend',
  permissions: ['read'],
  toolset_ids: null,
  can_approve: false,
  status: 'active',
  prefix: 'svc_live_4fT',
  last4: 'x9Qz',
  expires_at: null,
  last_used_at: null,
  created_at: exampleTime,
  created_by: 'root',
  rotated_to: null,
};

const kind = (description: string) =>
  ({ description, data: apiKey, example, readable_with: 'admin' }) satisfies EventKind;

export const apiKeyEvents = {
  'api_key.created': kind('A key was created, possibly by rotating another key'),
  'api_key.updated': kind('A key was renamed, disabled, enabled, or given other toolsets'),
  'api_key.rotated': kind('A key was replaced by the key in `rotated_to`'),
  'api_key.revoked': kind('A key was revoked'),
  'api_key.expired': kind('A key expired'),
  'api_key.deleted': kind('A key was deleted'),
};
