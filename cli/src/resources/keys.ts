// toolgate keys: API keys. A key is shown by `create` and `rotate` alone.

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addListVerb, addVerb } from '../verb.ts';

const integration: Field = {
  flag: '--integration <id>',
  field: 'integration',
  description: 'keys created from this integration: they can create member sessions',
};
const overlap: Field = {
  flag: '--overlap-seconds <n>',
  field: 'overlap_seconds',
  description: 'how long the old key goes on working; 0 by default',
  kind: 'number',
};
const created: Field[] = [
  { flag: '--name <text>', field: 'name', description: 'the name', required: true },
  {
    flag: '--permissions <list>',
    field: 'permissions',
    description: 'of read, write, webhook and admin, with commas between them',
    kind: 'list',
    required: true,
  },
  { flag: '--expires-at <time>', field: 'expires_at', description: 'when it ends, for example 2027-01-31T00:00:00Z' },
  integration,
];

type Scoped = { integration?: string };

export function addKeysCommand(program: Command): void {
  const group = program.command('keys').description('API keys');
  addListVerb(group, {
    usage: 'list',
    description: 'list the API keys of the project',
    columns: ['id', 'name', 'permissions', 'status', 'last4', 'last_used_at', 'expires_at'],
    fields: [integration],
    run({ toolgate, fields }) {
      const { integration: id, ...filters } = fields as Scoped;
      return id === undefined ? toolgate.apiKeys.list(filters) : toolgate.integrations.apiKeys.list(id, filters);
    },
  });
  addVerb(group, {
    usage: 'create',
    description: 'create an API key and show it once',
    fields: created,
    isOpen: true,
    run({ toolgate, fields }) {
      const { integration: id, ...key } = fields as Scoped;
      return id === undefined
        ? toolgate.apiKeys.create(key as never)
        : toolgate.integrations.apiKeys.create(id, key as never);
    },
  });
  addKeyVerbs(group);
}

function addKeyVerbs(group: Command): void {
  addVerb(group, {
    usage: 'get <id>',
    description: 'show an API key, without the key itself',
    run: ({ toolgate, args }) => toolgate.apiKeys.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'update <id>',
    description: 'rename, deactivate or activate an API key',
    fields: [
      { flag: '--name <text>', field: 'name', description: 'the name' },
      { flag: '--active <true|false>', field: 'is_active', description: 'whether it works', kind: 'boolean' },
    ],
    isOpen: true,
    run: ({ toolgate, args, fields }) => toolgate.apiKeys.update(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'rotate <id>',
    description: 'create the successor of an API key and show it once',
    fields: [overlap],
    run: ({ toolgate, args, fields }) => toolgate.apiKeys.rotate(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'revoke <id>',
    description: 'end an API key for good',
    run: ({ toolgate, args }) => toolgate.apiKeys.revoke(String(args[0])),
  });
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete an API key',
    run: ({ toolgate, args }) => toolgate.apiKeys.delete(String(args[0])),
  });
}
