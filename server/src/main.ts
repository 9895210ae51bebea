// Starts the process and stops it in reverse order. Everything it prints for a person is here.

import type { Logger } from 'pino';
import { type App, openApp } from './app.ts';
import { readConfig } from './config.ts';
import { createJobs } from './jobs.ts';
import { blot, createLog } from './log.ts';
import { buildServer } from './routes.ts';
import { rootKeyFile } from './secrets/root-key.ts';

const DRAIN_MS = 10_000;
const LOOK_FOR_SHELL_EVERY_MS = 200;
// Read first of all: the shell may end while we are still starting.
const parent = process.ppid;

async function start(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.log_level);
  endOnBug(log);
  const { app, close } = await openApp(config, log);
  const server = await buildServer(app);
  const jobs = createJobs(app);
  await jobs.start();

  const stopAll = async () => {
    await server.close();
    await jobs.stop();
    await close();
  };
  // Before it listens: whoever finds it ready may stop it.
  onStop(config.is_npm_script, async (signal) => {
    log.info({ signal }, 'stopping: no new requests, finishing those under way');
    // A request that does not end must not keep the process: what it would have changed is not acknowledged yet.
    setTimeout(() => {
      log.warn({ waited_ms: DRAIN_MS }, 'requests that do not end are broken off');
      server.server.closeAllConnections();
    }, DRAIN_MS).unref();
    // A connection whose last answer is out is kept alive for the next request, which will not be served.
    setInterval(() => server.server.closeIdleConnections(), 50).unref();
    await stopAll();
    log.info('stopped');
    process.exit(0);
  });
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await stopAll();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`${config.host}:${config.port} is taken: set PORT or HOST`, { cause: error });
  }
  welcome(app);
}

/** Nobody knows in what state the rest is: the supervisor starts it anew. Node's own words could hold a secret. */
function endOnBug(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught; the process ends');
    process.exit(1);
  });
}

/** Calls back once, however often we are told. */
function onStop(is_npm_script: boolean, stop: (signal: string) => Promise<void>): void {
  let isStopping = false;
  const once = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    void stop(signal);
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', once);
  // npm passes a signal on to the shell between us, which ends and keeps it to itself: its end is our signal.
  if (is_npm_script) setInterval(() => process.ppid === parent || once('SIGTERM'), LOOK_FOR_SHELL_EVERY_MS).unref();
}

function welcome({ config }: App): void {
  const root = config.root_key ? 'the one in TOOLGATE_ROOT_KEY' : `in ${rootKeyFile(config.data_dir)}`;
  const store = config.database_url ? 'the PostgreSQL of DATABASE_URL' : `embedded PostgreSQL in ${config.data_dir}`;
  process.stdout.write(`
  toolgate listens on http://${config.host}:${config.port}

    store       ${store}
    root key    ${root}
    API         ${config.public_url}/api/v1  (described in /api/v1/openapi.json)

  Make your first project:

    curl ${config.public_url}/api/v1/projects \\
      -H "Authorization: Bearer ${config.root_key ? '$TOOLGATE_ROOT_KEY' : `$(cat ${rootKeyFile(config.data_dir)})`}" \\
      -H 'Content-Type: application/json' -d '{"name":"My first project"}'

`);
  if (config.egress_allow.size > 0) {
    process.stdout.write(`  Tools may reach these private addresses: ${[...config.egress_allow].join(', ')}\n\n`);
  }
}

start().catch((error: Error) => {
  // A plain Error says what is wrong in words for the operator; anything else, such as a TypeError, is a bug of ours.
  const words = error.name === 'Error' ? error.message : (error.stack ?? String(error));
  process.stderr.write(`toolgate cannot start: ${blot(words)}\n`);
  process.exit(1);
});
