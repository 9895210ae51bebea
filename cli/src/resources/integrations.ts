// toolgate integrations

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addListVerb, addVerb } from '../verb.ts';

const name: Field = { flag: '--name <text>', field: 'name', description: 'the name' };
const description: Field = { flag: '--description <text>', field: 'description', description: 'what it is' };

export function addIntegrationsCommand(program: Command): void {
  const group = program.command('integrations').description('integrations; their keys are created by keys create');
  addListVerb(group, {
    usage: 'list',
    description: 'list the integrations of the project',
    columns: ['id', 'name', 'description', 'created_at'],
    run: ({ toolgate, fields }) => toolgate.integrations.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show an integration',
    run: ({ toolgate, args }) => toolgate.integrations.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create',
    description: 'create an integration',
    fields: [{ ...name, required: true }, description],
    isOpen: true,
    run: ({ toolgate, fields }) => toolgate.integrations.create(fields),
  });
  addVerb(group, {
    usage: 'update <id>',
    description: 'change an integration',
    fields: [name, description],
    isOpen: true,
    run: ({ toolgate, args, fields }) => toolgate.integrations.update(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete an integration with its keys',
    run: ({ toolgate, args }) => toolgate.integrations.delete(String(args[0])),
  });
}
