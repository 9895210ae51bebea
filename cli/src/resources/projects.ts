// toolgate projects: the only resource that needs no project. Commands on one project take the own one without an id.

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addListVerb, addVerb, type Input } from '../verb.ts';

const optional: Field[] = [
  { flag: '--environment <name>', field: 'environment', description: 'development or production' },
  { flag: '--plan <plan>', field: 'plan', description: 'free, pro or enterprise; needs the root key' },
];
const name: Field = { flag: '--name <text>', field: 'name', description: 'the name' };

export function addProjectsCommand(program: Command): void {
  const group = program.command('projects').description('projects, their settings and their usage');
  addListVerb(group, {
    usage: 'list',
    description: 'list the projects that the key sees',
    columns: ['id', 'name', 'environment', 'plan', 'created_at'],
    isGlobal: true,
    run: ({ toolgate, fields }) => toolgate.projects.list(fields),
  });
  addVerb(group, {
    usage: 'create',
    description: 'create a project',
    fields: [{ ...name, required: true }, ...optional],
    isOpen: true,
    isGlobal: true,
    run: ({ toolgate, fields }) => toolgate.projects.create(fields),
  });
  addOwnProjectVerbs(group);
}

/** `[id]` of the command, or the project of --project and the key. */
const idOf = ({ args, project }: Input) => args[0] ?? project;

function addOwnProjectVerbs(group: Command): void {
  addVerb(group, {
    usage: 'get [id]',
    description: 'show a project',
    run: (input) => input.toolgate.projects.get(idOf(input)),
  });
  addVerb(group, {
    usage: 'update [id]',
    description: 'change a project',
    fields: [name, ...optional],
    isOpen: true,
    run: (input) => input.toolgate.projects.update(idOf(input), input.fields),
  });
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete a project with everything in it',
    isGlobal: true,
    run: ({ toolgate, args }) => toolgate.projects.delete(String(args[0])),
  });
  addVerb(group, {
    usage: 'settings [id]',
    description: 'show the settings of a project, or change those given by --set or --data',
    isOpen: true,
    run: (input) =>
      Object.keys(input.fields).length === 0
        ? input.toolgate.projects.settings.get(idOf(input))
        : input.toolgate.projects.settings.update(idOf(input), input.fields),
  });
  addVerb(group, {
    usage: 'usage [id]',
    description: 'show how many requests of this hour are used',
    run: (input) => input.toolgate.projects.usage.get(idOf(input)),
  });
}
