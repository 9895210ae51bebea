// All scenarios, in the order in which they run.

import type { Scenario } from './scenario.ts';
import { killReplicas } from './scenarios/kill-replicas.ts';
import { rollingRestart } from './scenarios/rolling-restart.ts';

export const scenarios: readonly Scenario[] = [
  {
    name: 'kill-replicas',
    title: 'kill -9 of one of three replicas every 10 s',
    seconds: 60,
    run: killReplicas,
  },
  {
    name: 'rolling-restart',
    title: 'SIGTERM and start of each of three replicas',
    seconds: 0,
    run: rollingRestart,
  },
];
