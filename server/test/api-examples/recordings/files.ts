// Files: upload, read, download and delete.

import { makeKey, makeProject } from '../../support/make/make.ts';
import type { Recorder } from '../recorder.ts';

export async function recordFiles({ server, record, recordError }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const { id: file_id } = await record('uploadFile', {
    ...options,
    query: { name: 'report.txt' },
    body: 'Revenue: 48,213 USD\n',
    media_type: '*/*',
    headers: { 'content-type': 'text/plain' },
    shown_body: 'Revenue: 48,213 USD\n',
  });
  const one = { key, params: { project_id, file_id } };
  await record('getFile', one);
  await record('getFileContent', one);
  await recordError('getFileContent', 'RANGE_NOT_SATISFIABLE', { ...one, headers: { range: 'bytes=4096-' } });
  await record('deleteFile', one);
  await server.api('PATCH', `/projects/${project_id}/settings`, { key, body: { file_retention_seconds: 0 } });
  await recordError('uploadFile', 'FILES_NOT_STORED', { ...options, body: 'Revenue', media_type: 'text/plain' });
}
