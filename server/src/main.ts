// Starts the process; stop.ts ends it. All text printed for the operator is here.

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { type App, openApp } from './app.ts';
import { findPrimary, type PrimaryLink } from './cluster/primary-link.ts';
import { runPrimary } from './cluster/run-primary.ts';
import { type Config, readConfig, readEgressAllowFile, workerConfig } from './config/config.ts';
import { settingsHelp } from './config/describe.ts';
import { announceServer } from './config/running-server.ts';
import { type Dashboard, openDashboard } from './dashboard/open.ts';
import { isDatabaseBusy } from './database/connection.ts';
import { prepareDataFolder } from './database/data-folder.ts';
import { warnOfConnections } from './database/pool-sizes.ts';
import { openFirstRun } from './features/identity/accounts/first-run.ts';
import { hasProjects } from './features/projects/projects/find.ts';
import { endAfterChange } from './features/tools/after-change.ts';
import { createSampleShop } from './features/tools/sample-shop/shop.ts';
import { cannotListen, probeAddress } from './http/listen-address.ts';
import { createJobs, releaseJobs } from './jobs.ts';
import { createLog } from './log/log.ts';
import { renderAll } from './metrics/metrics.ts';
import { describeAllowList } from './outbound/egress.ts';
import { redactSecrets } from './redaction/secret-patterns.ts';
import { catchReload, type ReloadSignal, reloadEgress } from './reload.ts';
import { buildServer } from './routes.ts';
import { rootKeyFile } from './secrets/root-key.ts';
import { catchSignals, type Signals, stopOnSignal } from './stop.ts';

async function start(): Promise<void> {
  const config = readConfig();
  // With several workers SIGHUP replaces them. A single process reads its allow list again if that is in a file. Otherwise it
  // ends as on SIGTERM, and its supervisor starts it again with the settings of then.
  const has_reload = config.workers === 1 && readEgressAllowFile() !== null;
  const reload = has_reload ? catchReload() : null;
  const ending: NodeJS.Signals[] = has_reload || config.workers > 1 ? [] : ['SIGHUP'];
  const signals = catchSignals(['SIGTERM', 'SIGINT', ...ending]);
  const log = createLog(config.log_level, config.log_format);
  exitOnUncaughtError(log);
  const primary = await findPrimary();
  if (!primary) await prepare(config, signals);
  if (!primary && config.workers > 1) return runPrimary(config, log, signals);
  await startServing(primary ? workerConfig(config) : config, log, { signals, reload, primary });
}

/** Before the store is created: with an address or a folder that cannot be used, nothing is created. */
async function prepare(config: Config, signals: Signals): Promise<void> {
  // Nothing is open yet: a signal ends the process at once, also while the file system of the folder does not respond.
  signals.listen(() => process.exit(0));
  await probeAddress(config);
  const { database_url, root_key, data_dir } = config;
  const is_written = database_url === null || (root_key === null && !existsSync(rootKeyFile(data_dir)));
  await prepareDataFolder(data_dir, { is_written });
  signals.listen(() => {});
}

/** `primary` is null in the only process, `reload` unless SIGHUP reads a file again. */
type Parent = { signals: Signals; reload: ReloadSignal | null; primary: PrimaryLink | null };

async function startServing(config: Config, log: Logger, parent: Parent): Promise<void> {
  const { signals, primary } = parent;
  // While the database starts: a build takes seconds, and the API does not wait for it.
  const dashboard = config.dashboard ? openDashboard(log) : null;
  const connection = primary?.start.connection ?? null;
  const given = { connection, built_in: createSampleShop(), afterChange: endAfterChange };
  const { app, close } = await openApp(config, log, given);
  parent.reload?.listen(() => reloadEgress(app));
  const is_first = !primary || primary.start.is_first;
  let setup_link: string | null = null;
  try {
    // A pooler has limits of its own.
    if (is_first && config.direct_url === config.database_url) await warnOfConnections(app.pool, config, log);
    if (signals.received() === null && is_first) setup_link = await openFirstRun(app);
    if (signals.received() === null)
      await serve(primary ? withAllMetrics(app, primary) : app, dashboard, close, parent);
    else {
      dashboard?.stop();
      await close().finally(() => process.exit(0));
    }
  } catch (error) {
    dashboard?.stop();
    await close().catch(() => {}); // the first error is the one to report
    throw error;
  }
  if (is_first) await printStartMessage(app, dashboard, setup_link);
}

async function serve(app: App, dashboard: Dashboard | null, close: () => Promise<void>, parent: Parent): Promise<void> {
  const { signals, primary } = parent;
  const { config, log } = app;
  const server = await buildServer(app, dashboard);
  const jobs = createJobs(app);
  if (config.database_url === null && (!primary || primary.start.is_first)) await releaseJobs(app);
  await jobs.prepare();
  if (primary) primary.onJobs(jobs.start);
  else jobs.start();

  // A worker's primary process does it.
  const retract = primary ? null : await announceServer(config);
  const closeAll = async () => {
    await retract?.();
    dashboard?.stop();
    await jobs.stop();
    await primary?.sendFinal();
    await close();
  };
  // Before it listens, so that a signal right after the start is handled.
  const { replace } = stopOnSignal({ server, log, limits: config.stop, close: closeAll }, signals);
  primary?.onReplace(() => {
    replace();
    jobs.stop().catch((error: unknown) => log.error({ err: error }, 'the jobs could not be stopped'));
  });
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await server.close();
    await closeAll();
    throw cannotListen(config, error);
  }
  primary?.sendReady();
}

/** /metrics of a worker has the metrics of all of them. */
function withAllMetrics(app: App, primary: PrimaryLink): App {
  primary.setCollector(app.metrics.collect);
  return { ...app, metrics: { ...app.metrics, render: async () => renderAll(await primary.collectAll()) } };
}

/**
 * Ends the process on an uncaught error: its state is unknown, and the supervisor restarts it. It is logged here, since the text
 * Node would print could contain a secret. An outage of the database is the one exception: the unhandled rejection is a bug too,
 * but its cause is known, and every request would fail during a restart.
 */
function exitOnUncaughtError(log: Logger): void {
  const exit = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error: the process exits');
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', (error) => {
    if (isDatabaseBusy(error)) log.error({ err: error }, 'unhandled rejection: the database was unavailable');
    else exit(error);
  });
}

async function printStartMessage(app: App, dashboard: Dashboard | null, setup_link: string | null): Promise<void> {
  const { config } = app;
  const root = config.root_key ? 'the one in TOOLGATE_ROOT_KEY' : `in ${rootKeyFile(config.data_dir)}`;
  const store = config.database_url ? 'the PostgreSQL in DATABASE_URL' : `embedded PostgreSQL in ${config.data_dir}`;
  const others = config.listens_everywhere ? ', and on every other IP address of this machine' : '';
  const page =
    dashboard === null
      ? 'off'
      : `${config.public_url}${dashboard.files() ? '' : '  (still being built, a few seconds)'}`;
  process.stdout.write(`
  toolgate listens on ${config.listen_url}${others}

    store       ${store}${config.workers > 1 ? `\n    workers     ${config.workers}` : ''}
    root key    ${root}
    dashboard   ${page}
    API         ${config.public_url}/api/v1  (described in /api/v1/openapi.json)
    MCP         ${config.public_url}/api/v1/mcp

`);
  // Without the dashboard there is no page for it.
  const has_setup_link = dashboard !== null && setup_link !== null;
  if (has_setup_link) process.stdout.write(setupBox(setup_link));
  if (!(await hasProjects(app))) process.stdout.write(firstProject(config, has_setup_link));
  const allowed = app.egress.allowed();
  if (allowed.length > 0) process.stdout.write(`  Tools can also reach: ${describeAllowList(allowed)}\n\n`);
}

/** The link is in a box of its own, so that it is found among the lines of the log. */
function setupBox(link: string): string {
  const lines = ['Open this link to create the first account (valid for 30 minutes, works once):', '', link];
  const width = Math.max(...lines.map(({ length }) => length));
  const edge = '─'.repeat(width + 4);
  const rows = lines.map((line) => `  │  ${line.padEnd(width)}  │\n`);
  return `  ┌${edge}┐\n${rows.join('')}  └${edge}┘\n\n`;
}

const firstProject = (
  { public_url, root_key, data_dir }: Config,
  has_setup_link: boolean,
) => `  ${has_setup_link ? 'Or create your first project without an account' : 'Create your first project'}:

    curl -sS --fail-with-body ${public_url}/api/v1/projects \\
      -H "Authorization: Bearer ${root_key ? '$TOOLGATE_ROOT_KEY' : `$(cat ${rootKeyFile(data_dir)})`}" \\
      -H 'Content-Type: application/json' -d '{"name":"My first project","plan":"pro"}'

`;

const help = () => `Usage: npx toolgate start [--help]

Starts toolgate. Settings are environment variables:

${settingsHelp()}
Example: PORT=3001 TOOLGATE_LOG_LEVEL=debug npx toolgate start
`;

function wantsHelp(): boolean {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } }).values.help;
  } catch (error) {
    process.stderr.write(
      `toolgate cannot start: ${(error as Error).message}\nSettings are environment variables: npx toolgate start --help lists them.\n`,
    );
    process.exit(2);
  }
}

async function run(): Promise<void> {
  if (wantsHelp()) process.stdout.write(help());
  else await start();
}

run().catch((error: Error) => {
  // The message of a plain Error is for the operator; anything else, such as a TypeError, is a bug.
  const text = error.name === 'Error' ? error.message : (error.stack ?? String(error));
  process.stderr.write(`toolgate cannot start: ${redactSecrets(text)}\n`);
  process.exit(1);
});
