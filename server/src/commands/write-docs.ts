// npm run docs: writes the generated pages of docs/ from the code, and the index of the decisions from their titles.
// Needs no database: the routes are only described.

import { createSecretKey, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../app.ts';
import { createCache } from '../cache/cache.ts';
import { readConfig } from '../config.ts';
import { createBatchWriter } from '../database/batch-writer.ts';
import { openDatabase, openPool } from '../database/connection.ts';
import { createPermits } from '../database/permits.ts';
import { createCountStore } from '../database/request-counts.ts';
import { noChanges } from '../database/transact.ts';
import { refusals } from '../errors.ts';
import { type EventType, eventCatalogue, eventTypes } from '../event-catalogue.ts';
import { examplePayload } from '../http/openapi-webhooks.ts';
import { createLimits } from '../limits/limits.ts';
import { createLookupSlots } from '../limits/lookup-slots.ts';
import { createLog } from '../log.ts';
import { createSend } from '../outbound/send.ts';
import { createJobNotifier } from '../queue/job-notifier.ts';
import { buildServer } from '../routes.ts';
import { createSecrets } from '../secrets/encryption.ts';
import { parseMasterKeys } from '../secrets/master-keys.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** The generated pages by their name in docs/. */
export async function makeDocs(): Promise<Record<string, string>> {
  const server = await buildServer(unconnectedApp());
  const document = await server.inject('/api/v1/openapi.json');
  await server.close();
  return {
    'openapi.json': `${JSON.stringify(document.json(), null, 2)}\n`,
    'errors.md': errorsPage(),
    'events.md': eventsPage(),
    'decisions/README.md': await decisionsPage(),
  };
}

/** Every part is real; the pool connects when it is first used, which describing routes never does. */
function unconnectedApp(): App {
  const config = readConfig({});
  const pool = openPool({}, 1);
  const log = createLog('silent');
  const { keys } = parseMasterKeys(`docs:${randomBytes(32).toString('base64')}`);
  const database = openDatabase(pool);
  const batch_writer = createBatchWriter(pool, log);
  return {
    config,
    event_catalogue: eventCatalogue,
    pool,
    database,
    permits: createPermits(),
    background: { database, pool },
    job_notifier: createJobNotifier(async () => {}).job_notifier,
    request_origin: null,
    isUp: () => false,
    now: () => 0,
    batch_writer,
    cache: createCache(),
    changes: noChanges,
    limits: createLimits(createCountStore(pool, batch_writer)),
    failures: new Map(),
    lookups: createLookupSlots(),
    secrets: createSecrets({ master_keys: keys }),
    send: createSend({ allow: new Set() }),
    root_key_hash: randomBytes(32),
    audit_key: createSecretKey(Buffer.alloc(32)),
    log,
  };
}

function errorsPage(): string {
  const rows = refusals.map(({ status, code, message }) => `| ${status} | \`${code}\` | ${message} |`);
  return `# Errors

Made by \`npm run docs\` from \`server/src/errors.ts\`. Every error is one envelope:

\`\`\`json
{"error":{"code":"INVALID_API_KEY","message":"Invalid or inactive API key","details":{},"request_id":"req_…"}}
\`\`\`

\`details\` names the \`field\` to blame and the \`value\` it held, where there is one. \`request_id\` is also in \`X-Request-Id\`.
429 and 503 carry \`Retry-After\` in seconds.

| Status | Code | Message |
|---|---|---|
${rows.join('\n')}
`;
}

function eventsPage(): string {
  const groups = Map.groupBy(eventTypes, (type) => type.split('.')[0] ?? type);
  const sections = [...groups].map(([thing, types]) => {
    const rows = types.map((type) => `| \`${type}\` | ${eventCatalogue[type].description} |`);
    const [first] = types as [EventType, ...EventType[]];
    const example = JSON.stringify(examplePayload(first, eventCatalogue[first].example), null, 2);
    return `## ${thing}\n\n| Kind | When |\n|---|---|\n${rows.join('\n')}\n\n\`\`\`json\n${example}\n\`\`\`\n`;
  });
  return `# Events

Made by \`npm run docs\` from \`server/src/event-catalogue.ts\`; the schemas are in the \`webhooks\` section of
\`openapi.json\`. How to receive them: [guides/webhooks.md](guides/webhooks.md). A webhook hears all kinds (\`*\`), all of one
thing (\`api_key.*\`) or one (\`api_key.created\`).

${sections.join('\n')}`;
}

async function decisionsPage(): Promise<string> {
  const folder = join(docs, 'decisions');
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.md$/.test(name)).sort();
  const rows: string[] = [];
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    const [, number, title] = /^# (\d{4}): (.+)\n/.exec(text) ?? [];
    if (number === undefined || !name.startsWith(number)) throw new Error(`${name} must begin with "# NNNN: title"`);
    const supersedes = /^Supersedes (.+)$/m.exec(text)?.[1];
    rows.push(
      `| [${number}](${name}) | ${title}${supersedes ? ` (supersedes ${supersedes.replace(/\.$/, '')})` : ''} |`,
    );
  }
  return `# Decisions

Made by \`npm run docs\`. Each page states one choice that the specification left open: the context, the choice and its consequence. A page is
not edited later; a new page supersedes it.

| Number | Decision |
|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await makeDocs())) await writeFile(join(docs, name), text);
}
