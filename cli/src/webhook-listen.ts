// toolgate webhooks listen: reads new events from the API, so that a developer's machine needs no public address.

import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import {
  ConnectionError,
  type Event,
  RateLimitError,
  ServerError,
  TimeoutError,
  type Toolgate,
} from '../../sdk/src/index.ts';
import { projectClient } from './client.ts';
import type { Context } from './context.ts';
import { collectText } from './fields.ts';
import { untilInterrupted } from './live.ts';
import { printLine, say, wantsJson } from './output.ts';

/**
 * An event gets its time before its transaction commits, so it can appear behind newer ones. Events that are this much older
 * than the newest are looked at again.
 */
const LATE_MS = 15_000;
const FORWARD_MS = 15_000;
const RETRY_SECONDS = 2;

type Forward = { url: string; secret: string };

export function addWebhookListenCommand(group: Command, context: Context): void {
  const command = group
    .command('listen')
    .description('show events as they happen, until Ctrl-C')
    .option('--event <type>', 'only this type, or all types of a resource, such as api_key.*; repeatable', collectText)
    .option('--forward <url>', 'forward each event to this URL, signed like a webhook', parseUrl)
    .option(
      '--interval <seconds>',
      "how often to poll the API; each poll counts against the project's limit",
      parseInterval,
    );
  command.action(async ({ event: types, forward: forward_url, interval }) => {
    const { toolgate, project } = await projectClient(context, command);
    const isJson = wantsJson(command);
    const forward =
      forward_url === undefined ? null : { url: forward_url, secret: `whsec_${randomBytes(32).toString('base64')}` };
    await untilInterrupted(context, async (signal) => {
      const next = await followEvents(toolgate, signal);
      if (forward) say(context, `Forwarding events to ${forward.url}. Verify them with the secret ${forward.secret}`);
      const { limit } = await toolgate.projects.usage.get(project, { signal });
      say(context, 'Waiting for events. Press Ctrl-C to stop.');
      for (let asked = 0; !signal.aborted; asked += 1) {
        await sleep((interval ?? intervalOf(limit, asked)) * 1000, undefined, { signal });
        for (const event of await patiently(context, next, signal)) {
          if (types && !types.some((type) => isOfType(event, type))) continue;
          printLine(context, isJson ? JSON.stringify(event) : lineOf(event));
          if (forward) await post(context, forward, event, signal);
        }
      }
    });
  });
}

/**
 * Seconds until the next request. The project needs its requests for more than this: a tenth of them is used at one per
 * second, and of the rest a quarter.
 */
export function intervalOf(requestsPerHour: number, asked: number): number {
  return asked < requestsPerHour / 10 ? 1 : Math.max(1, (4 * 3600) / requestsPerHour);
}

/** Resolves with a function that returns the events since its last call, oldest first. */
async function followEvents(toolgate: Toolgate, signal: AbortSignal): Promise<() => Promise<Event[]>> {
  const since = async (time: number) => {
    const recent: Event[] = [];
    for await (const event of toolgate.events.list({ limit: 100 }, { signal })) {
      if (Date.parse(event.timestamp) < time) break;
      recent.push(event);
    }
    return recent;
  };
  const [last] = (await toolgate.events.list({ limit: 1 }, { signal })).data;
  let newest = last ? Date.parse(last.timestamp) : Number.NEGATIVE_INFINITY;
  let seen = new Set((await since(newest - LATE_MS)).map(({ id }) => id));
  return async () => {
    const recent = await since(newest - LATE_MS);
    const found = recent.filter(({ id }) => !seen.has(id)).reverse();
    newest = Math.max(newest, ...recent.map(({ timestamp }) => Date.parse(timestamp)));
    seen = new Set(recent.map(({ id }) => id));
    return found;
  };
}

/** Waits when the server cannot be reached or the requests of the hour are used up, rather than ending. */
async function patiently(context: Context, next: () => Promise<Event[]>, signal: AbortSignal): Promise<Event[]> {
  try {
    return await next();
  } catch (error) {
    const isPassing = [ConnectionError, ServerError, TimeoutError, RateLimitError].some(
      (kind) => error instanceof kind,
    );
    if (signal.aborted || !isPassing) throw error;
    const seconds = error instanceof RateLimitError ? (error.retryAfterSeconds ?? 60) : RETRY_SECONDS;
    say(context, `${(error as Error).message}. Retrying in ${seconds} s; no events are lost.`);
    await sleep(seconds * 1000, undefined, { signal });
    return [];
  }
}

/** The body and the headers are those of a delivery, as docs/signatures.md describes them. */
async function post(
  context: Context,
  { url, secret }: Forward,
  { object: _, is_test, ...payload }: Event,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(payload);
  const time = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${payload.id}.${time}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': payload.id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${signature}`,
    'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    ...(is_test && { 'x-webhook-test': 'true' }),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_MS)]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    await response.body?.cancel();
    say(context, `${payload.id} got a response with status ${response.status}.`);
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message?: string };
    say(context, `${payload.id} could not be forwarded: ${code ?? message}`);
  }
}

function isOfType({ type }: Event, wanted: string): boolean {
  return wanted === '*' || type === wanted || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1)));
}

function lineOf({ timestamp, type, id, data, is_test }: Event): string {
  return [timestamp, is_test ? `${type} (test)` : type, id, JSON.stringify(data)].join('\t');
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an http or https URL.');
  return text;
}

function parseInterval(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0.1 && seconds <= 3600)) throw new InvalidArgumentError('It must be between 0.1 and 3600.');
  return seconds;
}
