// toolgate assertion-keys

import type { Command } from '@commander-js/extra-typings';
import { readText } from '../read-input.ts';
import { addListVerb, addVerb } from '../verb.ts';

export function addAssertionKeysCommand(program: Command): void {
  const group = program.command('assertion-keys').description('the public keys that verify member assertions');
  addListVerb(group, {
    usage: 'list',
    description: 'list the assertion keys of the project',
    columns: ['id', 'kid', 'algorithm', 'status', 'fingerprint', 'created_at'],
    run: ({ toolgate, fields }) => toolgate.assertionKeys.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show an assertion key',
    run: ({ toolgate, args }) => toolgate.assertionKeys.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create <file>',
    description: 'register the public key of a PEM file',
    fields: [
      { flag: '--kid <kid>', field: 'kid', description: 'the kid of your assertions', required: true },
      { flag: '--algorithm <name>', field: 'algorithm', description: 'ES256, ES384, Ed25519 or RS256', required: true },
    ],
    async run({ toolgate, args, fields }) {
      const public_key = await readText(String(args[0]));
      return toolgate.assertionKeys.create({ ...(fields as { kid: string; algorithm: string }), public_key });
    },
  });
  addVerb(group, {
    usage: 'deactivate <id>',
    description: 'end the sessions created with a key, and free its kid',
    run: ({ toolgate, args }) => toolgate.assertionKeys.deactivate(String(args[0])),
  });
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete an assertion key',
    run: ({ toolgate, args }) => toolgate.assertionKeys.delete(String(args[0])),
  });
  addVerb(group, {
    usage: 'debug <assertion>',
    description: 'say for every rule whether an assertion passes',
    run: ({ toolgate, args }) => toolgate.assertionKeys.debug({ member_assertion: String(args[0]) } as never),
  });
}
