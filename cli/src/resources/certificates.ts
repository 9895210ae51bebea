// toolgate certificates: what connections to hosts are made with. PEM is read from files.

import { command, type Group, listCommand, textOption } from '../command.ts';
import type { Context } from '../context.ts';
import { readText } from '../read-input.ts';

const options = {
  ca: textOption('--ca <file>', 'PEM of the authorities that hosts are verified with; - for stdin'),
  clientCertificate: textOption('--client-certificate <file>', 'PEM of the client certificate, with its intermediates'),
  clientKey: textOption('--client-key <file>', 'PEM of its private key'),
};

type Files = { ca?: string; clientCertificate?: string; clientKey?: string };

async function readFiles(context: Context, { ca, clientCertificate, clientKey }: Files) {
  return {
    ...(ca !== undefined && { ca: await readText(context, ca) }),
    ...(clientCertificate !== undefined && { client_certificate: await readText(context, clientCertificate) }),
    ...(clientKey !== undefined && { client_key: await readText(context, clientKey) }),
  };
}

export const certificates: Group = {
  name: 'certificates',
  description: 'certificate authorities of your own, and client certificates',
  commands: [
    listCommand('list', 'listCertificates', { columns: ['id', 'name', 'expires_at', 'has_client_key', 'use_count'] }),
    command('get', 'getCertificate'),
    command('create', 'createCertificate', {
      argument: { field: 'name', name: 'name' },
      options,
      isOpen: true,
      call: async ({ context, toolgate, fields, options }) =>
        toolgate.certificates.create({ ...fields, ...(await readFiles(context, options)) }),
    }),
    command('update', 'updateCertificate', {
      description: 'rename or replace a certificate; what uses it continues with the new one',
      flags: ['name'],
      options,
      isOpen: true,
      call: async ({ context, toolgate, ids: { certificate_id }, fields, options }) =>
        toolgate.certificates.update(certificate_id, { ...fields, ...(await readFiles(context, options)) }),
    }),
    command('delete', 'deleteCertificate'),
    command('test', 'testCertificate', {
      description: 'connect to a host, and see its chain and what is wrong with it',
      argument: { field: 'url', name: 'url' },
    }),
  ],
};
