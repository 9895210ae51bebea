// A real server with its own database for one test file: real HTTP, a clock that tests can advance, nothing mocked.

import { mkdtempSync, rmSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type App, openApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { openDashboard } from '../../../src/dashboard/open.ts';
import { endAfterChange } from '../../../src/features/tools/after-change.ts';
import { createSampleShop } from '../../../src/features/tools/sample-shop/shop.ts';
import { createJobs } from '../../../src/jobs.ts';
import { createLog } from '../../../src/log/log.ts';
import { buildServer } from '../../../src/routes.ts';
import { copyTemplate } from '../database/test-database.ts';
import { testAuthority } from '../peers/fake-customer.ts';
import { type ApiResponse, type CallOptions, call } from '../requests/call-api.ts';

export const ROOT_KEY = 'root-key-of-the-tests-0123456789-abcdefghij';
export const MASTER_KEY = `t1:${Buffer.alloc(32, 7).toString('base64')}`;

export type TestServer = {
  url: string;
  http: HttpServer;
  app: App;
  /** Advances the server's clock. */
  advance(ms: number): void;
  /** Runs all jobs that are due by the server's clock. */
  runJobs(): Promise<void>;
  /** Sends one request to a path under /api/v1, or to another root path. A string or Buffer body is sent unchanged. */
  api<T = any>(method: string, path: string, options?: CallOptions): Promise<ApiResponse<T>>;
};

/** `advance` has no effect on limits that are counted in a shared store. */
export async function startServer(
  environment: Record<string, string> = {},
  { has_local_limits = true, name_servers }: { has_local_limits?: boolean; name_servers?: string[] } = {},
): Promise<TestServer> {
  const database = await copyTemplate();
  const data_dir = mkdtempSync(join(tmpdir(), 'toolgate-test-data-'));
  const config = readConfig({
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: MASTER_KEY,
    TOOLGATE_DATA_DIR: data_dir,
    TOOLGATE_LOG_LEVEL: 'silent',
    TOOLGATE_DASHBOARD: 'off',
    DATABASE_URL: database.url,
    ...environment,
  });
  const opened = await openApp(config, createLog(config.log_level), {
    ca: [testAuthority.certificate],
    has_local_limits,
    built_in: createSampleShop(),
    afterChange: endAfterChange,
    ...(name_servers && { name_servers }),
  });
  const clock = { shift_ms: 0 };
  const app: App = { ...opened.app, now: () => opened.app.now() + clock.shift_ms };
  const dashboard = config.dashboard ? openDashboard(app.log) : null;
  await dashboard?.finished;
  const server = await buildServer(app, dashboard);
  const jobs = createJobs(app);
  // With PORT the public URL is the address of this server, as sign-ins by OAuth need it.
  await server.listen({ host: '127.0.0.1', port: environment.PORT === undefined ? 0 : config.port });
  const address = server.server.address() as { port: number };
  const url = `http://127.0.0.1:${address.port}`;
  after(async () => {
    await server.close();
    await jobs.stop();
    await opened.close();
    await database.drop();
    rmSync(data_dir, { recursive: true, force: true });
  });
  return {
    url,
    http: server.server,
    app,
    advance: (ms) => (clock.shift_ms += ms),
    runJobs: jobs.runDue,
    api: (method, path, options) => call(url, method, path, options),
  };
}
