// toolgate tools: the tools of a project. `import` and `call` are in files of their own.

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addToolCallCommand } from '../tool-call.ts';
import { addToolImportCommand } from '../tool-import.ts';
import { addListVerb, addVerb } from '../verb.ts';

const columns = [
  'id',
  'name',
  'method',
  'base_url',
  'endpoint_path',
  'auth_strategy',
  'is_enabled',
  'version',
] as const;
const secret: Field = {
  flag: '--secret-env <name>',
  field: 'encrypted_auth_secret',
  description: 'the environment variable that holds the secret of the strategy',
  kind: 'environment',
};
const optional: Field[] = [
  { flag: '--method <method>', field: 'method', description: 'GET, POST, PUT, PATCH or DELETE' },
  { flag: '--description <text>', field: 'description', description: 'what a model reads about it' },
  { flag: '--auth-strategy <name>', field: 'auth_strategy', description: 'how calls authenticate to your API' },
  secret,
];
const identity: Field[] = [
  { flag: '--name <name>', field: 'name', description: 'the name that a model calls it by' },
  { flag: '--base-url <origin>', field: 'base_url', description: 'HTTPS origin of your API' },
  { flag: '--path <path>', field: 'endpoint_path', description: 'the path, with {{placeholders}}' },
];

export function addToolsCommand(program: Command): void {
  const group = program.command('tools').description('tools: define, import and call them');
  addListVerb(group, {
    usage: 'list',
    description: 'list the tools of the project',
    columns,
    fields: [
      { flag: '--search <text>', field: 'search', description: 'names and descriptions that contain this' },
      { flag: '--enabled <true|false>', field: 'is_enabled', description: 'only such', kind: 'boolean' },
    ],
    run: ({ toolgate, fields }) => toolgate.customTools.list(fields),
  });
  addVerb(group, {
    usage: 'get <id-or-name>',
    description: 'show a tool',
    run: ({ toolgate, args }) => toolgate.customTools.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create',
    description: 'create a tool',
    fields: [...identity.map((field) => ({ ...field, required: true })), ...optional],
    isOpen: true,
    run: ({ toolgate, fields }) => toolgate.customTools.create(fields),
  });
  addVerb(group, {
    usage: 'update <id-or-name>',
    description: 'change a tool',
    fields: [...identity, ...optional],
    isOpen: true,
    run: ({ toolgate, args, fields }) => toolgate.customTools.update(String(args[0]), fields),
  });
  addStateVerbs(group);
  addVersionVerbs(group);
  addToolImportCommand(group);
  addToolCallCommand(group);
}

function addStateVerbs(group: Command): void {
  addVerb(group, {
    usage: 'enable <id-or-name>',
    description: 'let models call a tool',
    run: ({ toolgate, args }) => toolgate.customTools.enable(String(args[0])),
  });
  addVerb(group, {
    usage: 'disable <id-or-name>',
    description: 'refuse all calls of a tool',
    run: ({ toolgate, args }) => toolgate.customTools.disable(String(args[0])),
  });
  addVerb(group, {
    usage: 'delete <id-or-name>',
    description: 'delete a tool',
    run: ({ toolgate, args }) => toolgate.customTools.delete(String(args[0])),
  });
  addVerb(group, {
    usage: 'bulk <enable|disable|delete>',
    description: 'enable, disable or delete many tools in one transaction',
    fields: [
      { flag: '--ids <list>', field: 'ids', description: 'these, with commas between them', kind: 'list' },
      { flag: '--search <text>', field: 'search', description: 'all that contain this' },
      { flag: '--enabled <true|false>', field: 'is_enabled', description: 'all such', kind: 'boolean' },
    ],
    run({ toolgate, args, fields }) {
      const { ids, ...filter } = fields as { ids?: string[] };
      const which = ids === undefined ? { filter } : { ids };
      return toolgate.customTools.bulk({ action: args[0] as never, ...which });
    },
  });
}

function addVersionVerbs(group: Command): void {
  addListVerb(group, {
    usage: 'versions <id-or-name>',
    description: 'list the saved versions of a tool',
    columns: ['version', 'definition_hash', 'created_by', 'created_at'],
    run: ({ toolgate, args, fields }) => toolgate.customTools.versions.list(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'version <id-or-name> <number>',
    description: 'show one saved version of a tool',
    run: ({ toolgate, args }) => toolgate.customTools.versions.get(String(args[0]), Number(args[1])),
  });
}
