// Links to the page where a person uploads the file that a call needs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_UPLOAD_TICKETS } from '@toolgate/contract/files/rules.ts';
import type { ToolCaller } from '../../src/access/caller.ts';
import { storeUpload } from '../../src/features/files/uploads/store-upload.ts';
import { findUploaded, openUploadTicket, readUploadTicket } from '../../src/features/files/uploads/ticket.ts';
import { loadSessionCaller } from '../../src/features/members/member-sessions/resume.ts';
import { loadKeyCaller } from '../../src/features/projects/api-keys/verify.ts';
import { makeKey, makeProject } from '../support/make/make.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { app } = server;

async function makeCallers() {
  const { id } = await makeProject(server);
  const { session } = await makeMemberSessions(server, id);
  const { key } = await makeKey(server, id, ['read']);
  const member = async (external_id: string) =>
    (await loadSessionCaller(app, await session(external_id))) as unknown as ToolCaller;
  return { key: (await loadKeyCaller(app, key)) as unknown as ToolCaller, member };
}

const call = (given: object = {}) => ({
  tool: { id: 'tool_1', name: 'send_report', definition_hash: 'a' },
  argument: 'report',
  arguments: { to: 'ada', ...given },
});

async function* bytes() {
  yield Buffer.from('%PDF');
}

async function upload(url: string) {
  const ticket = await readUploadTicket(app, url.split('/upload/')[1] ?? '');
  assert.ok(ticket);
  return storeUpload(app, ticket, { name: 'report.pdf', body: bytes() });
}

test('what is uploaded for a call of a member is found by the same call of that member, and by no other', async () => {
  const { key, member } = await makeCallers();
  const [ada, bob] = [await member('ada'), await member('bob')];
  const { url, file_id } = await openUploadTicket(app, ada, call());
  assert.equal(await findUploaded(app, ada, call()), undefined);
  assert.equal((await upload(url)).id, file_id);
  assert.equal((await findUploaded(app, await member('ada'), call()))?.id, file_id);
  assert.equal(await findUploaded(app, bob, call()), undefined);
  assert.equal(await findUploaded(app, ada, call({ to: 'eve' })), undefined);
  assert.equal(await findUploaded(app, ada, { ...call(), argument: 'other' }), undefined);
  const changed = { ...call(), tool: { ...call().tool, definition_hash: 'b' } };
  assert.equal(await findUploaded(app, ada, changed), undefined);
  const of_key = await openUploadTicket(app, key, call());
  await upload(of_key.url);
  assert.equal(await findUploaded(app, key, call()), undefined);
});

test('a link works once, and a failed upload leaves it open', async () => {
  const { key } = await makeCallers();
  const { url } = await openUploadTicket(app, key, call());
  async function* broken() {
    yield Buffer.from('a');
    throw new Error('gone');
  }
  const link = url.split('/upload/')[1] ?? '';
  const ticket = await readUploadTicket(app, link);
  assert.ok(ticket);
  await assert.rejects(storeUpload(app, ticket, { name: 'a', body: broken() }), /gone/);
  const outcomes = await Promise.allSettled([upload(url), upload(url), upload(url)]);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const outcome of outcomes) if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'NOT_FOUND');
  const after = await Promise.allSettled([upload(url)]);
  assert.equal(after[0].status, 'rejected');
  const { rows } = {
    rows: await app.database.selectFrom('files').select('id').where('id', '=', ticket.file_id).execute(),
  };
  assert.equal(rows.length, 1);
});

test('the same call gets the same link while that works for long enough, and 20 are open at most', async () => {
  const { key, member } = await makeCallers();
  const first = await openUploadTicket(app, key, call());
  assert.deepEqual(await openUploadTicket(app, key, call()), first);
  const others = Array.from({ length: MAX_UPLOAD_TICKETS }, (_, number) =>
    openUploadTicket(app, key, call({ number })),
  );
  const outcomes = await Promise.allSettled(others);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, MAX_UPLOAD_TICKETS - 1);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.deepEqual(
    refused.map(({ reason }) => [reason.code, reason.details.reason]),
    [['LIMIT_REACHED', 'too_many_upload_tickets']],
  );
  await openUploadTicket(app, await member('ada'), call());
  server.advance(10 * 60_000);
  assert.ok(await readUploadTicket(app, first.url.split('/upload/')[1] ?? ''));
  server.advance(5 * 60_000);
  assert.equal(await readUploadTicket(app, first.url.split('/upload/')[1] ?? ''), undefined);
  assert.notEqual((await openUploadTicket(app, key, call())).url, first.url);
});

test('a forged link is none', async () => {
  const { key } = await makeCallers();
  const one = await openUploadTicket(app, key, call());
  const other = await openUploadTicket(app, key, call({ number: 1 }));
  const [, mac = ''] = other.url.split('.').slice(-2);
  const forged = [`${one.file_id}.${mac}`, one.file_id, `${one.file_id}.`, `${one.file_id}.${'A'.repeat(43)}`, ''];
  for (const link of forged) assert.equal(await readUploadTicket(app, link), undefined, link);
});
