// The events of integrations.

import type { EventKind } from '../events/event-kind.ts';
import { exampleTime } from '../examples.ts';
import { exampleIds } from '../ids.ts';
import { integration } from './integration.ts';

const example = {
  object: 'integration',
  id: exampleIds.integration_id,
  project_id: exampleIds.project_id,
  name: 'Web shop',
  description: null,
  toolset_ids: null,
  created_at: exampleTime,
  created_by: 'root',
  updated_at: exampleTime,
};

const kind = (description: string) =>
  ({ description, data: integration, example, readable_with: 'read' }) satisfies EventKind;

export const integrationEvents = {
  'integration.created': kind('An integration was created'),
  'integration.updated': kind('An integration was changed'),
  'integration.deleted': kind('An integration was deleted, with its keys and sessions'),
};
