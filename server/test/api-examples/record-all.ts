// Runs every recording. A new operation is called in the file of its feature, or in a new file that is added here.

import type { Examples } from '../../src/http/openapi-examples.ts';
import { recordAccounts } from './accounts.ts';
import { recordErrors } from './errors.ts';
import { recordLogStreams } from './log-streams.ts';
import { recordMcp } from './mcp.ts';
import { recordMcpServers } from './mcp-servers.ts';
import { recordMembers } from './members.ts';
import { recordConnections, recordOAuth } from './oauth.ts';
import { recordSignIn } from './oauth-sign-in.ts';
import {
  recordApiKeys,
  recordApprovals,
  recordDirectories,
  recordHooks,
  recordIntegrations,
  recordLimits,
  recordProjects,
  recordToolsets,
} from './projects.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { recordRequests } from './requests.ts';
import { recordImport, recordTools } from './tools.ts';
import { recordEvents, recordWebhooks } from './webhooks.ts';

const recordings: ((recorder: Recorder) => Promise<void>)[] = [
  recordProjects,
  recordApiKeys,
  recordIntegrations,
  recordToolsets,
  recordLimits,
  recordApprovals,
  recordDirectories,
  recordHooks,
  recordMembers,
  recordOAuth,
  recordConnections,
  recordSignIn,
  recordTools,
  recordImport,
  recordMcp,
  recordMcpServers,
  recordWebhooks,
  recordEvents,
  recordLogStreams,
  recordRequests,
  recordErrors,
  recordAccounts,
];

/** The content of api-examples.json. Sorted, so that the order of the recordings does not matter. */
export async function recordAll(): Promise<string> {
  const recorder = await startRecorder();
  for (const recording of recordings) await recording(recorder);
  await Promise.all([recorder.customer.close(), recorder.openid.close()]);
  const { operations, errors } = recorder.examples;
  const examples: Examples = { operations: sorted(operations), errors: sorted(errors) };
  return `${JSON.stringify(examples, null, 2)}\n`;
}

const sorted = <T>(all: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
