// The first half of the demo: starts toolgate and the shop, and registers the shop at toolgate.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Toolgate, type WebhookEvent } from '../../sdk/src/index.ts';
import { createShop, WEBHOOK_PATH } from '../shop/shop.ts';
import { registerSignIn, type SignIn } from '../shop/sign-in.ts';
import { registerTools } from '../shop/tools.ts';
import type { Print } from './print.ts';
import { type RunningShop, startShop } from './start-shop.ts';
import { type RunningToolgate, startToolgate } from './start-toolgate.ts';

export type Surroundings = {
  /** Whether it goes on after the tour. */
  keep: boolean;
  print: Print;
  signal: AbortSignal;
  /** Runs at the end, the last one first, also after an error. */
  atEnd(work: () => Promise<void>): void;
};

export type Demo = {
  print: Print;
  signal: AbortSignal;
  toolgate: RunningToolgate;
  shop: RunningShop;
  /** The SDK with a key of the project that has `admin`. */
  client: Toolgate;
  project_id: string;
  admin_key: string;
  sign_in: SignIn;
  authority_file: string;
  /** For the dashboard, which only a demo that goes on has. */
  password: string | null;
  /** Resolves with the next event that the shop received and verified. */
  nextEvent(): Promise<WebhookEvent>;
};

export const OWNER_EMAIL = 'demo@example.com';

/** More than the live traffic of --keep needs. */
const REQUESTS_PER_HOUR = 100_000;

export async function setUp(surroundings: Surroundings): Promise<Demo> {
  const { print, signal } = surroundings;
  const running = await startBoth(surroundings);
  const { toolgate, shop } = running;

  print.step('The operator creates a project and an API key for the shop.');
  const root = new Toolgate({ baseUrl: toolgate.url, apiKey: toolgate.root_key });
  const project = await root.projects.create({
    name: 'Demo shop',
    plan: 'enterprise',
    requests_per_hour: REQUESTS_PER_HOUR,
    environment: 'production',
  });
  const asRoot = new Toolgate({ baseUrl: toolgate.url, apiKey: toolgate.root_key, projectId: project.id });
  const { key: admin_key } = await asRoot.apiKeys.create({ name: 'Shop backend', permissions: ['admin'] });
  const client = new Toolgate({ baseUrl: toolgate.url, apiKey: admin_key, projectId: project.id });
  print.say(`Project ${project.id}. toolgate stores only a hash of the key.`);

  print.step('The shop registers three of its endpoints as tools.');
  const tool_secret = randomBytes(32).toString('base64url');
  const names = await registerTools(client, { base_url: shop.url, secret: tool_secret });
  print.say(`Tools registered: ${names.join(', ')}.`);
  print.say('They share a secret, with which toolgate signs every request to the shop.');
  const sign_in = await registerSignIn(client, { base_url: toolgate.url, project_id: project.id });
  const webhook = await client.webhooks.create({ url: `${shop.url}${WEBHOOK_PATH}`, events: ['tool_call.failed'] });
  print.say('It also registers the public key of its assertions, and a webhook for failed calls.');

  const events = eventQueue();
  shop.serve(
    createShop({
      tool_secret,
      webhook_secret: webhook.secret,
      log: (line) => print.say(`[shop] ${line}`),
      onEvent: events.add,
    }),
  );
  return { print, signal, ...running, client, project_id: project.id, admin_key, sign_in, nextEvent: events.next };
}

async function startBoth({ keep, print, atEnd }: Surroundings) {
  const folder = makeFolder();
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));

  print.step("The shop starts: a customer's own backend, with an HTTPS API.");
  const shop = await startShop();
  atEnd(() => shop.stop());
  const authority_file = join(folder, 'ca.pem');
  writeFileSync(authority_file, shop.authority);
  print.say(`${shop.url}, with a certificate that was made just now.`);

  print.step('toolgate starts: the service between AI models and the shop.');
  const password = keep ? randomBytes(9).toString('base64url') : null;
  const starting = startToolgate({
    data_dir: join(folder, 'data'),
    allowed_address: shop.address,
    authority_file,
    owner: password === null ? null : { email: OWNER_EMAIL, password_file: writePassword(folder, password) },
  });
  // Before it is awaited: an interrupted start has to end too.
  atEnd(async () => (await starting.catch(() => null))?.stop());
  const toolgate = await starting;
  print.say(`${toolgate.url}, with its own PostgreSQL in a temporary folder.`);
  return { shop, toolgate, authority_file, password };
}

function writePassword(folder: string, password: string): string {
  const file = join(folder, 'password');
  writeFileSync(file, password, { mode: 0o600 });
  return file;
}

/** A temporary folder for everything that is written. PostgreSQL must be able to enter it: with root it is another user. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Events in the order in which they arrive, each given to one reader. */
function eventQueue() {
  const arrived: WebhookEvent[] = [];
  const readers: ((event: WebhookEvent) => void)[] = [];
  return {
    add(event: WebhookEvent): void {
      const reader = readers.shift();
      if (reader) reader(event);
      else arrived.push(event);
    },
    next(): Promise<WebhookEvent> {
      const event = arrived.shift();
      return event ? Promise.resolve(event) : new Promise((resolve) => readers.push(resolve));
    },
  };
}
