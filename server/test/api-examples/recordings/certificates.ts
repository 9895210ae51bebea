// Certificates. Their texts are left out by normalize.ts.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { clientFields } from '../../support/make/make-certificate.ts';
import { testAuthority } from '../../support/peers/fake-customer.ts';
import type { Recorder } from '../recorder.ts';

export async function recordCertificates({ server, customer, record, recordError }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const body = { name: 'Partner gateway', ca: testAuthority.certificate, ...clientFields('toolgate') };
  const { id: certificate_id } = await record('createCertificate', { ...options, body });
  const one = { key, params: { project_id, certificate_id } };
  const tool = {
    name: 'find_order',
    base_url: customer.url,
    endpoint_path: '/orders',
    certificate_id,
  };
  const { body: made } = await server.api('POST', '/custom-tools', { key, body: tool });
  await record('listCertificates', options);
  await record('getCertificate', one);
  await record('updateCertificate', { ...one, body: clientFields('toolgate') });
  const named = (tested: any) => {
    const names = { subject: 'CN=api.example.com', issuer: 'CN=Example Issuing CA', names: ['api.example.com'] };
    return { ...tested, chain: tested.chain.map((each: object) => ({ ...each, ...names })) };
  };
  await record('testCertificate', { ...one, body: { url: `${customer.url}/health` }, shorten: named });
  await recordError('deleteCertificate', 'CERTIFICATE_IN_USE', one);
  await server.api('DELETE', `/custom-tools/${made.id}`, { key });
  await record('deleteCertificate', one);
}
