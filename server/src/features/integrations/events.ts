// The events of integrations.

import { type EventKind, exampleIds, exampleTime } from '../../api/event-kind.ts';
import { recorderOf } from '../events/record.ts';
import { integrationSchema } from './integration.ts';

const example = {
  object: 'integration',
  id: exampleIds.integration_id,
  project_id: exampleIds.project_id,
  name: 'Web shop',
  description: null,
  created_at: exampleTime,
  created_by: 'root',
  updated_at: exampleTime,
};

const kind = (description: string) =>
  ({ description, data: integrationSchema, example, readable_with: 'read' }) satisfies EventKind;

export const integrationEvents = {
  'integration.created': kind('An integration was created'),
  'integration.updated': kind('An integration was changed'),
  'integration.deleted': kind('An integration was deleted, with its keys and sessions'),
};

export const { recordChange } = recorderOf(integrationEvents);
