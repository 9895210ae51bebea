// What changed since the last submission to a directory.

import { type Directory, directoryNames } from '@toolgate/contract/directories/rules.ts';
import type { Finding } from './finding.ts';

export type ChangedTool = { tool_id: string; name: string; kind: 'added' | 'changed' | 'removed' };

/** Null: nothing was submitted yet. `total`: of all that changed; `tools` are the first of them. */
export type Drift = { since: string; tools: ChangedTool[]; total: number } | null;

const words = {
  added: 'it is new',
  changed: 'its definition changed',
  removed: 'it was removed or disabled',
};

export function checkDrift(drift: Drift, directory: Directory): Finding[] {
  const rule = 'definitions_changed';
  if (drift === null)
    return [
      {
        rule,
        tool_id: null,
        status: 'manual',
        message: `No submission to the ${directoryNames[directory]} is recorded.`,
        remedy: 'Record one when you submit, so that later changes are listed here.',
      },
    ];
  const since = drift.since.slice(0, 10);
  return drift.tools.map(({ tool_id, name, kind }) => ({
    rule,
    tool_id,
    message: `${name}: ${words[kind]} since the submission of ${since}.`,
    remedy: 'Submit again, then record the submission.',
  }));
}
