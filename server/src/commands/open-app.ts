// Opens the app for a command of the operator, beside a running server or without one.

import { type App, openApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { findRunning } from '../database/embedded.ts';
import { createLog } from '../log/log.ts';

/** Runs `work` and closes everything. With the embedded store a running server keeps it. */
export async function withApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  const running = config.database_url ? null : await findRunning(config.data_dir);
  const { app, close } = await openApp(config, createLog('warn'), {
    ...(running ? { connection: running } : {}),
  });
  try {
    return await work(app);
  } finally {
    await close();
  }
}
