// Log streams.

import { makeKey, makeProject } from '../../support/make/make.ts';
import type { Recorder } from '../recorder.ts';

export async function recordLogStreams({ server, customer, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const body = {
    name: 'Changes for the security team',
    kind: 'https',
    source: 'audit_log',
    endpoint: `${customer.url}/logs/toolgate`,
    headers: { Authorization: 'Bearer the-token-of-your-gateway' },
  };
  const { id: log_stream_id } = await record('createLogStream', { ...options, body });
  const one = { key, params: { project_id, log_stream_id } };
  await record('listLogStreams', options);
  await record('getLogStream', one);
  await record('updateLogStream', { ...one, body: { flush_seconds: 60 } });
  await record('rotateLogStreamSecret', { ...one, body: { overlap_seconds: 86_400 } });
  await record('testLogStream', one);
  await record('deleteLogStream', one);
  const shorten = ({ keys: [key] }: any) => ({ keys: [{ ...key, kid: 'aud-7hGs2mXcVb9nQw4ZtR1yKd' }] });
  await record('listAuditKeys', { shorten });
}
