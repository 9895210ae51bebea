// What a hook decided about a test, and what was sent to it.

import type { HookTest } from '@toolgate/sdk';
import { Badge } from '../../ui/badge.tsx';
import { JsonView } from '../../ui/forms/json.tsx';
import { Name } from '../../ui/name.tsx';
import { decisionTones } from './hooks.ts';

export function HookTestResult({ tested }: { tested: HookTest }) {
  const { decision, reason, duration_ms, is_allowed, request, changed } = tested;
  return (
    <section aria-label="Decision" aria-live="polite" className="grid min-w-0 grid-cols-1 gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={decisionTones[decision]}>{decision}</Badge>
        <span className="tabular-nums">{duration_ms.toLocaleString('en')} ms</span>
        <span className="text-muted">{outcomeOf(decision, is_allowed)}</span>
      </p>
      {reason && (
        <p className="break-words">
          <Name text={reason} />
        </p>
      )}
      {changed !== null && changed !== undefined && <JsonView value={changed} label="changed to" />}
      <JsonView value={request} label="sent" />
    </section>
  );
}

function outcomeOf(decision: HookTest['decision'], isAllowed: boolean): string {
  if (decision === 'confirm') return 'A person would have to approve the call.';
  if (decision === 'failed') return isAllowed ? 'The call would be sent without it.' : 'The call would be refused.';
  return isAllowed ? 'The call would be allowed.' : 'The call would be denied.';
}
