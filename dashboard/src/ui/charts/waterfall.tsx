// Where the time of a call went: one bar for each stage, in their order, on one scale.

import type { ToolCall } from '@toolgate/sdk';
import { cn } from '../class-names.ts';
import { duration } from '../words.ts';

type Stage = { name: string; text: string; ms: number; start: number; fill: string };

type Timed = Pick<ToolCall, 'duration_ms' | 'waiting_ms' | 'stages' | 'policy'>;

/** What is left of the duration is toolgate's own: it checks the credential, the limits and the arguments, and responds. */
function stagesOf({ duration_ms, stages, policy }: Timed): Stage[] {
  const { queue_ms = 0, connect_ms = 0, upstream_ms = 0 } = stages ?? {};
  const hooks_ms = policy.reduce((sum, each) => sum + each.duration_ms, 0);
  const own_ms = Math.max(0, duration_ms - hooks_ms - queue_ms - connect_ms - upstream_ms);
  const own = [
    { name: 'Auth, validate', text: 'Credential, limits, arguments', ms: own_ms, fill: 'bg-faint' },
    ...(policy.length > 0
      ? [{ name: 'Hooks', text: 'Your policies, before and after', ms: hooks_ms, fill: 'bg-danger' }]
      : []),
  ];
  const parts = [
    ...own,
    { name: 'Queue', text: 'Waiting for a free slot', ms: queue_ms, fill: 'bg-warning' },
    { name: 'Connect', text: '0 on an open connection', ms: connect_ms, fill: 'bg-success' },
    { name: 'Your API', text: 'Until the response is complete', ms: upstream_ms, fill: 'bg-accent' },
  ];
  const shown = stages === null ? own : parts;
  return shown.map((part, index) => ({
    ...part,
    start: shown.slice(0, index).reduce((sum, { ms }) => sum + ms, 0),
  }));
}

export function Waterfall({ call }: { call: Timed }) {
  const total = Math.max(1, call.duration_ms);
  return (
    <div>
      <table aria-label="Stages" className="w-full table-fixed">
        <colgroup>
          <col className="w-28 sm:w-52" />
          <col />
          <col className="w-20" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Position</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {call.waiting_ms !== null && <WaitingRow ms={call.waiting_ms} />}
          {stagesOf(call).map(({ name, text, ms, start, fill }) => (
            <tr key={name} className="h-8 sm:h-11">
              <th scope="row" title={text} className="truncate text-left font-normal">
                {name}
                <span aria-hidden className="hidden truncate text-faint text-xs sm:block">
                  {text}
                </span>
              </th>
              <td aria-label={`after ${start} ms`}>
                <span aria-hidden className="relative block h-3 rounded-sm bg-sunken">
                  <span
                    className={cn('absolute inset-y-0 min-w-0.5 rounded-sm', fill)}
                    style={{ left: `${(start / total) * 100}%`, width: `${(ms / total) * 100}%` }}
                  />
                </span>
              </td>
              <td className="text-right">{ms.toLocaleString('en')} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
      {call.stages === null && <p className="mt-1 text-muted text-xs">No request was sent to your API.</p>}
    </div>
  );
}

/** Before the call, and often much longer than it: not on its scale. */
function WaitingRow({ ms }: { ms: number }) {
  const text = 'Before the call, until a person approved it';
  return (
    <tr className="h-8 sm:h-11">
      <th scope="row" title={text} className="truncate text-left font-normal">
        Confirmation
        <span aria-hidden className="hidden truncate text-faint text-xs sm:block">
          {text}
        </span>
      </th>
      <td aria-label="before the call" />
      <td className="text-right">{duration(ms)}</td>
    </tr>
  );
}

/** The same in one line, for a row of a table. `longest`: the duration that fills the width. */
export function StageBar({ call, longest }: { call: Timed; longest: number }) {
  const stages = stagesOf(call).filter(({ ms }) => ms > 0);
  return (
    <span
      aria-hidden
      title={stages.map(({ name, ms }) => `${name} ${ms} ms`).join(', ')}
      className="flex h-2 min-w-0.5 overflow-hidden rounded-sm"
      style={{ width: `${Math.max(1, (call.duration_ms / Math.max(1, longest)) * 100)}%` }}
    >
      {stages.map(({ name, ms, fill }) => (
        <span key={name} className={cn('h-full', fill)} style={{ width: `${(ms / call.duration_ms) * 100}%` }} />
      ))}
    </span>
  );
}
