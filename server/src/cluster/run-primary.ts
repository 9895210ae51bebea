// Runs the primary process until a signal ends it.

import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { announceServer } from '../config/running-server.ts';
import { startEmbedded } from '../database/embedded.ts';
import { createPrimary, type Primary } from './primary.ts';

type Signals = {
  received(): NodeJS.Signals | null;
  listen(listener: (signal: NodeJS.Signals) => void): void;
};

export async function runPrimary(config: Config, log: Logger, signals: Signals): Promise<void> {
  // From the start: without a listener SIGHUP would end this process, and leave its workers without one.
  const { promise: started, resolve: setStarted } = Promise.withResolvers<Primary>();
  process.on('SIGHUP', () => {
    started
      .then((primary) => primary.restart())
      .catch((error: unknown) => log.error({ err: error }, 'the workers could not be replaced'));
  });
  const { data_dir, workers } = config;
  const embedded =
    config.database_url === null
      ? await startEmbedded({ data_dir, workers, log: (line) => log.info(line) })
      : { connection: null, stop: async () => {} };
  const primary = createPrimary({ workers, log, connection: embedded.connection, stop: config.stop });

  const retract = await announceServer(config);
  const exit = async (code: number) => {
    await retract();
    await embedded.stop().catch((error: unknown) => log.error({ err: error }, 'PostgreSQL could not be stopped'));
    process.exit(code);
  };
  const stop = async (signal: NodeJS.Signals) => {
    log.info({ signal, workers }, 'stopping all workers');
    await primary.stop(signal);
    await exit(0);
  };
  signals.listen((signal) => {
    stop(signal).catch((error: unknown) => {
      log.fatal({ err: error }, 'the stop failed');
      process.exit(1);
    });
  });
  if (signals.received() !== null) return;
  try {
    await primary.start();
    setStarted(primary);
  } catch {
    // The worker has printed the reason.
    if (signals.received() === null) await exit(1);
  }
}
