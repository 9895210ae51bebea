// Deliveries per second from a queue of 10,000 and of 100,000, with and without a receiver that hangs; and the statements that
// recording an event adds. The table of `npm run bench` has the fan-out itself.

import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhookRequest } from '@toolgate/contract/webhooks/webhook.ts';
import type pg from 'pg';
import type { Caller } from '../../server/src/access/caller.ts';
import { type App, openApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { transact } from '../../server/src/database/transact.ts';
import { recordEvents } from '../../server/src/features/activity/events/record.ts';
import { createWebhook } from '../../server/src/features/activity/webhooks/create.ts';
import { createProject } from '../../server/src/features/projects/projects/create.ts';
import { findProject } from '../../server/src/features/projects/projects/find.ts';
import { newEvent, recordChange, showProject } from '../../server/src/features/projects/projects/project.ts';
import { createJobs, type Jobs } from '../../server/src/jobs.ts';
import { createLog } from '../../server/src/log/log.ts';
import { startCustomer } from '../customer.ts';
import { finish, report } from '../measure.ts';

const ENDPOINTS = 10;
const MEASURED = 5000;
const BACKLOG = 100_000;

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const customer = await startCustomer(data);
const config = readConfig({
  TOOLGATE_DATA_DIR: join(data, 'data'),
  TOOLGATE_LOG_LEVEL: 'warn',
  TOOLGATE_EGRESS_ALLOW: customer.address,
});
const { app, close } = await openApp(config, createLog('warn'), {
  ca: [readFileSync(customer.authority_file, 'utf8')],
});

async function makeTenant(path: string): Promise<Caller & { kind: 'root' }> {
  const made = await createProject(app, { kind: 'root', project: null }, { name: 'bench', environment: 'production' });
  const caller: Caller = { kind: 'root', project: await findProject(app, made.id) };
  const url = customer.origin + path;
  await createWebhook(app, caller, webhookRequest.parse({ url, events: ['*'] }));
  return caller;
}

const { received, untilReceived } = customer;

/** Like a verb: a transaction with the change's event and its audit entry. */
function change(app: App, caller: Caller): Promise<void> {
  const project = caller.project as NonNullable<Caller['project']>;
  const updated = { type: 'project.updated', target_id: project.id, data: showProject(project) } as const;
  return transact(app, (app) => recordChange(app, caller, updated));
}

/** Returns deliveries per second from a filled queue. */
async function measureDraining(): Promise<number> {
  await untilReceived((await received()) + 500);
  const before = await received();
  const began = performance.now();
  await untilReceived(before + MEASURED);
  return (((await received()) - before) * 1000) / (performance.now() - began);
}

async function fill(callers: Caller[], count: number): Promise<void> {
  for (let done = 0; done < count; done += 1000) {
    const batch = Array.from({ length: 1000 }, (_, i) => {
      const project = callers[i % callers.length]?.project as NonNullable<Caller['project']>;
      return newEvent(app, project.id, 'project.updated', showProject(project));
    });
    await recordEvents(app.database, batch);
  }
}

async function withJobs<T>(work: () => Promise<T>): Promise<T> {
  const jobs: Jobs = createJobs(app);
  await jobs.prepare();
  jobs.start();
  try {
    return await work();
  } finally {
    await jobs.stop();
  }
}

/** Returns how many statements recording sends between begin and commit. */
async function countStatements(caller: Caller): Promise<number> {
  const client = await app.pool.connect();
  const prototype = Object.getPrototypeOf(client) as pg.Client;
  client.release();
  const query = prototype.query;
  const sent: string[] = [];
  let recording: pg.Client | undefined;
  prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    if (args[0] === 'begin') recording ??= this;
    if (this === recording) sent.push(String(args[0]));
    return Reflect.apply(query, this, args);
  } as never;
  await change(app, caller);
  prototype.query = query;
  return sent.indexOf('commit') - 1;
}

try {
  const callers = await Promise.all(Array.from({ length: ENDPOINTS }, (_, i) => makeTenant(`/hook/${i}`)));
  const statements = await countStatements(callers[0] as Caller);
  report('statements that recording adds to a transaction', statements, '', 1);

  await fill(callers, 2 * MEASURED);
  const few = await withJobs(measureDraining);
  await fill(callers, BACKLOG);
  const many = await withJobs(measureDraining);
  report('from a queue of 10,000, a second', few, ' deliveries');
  report('from a queue of 100,000, a second', many, ' deliveries');
  report('rate with few queued, compared with 100,000 queued', few / many, ' x', 1.2);

  await app.pool.query('truncate jobs, deliveries, delivery_attempts');
  const hanging = await makeTenant('/hang');
  await fill([hanging], BACKLOG);
  await fill(callers, 2 * MEASURED);
  const during = await withJobs(measureDraining);
  report('while another receiver hangs with 100,000 queued, a second', during, ' deliveries');
  report('rate without it, compared with the rate during it', few / during, ' x', 1.2);
} finally {
  await close();
  await customer.stop();
  rmSync(data, { recursive: true, force: true });
}
finish();
