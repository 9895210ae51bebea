// SIGHUP of a single process: the allow list is read from its file again, and the server goes on. With several workers the primary
// replaces them instead, and each new one reads the file at its start.

import type { App } from './app.ts';
import { readEgressAllowFile } from './config/config.ts';
import { describeAllowList } from './outbound/egress.ts';

export type ReloadSignal = {
  /** Calls the listener at each SIGHUP, and at once if one arrived before. */
  listen(listener: () => void): void;
};

/** To be called first: without a listener SIGHUP would end the process. */
export function catchReload(): ReloadSignal {
  let has_arrived = false;
  let listener = () => {
    has_arrived = true;
  };
  process.on('SIGHUP', () => listener());
  return {
    listen(given) {
      listener = given;
      if (has_arrived) given();
    },
  };
}

/** A list with a mistake changes nothing: the server must not end, or lose its rules, by an edit. */
export function reloadEgress({ egress, log }: Pick<App, 'egress' | 'log'>): void {
  try {
    const list = readEgressAllowFile();
    if (list === null) return;
    egress.replace(list);
    log.info({ allow: describeAllowList(list) }, 'TOOLGATE_EGRESS_ALLOW was read again');
  } catch (error) {
    log.error({ err: error }, 'TOOLGATE_EGRESS_ALLOW is invalid: the previous list stays in use');
  }
}
