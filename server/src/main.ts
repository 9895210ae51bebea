// Starts the process; stop.ts ends it. Everything it prints for a person is here.

import type { Logger } from 'pino';
import { type App, openApp } from './app.ts';
import { readConfig } from './config.ts';
import { isDatabaseBusy } from './database/connection.ts';
import { eventCatalogue } from './event-catalogue.ts';
import { cannotListen, probeAddress } from './http/listen-address.ts';
import { createJobs } from './jobs.ts';
import { createLog, redactSecrets } from './log.ts';
import { buildServer } from './routes.ts';
import { rootKeyFile } from './secrets/root-key.ts';
import { stopOnSignal } from './stop.ts';
import { upgradeData } from './upgrade.ts';

async function start(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.log_level);
  endOnBug(log);
  // Before the store is made: an address that cannot be used must leave nothing behind.
  await probeAddress(config);
  const { app, close } = await openApp(config, log, { event_catalogue: eventCatalogue });
  try {
    await upgradeData(app);
    await serve(app, close);
  } catch (error) {
    await close().catch(() => {}); // the reason to tell is the first error
    throw error;
  }
  welcome(app);
}

async function serve(app: App, close: () => Promise<void>): Promise<void> {
  const { config, log } = app;
  const server = await buildServer(app);
  const jobs = createJobs(app);
  await jobs.start();

  const closeAll = async () => {
    await jobs.stop();
    await close();
  };
  // Before it listens: whoever finds it ready may stop it.
  stopOnSignal({ server, log, limits: config.stop, close: closeAll });
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await server.close();
    await closeAll();
    throw cannotListen(config, error);
  }
}

/**
 * Ends the process on an error that nobody caught: its state is unknown, and the supervisor starts it anew. We log it
 * ourselves, since the text Node would print could hold a secret. An outage of the database is the one exception: a promise
 * nobody awaited is a bug there too, but what failed is known, and every request would fail during a restart.
 */
function endOnBug(log: Logger): void {
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'an error that nobody caught; the process ends');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', (error) => {
    if (isDatabaseBusy(error)) log.error({ err: error }, 'a promise that nobody awaited was rejected by the database');
    else end(error);
  });
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
  process.stderr.write(`toolgate cannot start: ${redactSecrets(words)}\n`);
  process.exit(1);
});
