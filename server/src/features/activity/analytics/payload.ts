// What was said in a call: the arguments and the result, for projects with `record_payloads`. Redacted, cut and sealed when the
// batch is written, so that no call waits for it.

import { setImmediate } from 'node:timers/promises';
import { MAX_PAYLOAD_BYTES_PER_DAY } from '@toolgate/contract/analytics/payload-usage.ts';
import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import type { Batch } from '../../../database/batch-writer.ts';
import { openDatabase } from '../../../database/connection.ts';
import { LONGEST_BEGINNING } from '../../../redaction/token-forms.ts';
import type { SealContext } from '../../../secrets/envelope.ts';
import { type Redacted, redactPayload } from './redact-payload.ts';
import { countPayloadBytes, insertPayloads, type NewPayload } from './store.ts';

const KIB = 1024;
const MAX_KEPT = 16 * KIB;
/** More than is kept, because redacting can make it shorter. The rest is never held in memory. */
const MAX_READ = 32 * KIB;
const CUT = ' [cut at 16 KiB]';

type BufferedPayload = {
  app: Pick<App, 'secrets'>;
  call_id: string;
  project_id: string;
  member_id: string | null;
  redact_fields: readonly string[];
  arguments: Buffer;
  /** Null: there was no response. */
  result: Buffer | null;
  created_at: number;
};

const payloads: Batch<BufferedPayload> = {
  name: 'tool_call_payloads',
  max_buffered_rows: 500,
  max_batch_rows: 100,
  async write(pool, rows) {
    const database = openDatabase(pool);
    const sealed: NewPayload[] = [];
    for (const [project_id, ofProject] of Map.groupBy(rows, (row) => row.project_id)) {
      const secrets: { context: SealContext; plaintext: string }[] = [];
      for (const row of ofProject) {
        // Redacting takes milliseconds for a large payload: others have their turn in between.
        await setImmediate();
        secrets.push(
          { context: contextOf(row.call_id, 'arguments'), plaintext: textOf(row.arguments, row.redact_fields) },
          { context: contextOf(row.call_id, 'result'), plaintext: textOf(row.result ?? EMPTY, row.redact_fields) },
        );
      }
      const bytes = secrets.reduce((sum, { plaintext }) => sum + Buffer.byteLength(plaintext), 0);
      const day = new Date((ofProject[0] as BufferedPayload).created_at).toISOString().slice(0, 10);
      const is_within = await countPayloadBytes(pool, { project_id, day, bytes, max: MAX_PAYLOAD_BYTES_PER_DAY });
      const { app } = ofProject[0] as BufferedPayload;
      const blobs = is_within ? await app.secrets.sealMany(database, project_id, secrets) : [];
      ofProject.forEach(({ call_id, member_id, result, created_at }, i) => {
        const [given = null, response = null] = [blobs[2 * i], blobs[2 * i + 1]];
        const kept = { arguments: given, result: result === null ? null : response };
        sealed.push({ call_id, project_id, member_id, ...kept, created_at });
      });
    }
    if (sealed.length > 0) await insertPayloads(pool, sealed);
  },
};

const EMPTY = Buffer.alloc(0);

export function recordPayload(
  app: App,
  { id: project_id, settings }: Project,
  call: {
    call_id: string;
    member_id: string | null;
    arguments: unknown;
    body: Buffer | undefined;
    created_at: number;
  },
): void {
  app.batch_writer.add(payloads, {
    app,
    call_id: call.call_id,
    project_id,
    member_id: call.member_id,
    redact_fields: settings.redact_fields,
    arguments: beginningOf(Buffer.from(JSON.stringify(call.arguments) ?? '')),
    result: call.body === undefined ? null : beginningOf(call.body),
    created_at: call.created_at,
  });
}

/** A copy, because a part of a buffer keeps the whole in memory. */
const beginningOf = (bytes: Buffer) => Buffer.from(bytes.subarray(0, MAX_READ));

/** The JSON of what is shown: the value itself, or text if it is not JSON or was cut. */
function textOf(bytes: Buffer, redact_fields: readonly string[]): string {
  if (bytes.includes(0)) return JSON.stringify('[binary]');
  const redacted = redactPayload(bytes.toString(), redact_fields, MAX_KEPT);
  return isWhole(bytes, redacted) ? redacted.text : JSON.stringify(shown(bytes, redacted));
}

function isWhole(bytes: Buffer, { text, is_cut }: Redacted): boolean {
  if (is_cut || bytes.length === MAX_READ) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shown(bytes: Buffer, { text, is_cut }: Redacted): string {
  if (is_cut) return text + CUT;
  // The end of what was read may be the beginning of a credential, too short to be recognized.
  return bytes.length === MAX_READ ? text.slice(0, -LONGEST_BEGINNING) + CUT : text;
}

/** What was said, or why it was not recorded although `record_payloads` was on. */
type Payload = { arguments: unknown; result: unknown } | { not_recorded_reason: 'daily_limit' };

export async function openPayload(
  app: App,
  project_id: string,
  call_id: string,
  sealed: Pick<NewPayload, 'arguments' | 'result'>,
): Promise<Payload> {
  if (sealed.arguments === null) return { not_recorded_reason: 'daily_limit' };
  const open = async (column: 'arguments' | 'result', blob: string) =>
    JSON.parse((await app.secrets.open(app.database, project_id, contextOf(call_id, column), blob)).toString());
  return {
    arguments: await open('arguments', sealed.arguments),
    result: sealed.result === null ? null : await open('result', sealed.result),
  };
}

const contextOf = (row_id: string, column: 'arguments' | 'result'): SealContext => ({
  table: 'tool_call_payloads',
  column,
  row_id,
});
