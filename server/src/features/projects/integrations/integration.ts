// An integration: its columns, and how responses show it.

import type { Integration } from '@toolgate/contract/integrations/integration.ts';
import type { Row } from '../../../database/tables.ts';

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
