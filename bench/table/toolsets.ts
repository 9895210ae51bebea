// What toolsets cost: calls with keys that are narrowed to some beside keys that are not, and lists with many different choices of
// toolsets in use beside one.

import { startEmbeddedGateway } from './gateway.ts';
import { toolsCall, toolsList } from './requests.ts';
import { measure, type Row, type Target } from './rounds.ts';
import { makeKeys, makeToolset, type Project } from './seed.ts';
import type { Site } from './site.ts';

/** A key of the calls has so many toolsets. The tool is only in the last, so that all of them are asked. */
const OF_A_KEY = 4;
const EFFECTIVE_SETS = 64;

export const toolsetRows = {
  call: {
    operation: 'tools/call, toolsets',
    every: 'keys that see every tool',
    some: `keys with ${OF_A_KEY} toolsets`,
  },
  list: {
    operation: 'tools/list, toolsets',
    every: 'keys that see every tool, 100 tools',
    one: 'keys with one toolset, 99 tools',
    many: `keys with ${EFFECTIVE_SETS} different toolsets, 99 tools each`,
  },
};

export async function measureToolsets(site: Site): Promise<Row[]> {
  const server = await startEmbeddedGateway(site, { from: site.seeded, to: 'toolsets' });
  try {
    site.bench.progress(`${EFFECTIVE_SETS} toolsets and their keys`);
    const target = (operation: string, name: string, template: Target['template']): Target => ({
      operation,
      name,
      server,
      template,
    });
    const { call, list } = toolsetRows;
    const tool = site.signed.tools.map(({ name }) => name);
    const narrow = await narrowKeys(server.url, site.signed);
    const { every, one, many } = await listKeys(server.url, site.listed);
    return [
      ...(await measure(site.bench, [
        target(call.operation, call.every, toolsCall({ key: site.signed.keys, tool })),
        target(call.operation, call.some, toolsCall({ key: narrow, tool })),
      ])),
      ...(await measure(site.bench, [
        target(list.operation, list.every, toolsList({ key: every })),
        target(list.operation, list.one, toolsList({ key: one })),
        target(list.operation, list.many, toolsList({ key: many })),
      ])),
    ];
  } finally {
    await server.stop();
  }
}

async function narrowKeys(url: string, project: Project): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 1; i < OF_A_KEY; i += 1) ids.push(await makeToolset(url, project, []));
  ids.push(await makeToolset(url, project, project.tools));
  return makeKeys(
    url,
    project,
    project.keys.map(() => ids),
  );
}

/** Each toolset lacks another tool, so that all lists are different and of one size. */
async function listKeys(url: string, project: Project) {
  const sets: string[] = [];
  for (const left_out of project.tools.slice(-EFFECTIVE_SETS))
    sets.push(
      await makeToolset(
        url,
        project,
        project.tools.filter((tool) => tool !== left_out),
      ),
    );
  return {
    every: await makeKeys(
      url,
      project,
      sets.map(() => null),
    ),
    one: await makeKeys(
      url,
      project,
      sets.map(() => sets.slice(0, 1)),
    ),
    many: await makeKeys(
      url,
      project,
      sets.map((id) => [id]),
    ),
  };
}
