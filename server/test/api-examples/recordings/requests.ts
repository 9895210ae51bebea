// The trace of a refused request, and the list of refused requests.

import { makeKey, makeProject } from '../../support/make/make.ts';
import { execute, makeTool } from '../../support/make/make-tools.ts';
import type { Recorder } from '../recorder.ts';

export async function recordRequests({ server, customer, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const tool = await makeTool(server, key, customer, { require_member: true });
  const { headers } = await execute(server, key, tool.id);
  await server.app.batch_writer.flush();
  const request_id = headers.get('x-request-id') as string;
  await server.api('GET', `/projects/${project_id}/api-keys`, {
    key: (await makeKey(server, project_id, ['read'])).key,
  });
  await server.app.batch_writer.flush();
  await record('listRefusedRequests', { key, params: { project_id } });
  await record('getRequestTrace', { key, params: { project_id, request_id } });
}
