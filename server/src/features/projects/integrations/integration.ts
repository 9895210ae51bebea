// An integration: its columns, how responses show it, and the events of its changes.

import { integrationEvents } from '@toolgate/contract/integrations/events.ts';
import type { Integration } from '@toolgate/contract/integrations/integration.ts';
import type { Row } from '../../../database/tables.ts';
import { recorderOf } from '../../activity/events/record.ts';

export const integrationColumns = [
  'id',
  'project_id',
  'name',
  'description',
  'toolset_ids',
  'created_by',
  'created_at',
  'updated_at',
] as const;

export const showIntegration = (row: Row<'integrations'>): Integration => ({ object: 'integration', ...row });

export const { recordChange } = recorderOf(integrationEvents);
