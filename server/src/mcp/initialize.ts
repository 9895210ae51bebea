// initialize (before 2026-07-28): negotiates a revision. Nothing is stored; dispatch.ts adds a session id for clients that can ask users.

import type { Method } from './method.ts';
import { legacyRevisions } from './protocol.ts';
import { viewCapabilities } from './resources.ts';
import { serverInfoOf } from './server-info.ts';

export const initialize: Method = (_app, caller, { params }) => {
  const { serverInfo, instructions } = serverInfoOf(caller.project);
  const known = legacyRevisions.find((revision) => revision === params.protocolVersion);
  // Without listChanged: these revisions would expect it on a stream of a session, and there are no sessions.
  const capabilities = { tools: {}, ...viewCapabilities };
  return JSON.stringify({ protocolVersion: known ?? legacyRevisions[0], capabilities, serverInfo, instructions });
};
