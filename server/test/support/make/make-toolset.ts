// Creates toolsets.

import { ROOT_KEY, type TestServer } from '../servers/start-server.ts';
import { expectResponse, unique } from './make.ts';

export type MadeToolset = { id: string; slug: string; tool_count: number; [field: string]: any };

export async function makeToolset(server: TestServer, project_id: string, fields: object = {}): Promise<MadeToolset> {
  const body = { slug: unique('set'), name: unique('toolset'), ...fields };
  return expectResponse(await server.api('POST', `/projects/${project_id}/toolsets`, { key: ROOT_KEY, body }), 201);
}
