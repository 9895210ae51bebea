// Starts the process; stop.ts ends it. Everything it prints for a person is here.

import type { Logger } from 'pino';
import { type App, openApp } from './app.ts';
import { readConfig } from './config.ts';
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
  const { app, close } = await openApp(config, log);
  await upgradeData(app).catch(async (error: Error) => {
    await close();
    throw error;
  });
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
