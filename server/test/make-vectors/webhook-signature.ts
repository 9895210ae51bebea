// Writes vectors/webhook-signature.json: what a receiver must accept, for the server, the SDK and customers' own code.
// Run: node server/test/make-vectors/webhook-signature.ts

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureHeaders } from '../../src/features/activity/webhooks/signature.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const previous_secret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const id = 'evt_0123456789ABCDEFGHIJKL';
const timestamp = 1_794_700_800;
const payload = (data: object) =>
  JSON.stringify({
    id,
    type: 'ping',
    timestamp: '2026-11-15T00:00:00.000Z',
    project_id: 'prj_0123456789ABCDEFGHIJKL',
    data,
  });

const cases = [
  { name: 'one secret', body: payload({ webhook_id: 'wh_0123456789ABCDEFGHIJKL' }), secret, previous_secret: null },
  { name: 'during a rotation', body: payload({ webhook_id: 'wh_0123456789ABCDEFGHIJKL' }), secret, previous_secret },
  { name: 'text beyond ASCII', body: payload({ name: 'Zürich 東京 🗝' }), secret, previous_secret: null },
].map((each) => ({ ...each, id, timestamp, headers: signatureHeaders({ ...each, id, timestamp }) }));

const about =
  'X-Webhook-Signature is hex HMAC-SHA256 of the raw body, keyed with the whole text of the secret. webhook-signature is ' +
  'that of Standard Webhooks: base64 HMAC-SHA256 of "id.timestamp.body", keyed with what the text behind whsec_ encodes.';
const file = join(import.meta.dirname, '../../../vectors/webhook-signature.json');

if (import.meta.main) writeFileSync(file, `${JSON.stringify({ about, cases }, null, 2)}\n`);
