// All scenarios, in the order in which they run.

import { withoutRedis } from '../server/test/support/database/redis-server.ts';
import type { Scenario } from './scenario.ts';
import { approvalRaces } from './scenarios/approval-races.ts';
import { badHooks } from './scenarios/bad-hooks.ts';
import { badMcpServers } from './scenarios/bad-mcp-servers.ts';
import { badUpstreams } from './scenarios/bad-upstreams.ts';
import { clockJumps } from './scenarios/clock-jumps.ts';
import { diskFull } from './scenarios/disk-full.ts';
import { failovers } from './scenarios/failover.ts';
import { frozenWorker } from './scenarios/frozen-worker.ts';
import { killReplicas } from './scenarios/kill-replicas.ts';
import { limitRaces } from './scenarios/limit-races.ts';
import { logStreams } from './scenarios/log-streams.ts';
import { postgresDown } from './scenarios/postgres-down.ts';
import { postgresHalfOpen } from './scenarios/postgres-half-open.ts';
import { postgresKill } from './scenarios/postgres-kill.ts';
import { postgresRestart } from './scenarios/postgres-restart.ts';
import { redisHang } from './scenarios/redis-hang.ts';
import { redisKill } from './scenarios/redis-kill.ts';
import { sentinelFailovers } from './scenarios/redis-sentinel.ts';
import { restartWorkers } from './scenarios/restart-workers.ts';
import { revocationRaces } from './scenarios/revocation-races.ts';
import { revocationUnnotified } from './scenarios/revocation-unnotified.ts';
import { rollingRestart } from './scenarios/rolling-restart.ts';
import { toolsetRaces } from './scenarios/toolset-races.ts';
import { uniqueRaces } from './scenarios/unique-races.ts';

export const scenarios: readonly Scenario[] = [
  { name: 'kill-replicas', title: 'kill -9 of one of three replicas every 10 s', seconds: 60, run: killReplicas },
  { name: 'rolling-restart', title: 'SIGTERM and start of each replica in turn', seconds: 0, run: rollingRestart },
  { name: 'restart-workers', title: 'SIGHUP: both workers of one port replaced', seconds: 9, run: restartWorkers },
  { name: 'frozen-worker', title: 'SIGSTOP of a worker during a delivery', seconds: 0, run: frozenWorker },
  { name: 'postgres-restart', title: 'PostgreSQL restarted', seconds: 15, run: postgresRestart },
  { name: 'postgres-kill', title: 'PostgreSQL killed (SIGKILL)', seconds: 15, run: postgresKill },
  { name: 'postgres-down', title: 'PostgreSQL down for 10 s', seconds: 15, run: postgresDown },
  { name: 'postgres-half-open', title: 'connections to PostgreSQL half-open', seconds: 30, run: postgresHalfOpen },
  { name: 'redis-kill', title: 'Redis killed, back empty after 3 s', seconds: 15, skip: withoutRedis, run: redisKill },
  { name: 'redis-hang', title: 'Redis hangs for 3 s (SIGSTOP)', seconds: 15, skip: withoutRedis, run: redisHang },
  {
    name: 'bad-upstreams',
    title: '13 kinds of bad upstream, 100 concurrent calls each',
    seconds: 0,
    run: badUpstreams,
  },
  { name: 'bad-hooks', title: '29 kinds of bad hook, 40 concurrent calls each', seconds: 0, run: badHooks },
  {
    name: 'bad-mcp-servers',
    title: '6 kinds of bad MCP server; kill -9 during a sync',
    seconds: 0,
    run: badMcpServers,
  },
  {
    name: 'approval-races',
    title: 'races between approvals, with kill -9',
    seconds: 0,
    run: approvalRaces,
  },
  { name: 'disk-full', title: 'full PostgreSQL disk for 5 s', seconds: 15, run: diskFull },
  { name: 'clock-jumps', title: 'clock of one replica jumps by 2 h', seconds: 0, run: clockJumps },
  { name: 'revocation-races', title: 'revocations while three replicas are in use', seconds: 0, run: revocationRaces },
  {
    name: 'revocation-unnotified',
    title: 'the same, without change notifications',
    seconds: 0,
    run: revocationUnnotified,
  },
  { name: 'limit-races', title: 'tool limits used up by concurrent calls, with kill -9', seconds: 9, run: limitRaces },
  { name: 'toolset-races', title: 'tools taken away by toolsets, under load', seconds: 9, run: toolsetRaces },
  {
    name: 'log-streams',
    title: 'log receiver down for an hour, kill -9 during a batch',
    seconds: 20,
    run: logStreams,
  },
  { name: 'unique-races', title: '50-way races on everything unique', seconds: 0, run: uniqueRaces },
  ...sentinelFailovers,
  ...failovers,
];
