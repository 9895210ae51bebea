// Assertion keys, member sessions and members.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { makeIntegration, makeIntegrationKey } from '../../support/make/make-members.ts';
import { makeSigner, signAssertion } from '../../support/make/sign-assertion.ts';
import type { Recorder } from '../recorder.ts';

export async function recordMembers({ server, record, recordError }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server, { environment: 'production' });
  const { key } = await makeKey(server, project_id);
  const integration = await makeIntegration(server, project_id);
  const { key: integration_key } = await makeIntegrationKey(server, project_id, integration.id);
  const signer = makeSigner('ES256', 'backend-2026');
  const assertion = () => signAssertion(signer, project_id, server.app.now(), { claims: { sub: 'user-4711' } });

  const body = { kid: signer.kid, algorithm: signer.algorithm, public_key: signer.pem };
  const { id: assertion_key_id } = await record('registerAssertionKey', { key, body });
  const one = { key, params: { assertion_key_id } };
  await record('listAssertionKeys', { key });
  await record('getAssertionKey', one);
  await record('debugAssertion', { key, body: { member_assertion: assertion() } });

  const session = await record('createSessionToken', { key: integration_key, body: { member_assertion: assertion() } });
  const member = { key, params: { member_id: session.member.id } };
  await record('listMembers', { key });
  await record('getMember', member);
  await record('revokeMemberSessions', member);
  await record('deleteMember', member);
  await record('deactivateAssertionKey', one);
  await record('deleteAssertionKey', one);

  const exchange = { key: integration_key, body: { member_assertion: assertion() } };
  await recordError('createSessionToken', 'ASSERTION_KEY_NOT_FOUND', exchange);
  await recordError('createSessionToken', 'MEMBER_REQUIRED', { ...exchange, body: {} });
  await recordError('createSessionToken', 'API_KEY_WITHOUT_INTEGRATION', { ...exchange, key });
  const unsigned = { ...exchange, body: { member_external_id: 'user-4711' } };
  await recordError('createSessionToken', 'MEMBER_EXTERNAL_ID_DISABLED', unsigned);
  const no_key = { ...body, public_key: 'ssh-ed25519 AAAA' };
  await recordError('registerAssertionKey', 'INVALID_PUBLIC_KEY', { key, body: no_key });
  await recordError('registerAssertionKey', 'UNSUPPORTED_ALGORITHM', { key, body: { ...body, algorithm: 'HS256' } });
}
