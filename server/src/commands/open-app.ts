// Opens the app for a command of the operator, beside a running server or without one.

import { type App, openApp } from '../app.ts';
import type { Config } from '../config.ts';
import { findRunning } from '../database/embedded.ts';
import { eventCatalogue } from '../event-catalogue.ts';
import { createLog } from '../log.ts';

/** Runs `work` and closes everything. With the embedded store a running server keeps it. */
export async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const running = config.database_url ? null : await findRunning(config.data_dir);
  const { app, close } = await openApp(config, createLog('warn'), {
    event_catalogue: eventCatalogue,
    ...(running ? { connection: running } : {}),
  });
  try {
    return await work(app);
  } finally {
    await close();
  }
}
