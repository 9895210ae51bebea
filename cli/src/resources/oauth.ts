// toolgate oauth-providers and oauth-clients: where members sign in, and the apps that send them.

import type { Command } from '@commander-js/extra-typings';
import type { Field } from '../fields.ts';
import { addListVerb, addVerb } from '../verb.ts';

const provider: Field[] = [
  { flag: '--provider <kind>', field: 'provider', description: 'google, github or oidc' },
  { flag: '--client-id <id>', field: 'client_id', description: 'your client at the provider' },
];
const secret: Field = {
  flag: '--secret-env <name>',
  field: 'client_secret',
  description: 'the environment variable that holds the secret of that client',
  kind: 'environment',
};
const issuer: Field = { flag: '--issuer <url>', field: 'issuer', description: 'of an oidc provider' };
const name: Field = { flag: '--name <text>', field: 'name', description: 'the name' };
const redirects: Field = {
  flag: '--redirect-uris <list>',
  field: 'redirect_uris',
  description: 'where people are sent back to, with commas between them',
  kind: 'list',
};

export function addOAuthProvidersCommand(program: Command): void {
  const group = program.command('oauth-providers').description('where members sign in');
  addListVerb(group, {
    usage: 'list',
    description: 'list the OAuth providers of the project',
    columns: ['id', 'name', 'provider', 'issuer', 'client_id', 'is_enabled'],
    run: ({ toolgate, fields }) => toolgate.oauthProviders.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show an OAuth provider, without its secret',
    run: ({ toolgate, args }) => toolgate.oauthProviders.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create',
    description: 'register an OAuth provider',
    fields: [...[...provider, secret].map((field) => ({ ...field, required: true })), name, issuer],
    isOpen: true,
    run: ({ toolgate, fields }) => toolgate.oauthProviders.create(fields),
  });
  addVerb(group, {
    usage: 'update <id>',
    description: 'change an OAuth provider',
    fields: [name, secret],
    isOpen: true,
    run: ({ toolgate, args, fields }) => toolgate.oauthProviders.update(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'test <id>',
    description: 'check that the provider can be reached and knows the client',
    run: ({ toolgate, args }) => toolgate.oauthProviders.test(String(args[0])),
  });
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete an OAuth provider',
    run: ({ toolgate, args }) => toolgate.oauthProviders.delete(String(args[0])),
  });
}

export function addOAuthClientsCommand(program: Command): void {
  const group = program.command('oauth-clients').description('the apps that send their users here to sign in');
  addListVerb(group, {
    usage: 'list',
    description: 'list the OAuth clients of the project',
    columns: ['id', 'name', 'client_id', 'redirect_uris', 'is_public'],
    run: ({ toolgate, fields }) => toolgate.oauthClients.list(fields),
  });
  addVerb(group, {
    usage: 'get <id>',
    description: 'show an OAuth client, without its secret',
    run: ({ toolgate, args }) => toolgate.oauthClients.get(String(args[0])),
  });
  addVerb(group, {
    usage: 'create',
    description: 'register an OAuth client, and show its secret once',
    fields: [name, redirects].map((field) => ({ ...field, required: true })),
    isOpen: true,
    run: ({ toolgate, fields }) => toolgate.oauthClients.create(fields),
  });
  addVerb(group, {
    usage: 'update <id>',
    description: 'change an OAuth client',
    fields: [name, redirects],
    isOpen: true,
    run: ({ toolgate, args, fields }) => toolgate.oauthClients.update(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'rotate-secret <id>',
    description: 'create a new secret, and show it once',
    fields: [
      {
        flag: '--overlap-seconds <n>',
        field: 'overlap_seconds',
        description: 'how long the old secret goes on working',
        kind: 'number',
      },
    ],
    run: ({ toolgate, args, fields }) => toolgate.oauthClients.rotateSecret(String(args[0]), fields),
  });
  addVerb(group, {
    usage: 'delete <id>',
    description: 'delete an OAuth client',
    run: ({ toolgate, args }) => toolgate.oauthClients.delete(String(args[0])),
  });
}
