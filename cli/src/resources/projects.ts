// toolgate projects: the only resource that needs no project. Commands on one project take the own one without an id.

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addListVerb, addVerb } from '../verb.ts';

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

function addOwnProjectVerbs(group: Command): void {
  addVerb(group, {
    usage: 'get [id]',
    description: 'show a project',
    takesProject: true,
    run: ({ toolgate, project }) => toolgate.projects.get(project),
  });
  addVerb(group, {
    usage: 'update [id]',
    description: 'change a project',
    fields: [name, ...optional],
    isOpen: true,
    takesProject: true,
    run: ({ toolgate, project, fields }) => toolgate.projects.update(project, fields),
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
    takesProject: true,
    run: ({ toolgate, project, fields }) =>
      Object.keys(fields).length === 0
        ? toolgate.projects.settings.get(project)
        : toolgate.projects.settings.update(project, fields),
  });
  addVerb(group, {
    usage: 'usage [id]',
    description: 'show how many requests of this hour are used',
    takesProject: true,
    run: ({ toolgate, project }) => toolgate.projects.usage.get(project),
  });
  addVerb(group, {
    usage: 'retention [id]',
    description: 'show how long data is kept',
    takesProject: true,
    run: ({ toolgate, project }) => toolgate.projects.retention.get(project),
  });
}
