// Generates docs/conformance.md: what passes in each revision, and what does not apply and why.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type NotApplicable, notApplicable, notApplicableThrough, type Revision } from './not-applicable.ts';
import { type Check, packageFile, type Run } from './run-conformance.ts';

export const pageFile = join(import.meta.dirname, '../../../docs/conformance.md');

const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

/** Without the checks that do not apply. */
export function countedChecks(excused: readonly string[], scenario: string, checks: Check[]): Check[] {
  const notApplied = new Set(excused);
  return checks.filter(({ id }) => !notApplied.has(`${scenario}:${id}`));
}

/** A warning counts as a failure, as in the suite. */
export const failsOf = (checks: Check[]) => checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
export const passesOf = (checks: Check[]) => checks.filter(({ status }) => status === 'SUCCESS');

export type AllRuns = {
  server: Map<Revision, Run>;
  /** For tools that come from an MCP server. */
  through: Map<Revision, Run>;
  client: Map<Revision, Run>;
  authorization: Run;
};

export function conformancePage({ server, through, client, authorization }: AllRuns): string {
  const parts = [...server].map(([revision, run]) => revisionPart(revision, revision, notApplicable, run));
  const throughParts = [...through].map(([revision, run]) =>
    revisionPart(`${revision} through an MCP server`, revision, notApplicableThrough, run),
  );
  return `# Conformance

What the official conformance suite of the Model Context Protocol (MCP) says about toolgate: which scenarios pass, and which do not
apply and why.

\`npm run conformance-docs\` writes this page from a run of \`@modelcontextprotocol/conformance\` ${version}
(\`server --requirements <revision>\`) against a real server whose tools call an HTTPS API. The suite cannot send a bearer token, so a
loopback proxy adds it. The same run is part of \`npm run test:all\`, which fails if this page is out of date.

${parts.join('\n')}
In the next two runs, the tools come from an MCP server of the same revision, built with the official SDK. The suite's requests pass through
toolgate to that server, and its responses come back.

${throughParts.join('\n')}
${clientPart(client)}
${authorizationPart(authorization)}`;
}

function clientPart(client: Map<Revision, Run>): string {
  const parts = [...client].map(([revision, { scenarios }]) => {
    const rows = [...scenarios].map(([name, checks]) => `| ${name} | ${passesOf(checks).length} |`);
    return `### As a client of ${revision}

| Passes | Checks |
|---|---|
${rows.join('\n')}
`;
  });
  return `## Client of MCP servers

Here the suite is an MCP server (\`client --scenario …\`). The run adds it to a project, syncs and approves its tools, and calls them over MCP.
The suite checks the requests that it receives. All scenarios about tools pass.

${parts.join('\n')}
### Does not apply

toolgate never declares elicitation to servers of 2025-11-25, so they never ask for input.

- elicitation-sep1034-client-defaults

These test how a user signs in at the server's authorization server in a browser. The tests of \`member_oauth\` cover that.

- auth/…

Skills are an extension of resources, which toolgate does not read.

- sep-2640-…
`;
}

function authorizationPart({ scenarios }: Run): string {
  const rows = [...scenarios].map(([name, checks]) => `| ${name} | ${passesOf(checks).length} |`);
  return `## Authorization

${scenarios.size} scenarios pass: all that the suite has for an authorization server (\`authorization\`, in every revision). The run signs a user in
with a public client, PKCE, and the URL of a project's endpoint as the resource.

| Passes | Checks |
|---|---|
${rows.join('\n')}

### Does not apply

The suite's \`server\` scenarios do not test authorization: \`conformance list\` shows no such scenario, and the suite cannot send a bearer
token. In its code, \`WWW-Authenticate\` and \`oauth-protected-resource\` appear only where the suite itself is the server. toolgate's own
tests check both with the official clients, \`mcp-remote\` and \`oauth4webapi\`.
`;
}

function revisionPart(title: string, revision: Revision, groups: readonly NotApplicable[], { scenarios }: Run): string {
  const notApplied = groups.filter((group) => group[revision].length > 0);
  const whole = new Set(notApplied.flatMap((group) => group[revision]));
  const passing = [...scenarios].filter(([name]) => !whole.has(name));
  const rows = passing.map(([name, checks]) => {
    const { length } = passesOf(countedChecks([...whole], name, checks));
    return `| ${name} | ${length} |`;
  });
  const reasons = notApplied.flatMap((group) => [
    '',
    group.why,
    '',
    ...group[revision].map((entry) => `- ${entry.replace(':', ': only the check ')}`),
  ]);
  return `## ${title}

${passing.length} scenarios pass.

| Passes | Checks |
|---|---|
${rows.join('\n')}

### Does not apply
${reasons.join('\n')}
`;
}
