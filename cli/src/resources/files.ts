// toolgate files: upload, download and delete files of tool calls.

import { command, type Group, textOption } from '../command.ts';
import { downloadFile, uploadFile } from '../file-transfer.ts';

export const files: Group = {
  name: 'files',
  description: 'files that tools take and return',
  commands: [
    command('upload', 'uploadFile', {
      description: 'upload a file; tools take its id as an argument',
      argument: { field: 'name', name: 'file' },
      options: {
        rename: textOption('--name <name>', 'a different name for the file'),
        type: textOption('--type <media-type>', 'its media type; default: from the extension of its name'),
      },
      call: ({ toolgate, fields: { name: path }, options: { rename: name, type } }) =>
        uploadFile(toolgate, path ?? '', { ...(name !== undefined && { name }), ...(type !== undefined && { type }) }),
    }),
    command('get', 'getFile'),
    command('download', 'getFileContent', {
      description: 'download a file',
      options: { output: textOption('--output <file>', 'where to save it; default: under its name in this folder') },
      async call({ toolgate, ids: { file_id }, options: { output } }) {
        const { name, size } = await toolgate.files.get(file_id);
        const path = output ?? name;
        await downloadFile(toolgate, file_id, path);
        return { file: path, size };
      },
    }),
    command('delete', 'deleteFile'),
  ],
};
