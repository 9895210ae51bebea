// npm run bench -- shaping: how much CPU it takes to shape a result of 1 MiB, beside parsing and serializing it, which keeps neither
// the digits of numbers nor the order of members.

import { compileRule, type ResponseRule } from '../../server/src/shaping/compile.ts';
import { shapeBytes } from '../../server/src/shaping/shape.ts';
import { medianCpuMs } from '../measure.ts';

const ROUNDS = 31;
const MIB = 2 ** 20;

const link = (path: string) => ({ href: `https://api.example.com/${path}` });
const order = (id: number) => ({
  id,
  name: `Order ${id}`,
  status: 'open',
  customer: {
    id: id * 7,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    avatar_url: 'https://example.com/avatars/123456789.png',
    _links: { self: link(`customers/${id}`) },
  },
  lines: [
    { sku: 'abc-1', quantity: 2, price: 12.5 },
    { sku: 'abc-2', quantity: 1, price: 3.25 },
  ],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  note: null,
  _links: { self: link(`orders/${id}`), lines: link(`orders/${id}/lines`) },
});

const items: object[] = [];
for (let bytes = 0; bytes < MIB; ) {
  const item = order(items.length);
  bytes += JSON.stringify(item).length + 1;
  items.push(item);
}
const text = JSON.stringify({ items, next: 'abc' });
const body = Buffer.from(text);

const drop = ['**._links', '**.avatar_url', '**.created_at'];
const rules: [string, ResponseRule][] = [
  ['`select`', { select: ['items[].id', 'items[].name', 'items[].lines[].sku'] }],
  ['`drop` at any depth', { drop }],
  ['`max_tokens`', { max_tokens: 20_000 }],
  [
    '`drop`, `max_items`, `max_tokens` and `next_page`',
    { drop, max_items: { items: 1_000 }, max_tokens: 20_000, next_page: { cursor: 'next', argument: 'cursor' } },
  ],
  ['`drop` and `@email`', { drop, redact: ['@email'] }],
  ['all detectors', { redact: ['@email', '@card', '@iban', '@token'] }],
];

console.log(`| Shaping ${(body.length / MIB).toFixed(2)} MiB | CPU, ms |\n|---|---|`);
for (const [name, rule] of rules) {
  const compiled = compileRule(rule);
  const milliseconds = medianCpuMs(ROUNDS, () => {
    const shaped = shapeBytes(body.toString('latin1'), compiled, false);
    return shaped.kind === 'json' && Buffer.from(shaped.json, 'latin1');
  });
  console.log(`| ${name} | ${milliseconds.toFixed(1)} |`);
}
const parsing = medianCpuMs(ROUNDS, () => JSON.stringify(JSON.parse(body.toString())));
console.log(`| parsing and serializing it | ${parsing.toFixed(1)} |`);
