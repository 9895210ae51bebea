// toolgate analytics: counts of calls over time, and what results cost.

import { command, type Group } from '../command.ts';

export const analytics: Group = {
  name: 'analytics',
  description: 'call counts over time, and the size of results',
  commands: [
    command('get', 'getAnalytics', { flags: ['from', 'to', 'interval', 'group_by'] }),
    command('results', 'getResultReport', { flags: ['from', 'to'] }),
  ],
};
