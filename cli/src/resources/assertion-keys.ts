// toolgate assertion-keys

import { command, type Group, listCommand } from '../command.ts';
import { readText } from '../read-input.ts';

export const assertionKeys: Group = {
  name: 'assertion-keys',
  description: 'the public keys that verify member assertions',
  commands: [
    listCommand('list', 'listAssertionKeys', {
      columns: ['id', 'kid', 'algorithm', 'status', 'fingerprint', 'created_at'],
    }),
    command('get', 'getAssertionKey'),
    command('create', 'registerAssertionKey', {
      description: 'register the public key in a PEM file',
      flags: ['kid', 'algorithm'],
      argument: { field: 'public_key', name: 'file' },
      call: async ({ context, toolgate, fields: { public_key: file, ...fields } }) =>
        toolgate.assertionKeys.create({ ...fields, public_key: await readText(context, file) }),
    }),
    command('deactivate', 'deactivateAssertionKey'),
    command('delete', 'deleteAssertionKey'),
    command('debug', 'debugAssertion', {
      description: 'show for every rule whether an assertion passes',
      argument: { field: 'member_assertion', name: 'assertion' },
    }),
  ],
};
