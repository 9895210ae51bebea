// The operator's allow list as it is now: it can be replaced while the server runs.

import type { AllowList } from './allow-list.ts';
import type { Sender } from './send.ts';

export type Egress = {
  /** Not to be kept: the next request may find another one. */
  allowed(): AllowList;
  replace(list: AllowList): void;
};

export function createEgress(initial: AllowList, send: Pick<Sender, 'setAllow'>): Egress {
  let allowed = initial;
  return {
    allowed: () => allowed,
    replace(list) {
      allowed = list;
      send.setAllow(list);
    },
  };
}

/** For the log and the start message. */
export const describeAllowList = (list: AllowList) => list.map(({ text }) => text).join(', ');
