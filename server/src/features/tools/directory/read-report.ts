// Gathers what the rules of a directory are about, and lets the checks read it. What is read is bounded, however many tools and calls
// there are.

import type { DirectoryReport } from '@toolgate/contract/directories/directory.ts';
import {
  CALL_DAYS,
  callbacks,
  type Directory,
  directoryRules,
  MAX_NAMED_TOOLS,
} from '@toolgate/contract/directories/rules.ts';
import { type Caller, type Project, projectOf } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { readInTime } from '../../../database/read-in-time.ts';
import { checkOrigin } from '../../../outbound/address-guard.ts';
import { readResultSizes } from '../../activity/analytics/result-sizes.ts';
import { allowsRedirect } from '../../oauth/clients/find.ts';
import { findEnabledProviders } from '../../oauth/providers/find.ts';
import { serverMetadata } from '../../oauth/server/metadata.ts';
import { hasLimits } from '../limits/store.ts';
import { checkCalls } from './call-checks.ts';
import { checkDrift, type Drift } from './drift.ts';
import { readOutputMismatches } from './output-mismatches.ts';
import { checkProject, type ProjectFacts } from './project-checks.ts';
import { collectFindings, type Findings } from './report.ts';
import { serverJsonProblem } from './server-json.ts';
import { countTools, selectChangedTools, selectLastSubmission, selectToolsToCheck } from './store.ts';
import { checkTool } from './tool-checks.ts';

const DAY_MS = 86_400_000;
/** Descriptions may have 8 KB each. */
const TOOLS_PER_READ = 500;
const MAX_MISMATCHED_TOOLS = 1_000;

export async function readReport(app: App, caller: Caller, directory: Directory): Promise<DirectoryReport> {
  const project = projectOf(caller);
  // Outside of the transaction: it may wait for a thread.
  const server_json_problem = directory === 'registry' ? await serverJsonProblem(app, project) : null;
  return readInTime(app, async (app) => {
    const findings = collectFindings();
    const tool_count = looksAtTools(directory)
      ? await checkAllTools(app, project, findings)
      : await countTools(app.database, project.id);
    const facts = { ...(await readFacts(app, project, directory)), tool_count, server_json_problem };
    findings.add(checkProject(facts, directory));
    const drift = await readDrift(app, project.id, directory);
    findings.add(checkDrift(drift, directory), drift ? drift.total - drift.tools.length : 0);
    return findings.toReport(directory);
  });
}

/** The registry lists servers, not their tools. */
const looksAtTools = (directory: Directory) => directoryRules.hints_set.applies[directory] !== undefined;

/** Returns how many there are. */
async function checkAllTools(app: App, project: Project, findings: Findings): Promise<number> {
  const names = await checkTools(app, project, findings);
  await checkLastCalls(app, project.id, names, findings);
  return names.size;
}

/** Returns the names of all enabled tools, by id. */
async function checkTools(app: App, { id, settings }: Project, findings: Findings): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let after = ''; ; ) {
    const tools = await selectToolsToCheck(app.database, id, after, TOOLS_PER_READ);
    for (const tool of tools) {
      names.set(tool.id, tool.name);
      findings.add(checkTool(tool, settings));
    }
    if (tools.length < TOOLS_PER_READ) return names;
    after = tools.at(-1)?.name ?? '';
  }
}

async function readFacts(
  app: App,
  { id, settings }: Project,
  directory: Directory,
): Promise<Omit<ProjectFacts, 'tool_count' | 'server_json_problem'>> {
  const { public_url, openai_challenge } = app.config;
  const address = checkOrigin(public_url, []);
  const metadata = serverMetadata(app.config);
  const callback = callbacks[directory];
  return {
    public_url,
    address_problem: 'problem' in address ? address.problem : null,
    provider_count: (await findEnabledProviders(app, id)).length,
    has_pkce: metadata.code_challenge_methods_supported.includes('S256'),
    takes_metadata_documents: metadata.client_id_metadata_document_supported,
    allows_callback: callback !== undefined && (await allowsRedirect(app, id, callback)),
    has_limits: await hasLimits(app.database, id),
    listing: settings.listing,
    has_challenge: openai_challenge !== null,
  };
}

async function checkLastCalls(
  app: App,
  project_id: string,
  names: ReadonlyMap<string, string>,
  findings: Findings,
): Promise<void> {
  const from = (Math.floor(app.now() / DAY_MS) - CALL_DAYS) * DAY_MS;
  const sizes = new Map((await readResultSizes(app, project_id, from)).map((size) => [size.tool_id, size]));
  const mismatches = await readOutputMismatches(app.database, project_id, from, MAX_MISMATCHED_TOOLS);
  for (const tool_id of new Set([...sizes.keys(), ...mismatches.keys()])) {
    const name = names.get(tool_id);
    // A tool that is disabled or deleted does not count.
    if (name === undefined) continue;
    const size = sizes.get(tool_id) ?? { tool_id, calls: 0, read: 0, p95_tokens: null };
    findings.add(checkCalls({ ...size, name, violations: mismatches.get(tool_id) ?? 0 }));
  }
}

async function readDrift(app: App, project_id: string, directory: Directory): Promise<Drift> {
  const last = await selectLastSubmission(app.database, project_id, directory);
  if (!last) return null;
  const changed = await selectChangedTools(app.database, project_id, last.id, MAX_NAMED_TOOLS);
  return { since: last.created_at, ...changed };
}
