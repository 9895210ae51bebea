// Starts the process and stops it in reverse order. Everything it prints for a person is here.

import { type App, openApp } from './app.ts';
import { readConfig } from './config.ts';
import { createJobs } from './jobs.ts';
import { blot, createLog } from './log.ts';
import { buildServer } from './routes.ts';
import { rootKeyFile } from './secrets/root-key.ts';

const DRAIN_MS = 10_000;
const LOOK_FOR_SHELL_EVERY_MS = 200;

async function start(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.log_level);
  const { app, close } = await openApp(config, log);
  const server = await buildServer(app);
  const jobs = createJobs(app);
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`${config.host}:${config.port} is taken: set PORT or HOST`, { cause: error });
  }
  await jobs.start();
  welcome(app);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping: no new requests, finishing those under way');
    // A request that does not end must not keep the process: what it would have changed is not acknowledged yet.
    const forced = setTimeout(() => {
      log.warn({ waited_ms: DRAIN_MS }, 'requests that do not end are broken off');
      server.server.closeAllConnections();
    }, DRAIN_MS);
    // A connection whose last answer is out is kept alive for the next request, which will not be served.
    const idle = setInterval(() => server.server.closeIdleConnections(), 50);
    await server.close();
    clearTimeout(forced);
    clearInterval(idle);
    await jobs.stop();
    await close();
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (config.is_npm_script) onceOrphaned(() => stop('SIGTERM'));
}

/** npm passes a signal on to the shell between us, which ends and keeps it to itself: its end is our signal. */
function onceOrphaned(stop: () => Promise<void>): void {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    void stop();
  }, LOOK_FOR_SHELL_EVERY_MS).unref();
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
