// initialize (before 2026-07-28): agrees on a revision. Nothing is remembered of it; no session id is given or needed.

import type { Method } from './method.ts';
import { legacyRevisions } from './protocol.ts';
import { serverInfoOf } from './server-info.ts';

export const initialize: Method = (_app, caller, { params }) => {
  const { serverInfo, capabilities, instructions } = serverInfoOf(caller.project);
  const known = legacyRevisions.find((revision) => revision === params.protocolVersion);
  return JSON.stringify({ protocolVersion: known ?? legacyRevisions[0], capabilities, serverInfo, instructions });
};
