// Runs the official conformance suite for one revision against a server, and reads its results.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenOnFreePort } from '../support/servers/free-port.ts';
import type { Revision } from './not-applicable.ts';

export const packageFile = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const suite = join(packageFile, '../dist/index.js');

export type Check = {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
};
export type Run = {
  /** 0: the failures are exactly the expected ones. */
  exit_code: number | null;
  output: string;
  scenarios: Map<string, Check[]>;
};

export async function runConformance(url: string, key: string, revision: Revision, expected: string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-conformance-'));
  const proxy = await startProxy(url, key);
  try {
    const baseline = join(folder, 'expected.yaml');
    writeFileSync(baseline, `server:\n${expected.map((entry) => `  - ${entry}\n`).join('')}`);
    const args = ['server', '--url', `${proxy.url}/api/v1/mcp`, '--requirements', revision];
    return await runSuite([...args, '--expected-failures', baseline], folder);
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The scenarios that test an authorization server. `visit` is the person in front of the URL that the suite prints. */
export async function runAuthorizationScenarios(args: string[], visit: (url: string) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-conformance-'));
  try {
    return await runSuite(['authorization', ...args], folder, visit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One scenario for a client: the suite starts it with `command`. */
export async function runClientScenario(command: string, scenario: string, revision: Revision): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-conformance-'));
  try {
    const args = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
    const { scenarios, ...run } = await runSuite(args, folder);
    return { ...run, scenarios: new Map([...scenarios.values()].map((checks) => [scenario, checks])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runSuite(args: string[], folder: string, visit?: (url: string) => Promise<unknown>): Promise<Run> {
  const child = spawn(process.execPath, [suite, ...args, '-o', join(folder, 'out')]);
  let output = '';
  let visited: Promise<unknown> | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
      const [url] = /^http\S+\/oauth\/authorize\?\S+(?=\n)/m.exec(output) ?? [];
      // Without the visit the suite would wait for minutes.
      if (visit && url && !visited) visited = visit(url).catch(() => child.kill());
    });
  const exit_code = await new Promise<number | null>((done) => child.on('close', done));
  await visited;
  return { exit_code, output, scenarios: readScenarios(join(folder, 'out')) };
}

/** One folder for each scenario: `server-<scenario>-<time>` or `authorization-server-<scenario>-<time>`. */
function readScenarios(folder: string): Map<string, Check[]> {
  const names = readdirSync(folder).sort();
  return new Map(
    names.map((name) => [
      name.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  );
}

/** The suite cannot authenticate: this proxy adds the bearer token. It keeps Host and Origin, since those are tested. */
async function startProxy(target: string, key: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, response) => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const outgoing = request({ hostname, port, path, method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode as number, upstream.headers);
      upstream.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  const proxyPort = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
