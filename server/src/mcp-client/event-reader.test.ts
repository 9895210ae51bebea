import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEventReader } from './event-reader.ts';

function readIn(parts: Buffer[]) {
  const events: string[] = [];
  const reader = createEventReader((data) => events.push(data));
  for (const part of parts) reader.read(part);
  return { events, id: reader.lastId(), retry: reader.retryMs() };
}

const text =
  '\uFEFF: comment\r\nid: 1\ndata: \n\nevent: message\r\nid: 7\r\ndata: {"a":"ü"}\r\n\r\nretry: 20\ndata:one\ndata: two\n\nid\n\ndata: last\r\rdata: unfinished';

test('events are read the same however the stream is cut into parts', () => {
  const bytes = Buffer.from(text);
  const whole = readIn([bytes]);
  assert.deepEqual(whole, { events: ['{"a":"ü"}', 'one\ntwo', 'last'], id: null, retry: 20 });
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const at = [0, ...cuts.sort((one, other) => one - other), bytes.length];
      const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      assert.deepEqual(readIn(parts), whole);
    }),
  );
});

test('an event without data is not delivered: it only says where and when to resume', () => {
  const read = readIn([Buffer.from('id: event-1\nretry: 500\ndata: \n\n')]);
  assert.deepEqual(read, { events: [], id: 'event-1', retry: 500 });
});
