// Stores certificates of a project.

import { makeAuthority } from '../peers/certificates.ts';
import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeCertificate = { id: string; name: string; [field: string]: any };

/** Signs hosts, and clients: the authorities of a company. */
export const companyAuthority = makeAuthority('an authority of a company');
export const clientAuthority = makeAuthority('an authority for clients');

/** The options of a host that requires a client certificate. */
export const mutualTls = () => ({
  ...companyAuthority.issue(['localhost']),
  requestCert: true,
  rejectUnauthorized: true,
  ca: clientAuthority.certificate,
});

export function clientFields(name: string, to?: number) {
  const { key, cert } = clientAuthority.issue([name], { for_client: true, ...(to && { to }) });
  return { client_certificate: cert, client_key: key };
}

/** By default it verifies the hosts of the company, and has no client certificate. */
export async function makeCertificate(
  server: Pick<TestServer, 'api'>,
  project_id: string,
  fields: object = {},
): Promise<MadeCertificate> {
  const body = { name: unique('certificate'), ca: companyAuthority.certificate, ...fields };
  const path = `/projects/${project_id}/certificates`;
  return expectResponse(await server.api('POST', path, { key: ROOT_KEY, body }), 201);
}
