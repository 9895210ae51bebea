// initialize (before 2026-07-28): negotiates a revision. The server is stateless: it stores nothing and issues no session id.

import type { Method } from './method.ts';
import { legacyRevisions } from './protocol.ts';
import { serverInfoOf } from './server-info.ts';

export const initialize: Method = (_app, caller, { params }) => {
  const { serverInfo, capabilities, instructions } = serverInfoOf(caller.project);
  const known = legacyRevisions.find((revision) => revision === params.protocolVersion);
  return JSON.stringify({ protocolVersion: known ?? legacyRevisions[0], capabilities, serverInfo, instructions });
};
