// The first things on docs/performance.md: one sentence, one table and one chart of what a tool call costs, beside other servers.

import { median, ratio } from '../statistics.ts';
import { type AnyRow, OURS } from './parts.ts';
import { isMeasured, markdown } from './print.ts';

/** One server of the comparison. `ratio` is its CPU divided by toolgate's. */
export type Compared = {
  label: string;
  does: string;
  cpu_us: number;
  ratio: number;
  per_second: number;
  alone_ms: number;
  memory_mb: number;
};

/** By the name of the row, in the order of the table. A server that was not measured is left out. */
const compared: Record<string, Pick<Compared, 'label' | 'does'>> = {
  [OURS]: { label: 'toolgate', does: 'validates, signs, limits and records each call' },
  'official SDK v2 in our gateway': {
    label: 'official SDK v2',
    does: 'the same gateway, with the official SDK as its MCP endpoint',
  },
  'official SDK v1 in our gateway': { label: 'official SDK v1', does: 'the same, with the previous SDK' },
  fastmcp: { label: 'fastmcp', does: 'a hand-written server: validates the arguments, calls the API' },
  'mcp-proxy': { label: 'mcp-proxy', does: 'forwards to a hand-written server over stdio, which calls the API' },
  'bare Node proxy': { label: 'bare Node proxy', does: 'forwards the request, and nothing else' },
  'nginx as a proxy': { label: 'nginx', does: 'forwards the request, and nothing else' },
};

export function compareCalls(rows: AnyRow[]): Compared[] {
  const calls = rows.filter(isMeasured).filter(({ operation }) => operation === 'tools/call');
  const ours = calls.find(({ name }) => name === OURS);
  return Object.entries(compared).flatMap(([name, texts]) => {
    const row = calls.find((each) => each.name === name);
    if (!ours || !row) return [];
    const { alone_ms, memory_mb } = row;
    const cpu_us = median(row.cpu_us);
    const per_second = median(row.per_second);
    return [{ ...texts, cpu_us, ratio: ratio(row.cpu_us, ours.cpu_us), per_second, alone_ms, memory_mb }];
  });
}

export function comparisonTable(servers: Compared[]): string {
  const lines = servers.map((server) => [
    server.label,
    server.does,
    `${server.cpu_us.toFixed(0)} µs`,
    `${server.ratio.toFixed(2)} ×`,
    server.per_second.toFixed(0),
    `${server.alone_ms.toFixed(2)} ms`,
    `${server.memory_mb.toFixed(0)} MB`,
  ]);
  const head = ['Server', 'What it does', 'CPU per call', 'vs. toolgate', 'Calls per second', 'Latency', 'Memory'];
  return markdown(head, lines, 2);
}

const [WIDTH, LABELS, FIGURES, BAR, GAP, TOP] = [720, 150, 90, 26, 14, 56];
const [INK, OURS_COLOR, THEIRS_COLOR, PAPER] = ['#1f2328', '#0f766e', '#94a3b8', '#ffffff'];

/** Attributes only, no style element: a strict Content-Security-Policy would drop one. The background makes it readable on dark pages. */
export function comparisonChart(servers: Compared[]): string {
  const height = TOP + servers.length * (BAR + GAP) + 8;
  const longest = Math.max(...servers.map(({ cpu_us }) => cpu_us));
  const bars = servers.map(({ label, cpu_us }, i) => {
    const y = TOP + i * (BAR + GAP);
    const length = ((WIDTH - LABELS - FIGURES) * cpu_us) / longest;
    const color = i === 0 ? OURS_COLOR : THEIRS_COLOR;
    const middle = y + BAR / 2 + 5;
    return [
      `<text x="${LABELS - 12}" y="${middle}" text-anchor="end">${label}</text>`,
      `<rect x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="3" fill="${color}"/>`,
      `<text x="${(LABELS + length + 8).toFixed(1)}" y="${middle}">${cpu_us.toFixed(0)} µs</text>`,
    ].join('\n  ');
  });
  const summary = servers.map(({ label, cpu_us }) => `${label} ${cpu_us.toFixed(0)} µs`).join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="14" fill="${INK}">
  <title>CPU time per tools/call: ${summary}</title>
  <rect width="${WIDTH}" height="${height}" rx="8" fill="${PAPER}"/>
  <text x="24" y="32" font-size="16" font-weight="600">CPU time per tools/call (less is better)</text>
  ${bars.join('\n  ')}
</svg>
`;
}
