// server/discover (2026-07-28): the supported revisions and capabilities, without `initialize` first.

import type { Method } from './method.ts';
import { metaKeys, modernRevision } from './protocol.ts';
import { viewCapabilities } from './resources.ts';
import { serverInfoOf } from './server-info.ts';
import { TASKS_EXTENSION } from './tasks.ts';

/** Names and instructions rarely change, and a stale one does no harm. */
const TTL_MS = 60_000;

export const discover: Method = (_app, caller) => {
  const { serverInfo, instructions } = serverInfoOf(caller.project);
  return JSON.stringify({
    resultType: 'complete',
    supportedVersions: [modernRevision],
    capabilities: {
      tools: { listChanged: true },
      ...viewCapabilities,
      extensions: { ...viewCapabilities.extensions, [TASKS_EXTENSION]: {} },
    },
    instructions,
    ttlMs: TTL_MS,
    cacheScope: 'private',
    _meta: { [metaKeys.server_info]: serverInfo },
  });
};
