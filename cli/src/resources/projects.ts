// toolgate projects: the only resource that needs no project. Commands on one project take the own one without an id.

import { command, type Group, listCommand } from '../command.ts';

export const projects: Group = {
  name: 'projects',
  description: 'projects, their settings and their usage',
  commands: [
    listCommand('list', 'listProjects', {
      columns: ['id', 'name', 'environment', 'plan', 'created_at'],
      isGlobal: true,
    }),
    command('create', 'createProject', { flags: ['name', 'environment', 'plan'], isOpen: true, isGlobal: true }),
    command('get', 'getProject', { project: '[id]' }),
    command('update', 'updateProject', { project: '[id]', flags: ['name', 'environment', 'plan'], isOpen: true }),
    command('delete', 'deleteProject', { project: '<id>' }),
    command('settings', 'updateProjectSettings', {
      description: "show a project's settings, or change those set with --set or --data",
      project: '[id]',
      isOpen: true,
      call: ({ toolgate, project, fields }) =>
        Object.keys(fields).length === 0
          ? toolgate.projects.settings.get(project)
          : toolgate.projects.settings.update(project, fields),
    }),
    command('usage', 'getUsage', { project: '[id]' }),
    command('payload-usage', 'getPayloadUsage', { project: '[id]' }),
    command('retention', 'getRetention', { project: '[id]' }),
  ],
};
