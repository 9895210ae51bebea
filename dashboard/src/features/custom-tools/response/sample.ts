// A real response to try a rule on: of a call that was made in "Try it", or of a call in the log whose payload was kept.

import type { ToolCall } from '@toolgate/sdk';
import { useState } from 'react';
import { useProjectQuery } from '../../../api/client.ts';
import { useAccess } from '../../../api/session.ts';
import { exactTime } from '../../../ui/time.tsx';
import type { Run, TryIt } from '../try/state.ts';

const MOST_CALLS = 20;

export type Sample = {
  id: string;
  /** As the API takes it, for a preview. */
  text: string;
  value: unknown;
  /** What the API returned, as the log has it: blanks between its members count, too. */
  tokens: number | null;
  /** It was shaped before it was recorded. */
  isRecorded: boolean;
};

export type Samples = {
  chosen: string;
  choose(id: string): void;
  runs: { id: string; label: string }[];
  calls: { id: string; label: string }[];
  /** Undefined while it is read; null without a sample. */
  sample: Sample | null | undefined;
  /** Why there is no response to show. */
  problem: string | null;
};

export function useSamples(toolId: string, tryIt: TryIt): Samples {
  const [picked, choose] = useState('');
  const isAllowed = useAccess().can('admin');
  // Of a file nothing can be selected.
  const responded = tryIt.runs.filter(({ result }) => result !== null && !result.file);
  const log = useProjectQuery(
    ['tool-calls', 'samples', toolId],
    (api) => api.toolCalls.list({ tool_id: toolId, outcome: 'succeeded', limit: MOST_CALLS }),
    { enabled: isAllowed },
  ).data;
  const calls = log?.data ?? [];
  // The latest run, unless something else was chosen.
  const chosen = picked || (responded[0] ? runId(responded[0]) : '');
  const run = responded.find((each) => runId(each) === chosen);
  const isCall = chosen !== '' && !run;
  const recorded = useProjectQuery(['tool-calls', 'one', chosen], (api) => api.toolCalls.get(chosen), {
    enabled: isCall,
  });
  const call = recorded.data?.id === chosen ? recorded.data : undefined;
  const isMissing = isCall && call !== undefined && call.result === undefined;
  return {
    ...{ chosen, choose },
    runs: responded.map((each) => ({ id: runId(each), label: `Try it, ${exactTime(each.at)}` })),
    calls: calls.map((each) => ({ id: each.id, label: labelOf(each) })),
    sample: run
      ? sampleOf(chosen, wholeBody(run), run.result?.result_tokens ?? null, false)
      : isCall
        ? call && (isMissing ? null : sampleOf(chosen, call.result, null, true))
        : null,
    problem: isMissing ? 'The payload of this call was not kept.' : (recorded.error?.message ?? null),
  };
}

const runId = ({ number }: Run) => `run ${number}`;

function labelOf({ created_at, shaped_tokens }: ToolCall): string {
  const size = shaped_tokens === null ? '' : `, ${shaped_tokens.toLocaleString('en')} tokens`;
  return `Log, ${exactTime(created_at)}${size}`;
}

/** Without a `response` the body is whole. */
const wholeBody = ({ result }: Run) => (result && 'raw_body' in result ? result.raw_body : result?.body);

/** A response that is not JSON is a text already. */
function sampleOf(id: string, value: unknown, tokens: number | null, isRecorded: boolean): Sample {
  return { id, text: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), value, tokens, isRecorded };
}
