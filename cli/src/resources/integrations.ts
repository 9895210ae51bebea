// toolgate integrations

import type { Group } from '../command.ts';
import { crudCommands } from '../crud.ts';

export const integrations: Group = {
  name: 'integrations',
  description: 'integrations; their keys are created by keys create',
  commands: crudCommands('Integration', {
    columns: ['id', 'name', 'description', 'created_at'],
    flags: ['name', 'description'],
  }),
};
