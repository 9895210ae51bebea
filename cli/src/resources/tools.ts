// toolgate tools: the tools of a project. `import` and `call` are in files of their own.

import { command, type Group, listCommand, textOption } from '../command.ts';
import { parseBoolean } from '../fields.ts';
import { toolCallCommand } from '../tool-call.ts';
import { addToolImportCommand } from '../tool-import.ts';

const optional = ['method', 'description', 'auth_strategy', 'encrypted_auth_secret'] as const;
const identity = ['name', 'base_url', 'endpoint_path'] as const;

export const tools: Group = {
  name: 'tools',
  description: 'tools: define, import and call them',
  commands: [
    listCommand('list', 'listCustomTools', {
      flags: ['search', 'is_enabled', 'tag'],
      columns: ['id', 'name', 'method', 'base_url', 'endpoint_path', 'auth_strategy', 'is_enabled', 'version'],
    }),
    command('get', 'getCustomTool'),
    command('create', 'createCustomTool', { flags: [...identity, ...optional], isOpen: true }),
    command('update', 'updateCustomTool', { flags: [...identity, ...optional], isOpen: true }),
    command('approve', 'updateCustomTool', {
      description: 'allow a tool to act for members in production in its current state; requires admin',
      call: ({ toolgate, ids }) => toolgate.customTools.update(ids.tool_id, { is_approved: true }),
    }),
    command('enable', 'enableCustomTool'),
    command('disable', 'disableCustomTool'),
    command('duplicate', 'duplicateCustomTool', { flags: ['name'] }),
    command('delete', 'deleteCustomTool'),
    command('bulk', 'changeCustomTools', {
      description: 'enable, disable or delete many tools, or confirm their hints, in one transaction',
      argument: { field: 'action', name: 'action' },
      flags: ['ids'],
      options: {
        search: textOption('--search <text>', 'all tools that contain this text'),
        is_enabled: { flags: '--enabled <true|false>', description: 'all tools of this kind', parse: parseBoolean },
      },
      call: ({ toolgate, fields, options: filter }) =>
        toolgate.customTools.bulk(fields.ids === undefined ? { ...fields, filter } : fields),
    }),
    listCommand('versions', 'listCustomToolVersions', {
      columns: ['version', 'definition_hash', 'created_by', 'created_at'],
    }),
    command('version', 'getCustomToolVersion'),
    command('preview', 'previewCustomTool', { isOpen: true }),
    command('preview-definition', 'previewToolDefinition', { isOpen: true }),
    command('preview-response', 'previewToolResponse', { isOpen: true }),
    command('load-sample', 'loadSampleTools', {
      description: 'create the tools of the sample shop, to try toolgate without an API of your own',
      call: async ({ toolgate }) => {
        const { tools } = await toolgate.customTools.loadSample();
        return { created: tools.map(({ name }) => name) };
      },
    }),
    addToolImportCommand,
    toolCallCommand,
  ],
};
