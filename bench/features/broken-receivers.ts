// What receivers of webhooks that misbehave cost others: the age at which a good receiver gets the events of another project, and the
// delay of the event loop, alone, beside receivers of twenty kinds that are broken, and beside hundreds that hang.

import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { post } from '../api.ts';
import { brokenResponses } from '../broken-responses.ts';
import type { Customer } from '../customer.ts';
import { reportDelays, takeDelays } from '../event-loop.ts';
import { finish, report } from '../measure.ts';
import type { Child } from '../processes.ts';
import { sampleTool } from '../sample-tool.ts';
import { quantile } from '../statistics.ts';
import { makeProject, withTwoCustomers } from '../two-customers.ts';

/** Each makes so many events in one request, and so many requests a second. */
const TOOLS = 10;
const CHANGES_A_SECOND = 5;

const MEASURED_MS = 12_000;
const GOOD_EVERY_MS = 50;
/** At p99. */
const MAX_DELAY_MS = 12;
/** Not broken for a webhook: they are answered as a failure, or as a success, as quickly as a good one. */
const USUAL = ['status 500', 'redirects elsewhere'];

type Source = { id: string; key: string; tools: string[] };

/** A project with tools and a webhook that receives what happens to them. */
async function makeSource(url: string, receiver: string, tools: number): Promise<Source> {
  const project = await makeProject(url);
  const made: string[] = [];
  for (let i = 0; i < tools; i += 1)
    made.push((await post(url, '/custom-tools', project.key, sampleTool(i, 'https://example.com'))).id);
  await post(url, `/projects/${project.id}/webhooks`, project.key, { url: receiver, events: ['custom_tool.*'] });
  return { ...project, tools: made };
}

/** Enables or disables all tools of the project: one event for each. */
async function change(url: string, { key, tools }: Source, is_enabled: boolean): Promise<void> {
  const action = is_enabled ? 'enable' : 'disable';
  await post(url, '/custom-tools/bulk', key, { ids: tools, action }, 200);
}

/** Until the returned function is called. */
function keepChanging(url: string, sources: Source[], every_ms: number): () => Promise<void> {
  let is_over = false;
  const changing = sources.map(async (source, i) => {
    await sleep((every_ms * i) / sources.length);
    for (let round = 0; !is_over; round += 1) {
      const began = performance.now();
      await change(url, source, round % 2 === 1);
      await sleep(Math.max(0, every_ms - (performance.now() - began)));
    }
  });
  return async () => {
    is_over = true;
    await Promise.all(changing);
  };
}

async function measureAges(server: Child, customer: Customer, good: Source, when: string, bound?: number) {
  await takeDelays(server);
  await customer.takeAges();
  const stop = keepChanging(server.url, [good], GOOD_EVERY_MS);
  await sleep(MEASURED_MS);
  await stop();
  reportDelays(when, await takeDelays(server), bound);
  const ages = await customer.takeAges();
  for (const part of [0.5, 0.99])
    report(`${when}: age of an event at a good receiver, p${part * 100}`, quantile(ages, part), ' ms');
  return ages;
}

await withTwoCustomers(
  async (server, customer, broken) => {
    setPriority(broken.pid, constants.priority.PRIORITY_LOW);
    const { url } = server;
    const good = await makeSource(url, `${customer.origin}/hook`, 1);
    const bad: Source[] = [];
    for (const kind of Object.keys(brokenResponses).filter((kind) => !USUAL.includes(kind)))
      bad.push(await makeSource(url, `${broken.origin}/broken/${encodeURIComponent(kind)}`, TOOLS));
    await measureAges(server, customer, good, 'warm-up');
    const alone = await measureAges(server, customer, good, 'alone');
    const stop = keepChanging(url, bad, 1_000 / CHANGES_A_SECOND);
    await sleep(2_000);
    const beside = await measureAges(server, customer, good, `beside ${bad.length} broken receivers`, MAX_DELAY_MS);
    await stop();
    report('p99 of the age: beside, compared with alone', quantile(beside, 0.99) / quantile(alone, 0.99), ' x');
  },
  { TOOLGATE_LOG_LEVEL: 'silent' },
);
finish();
