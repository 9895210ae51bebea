// What the hooks of the project decided about a call, in the order in which they were asked.

import { Link } from '@tanstack/react-router';
import type { ToolCallDetails } from '@toolgate/sdk';
import { useProjectId } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { linkClass } from '../../ui/button.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Name } from '../../ui/name.tsx';
import { Section } from '../../ui/section.tsx';
import { decisionTones, pointWords } from '../hooks/hooks.ts';

export function CallPolicy({ call: { policy } }: { call: ToolCallDetails }) {
  const projectId = useProjectId();
  if (policy.length === 0) return null;
  const all = (
    <Link to="/projects/$projectId/hooks" params={{ projectId }} className={linkClass}>
      Hooks
    </Link>
  );
  return (
    <Section title="Policy" aside={all}>
      <ol aria-label="Policy decisions" className="grid gap-3">
        {policy.map(({ hook_id, point, decision, reason, duration_ms }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
          <li key={at} className="grid min-w-0 gap-1">
            <div className="flex flex-wrap items-center gap-2">
              <Badge tone={decisionTones[decision]}>{decision}</Badge>
              <span className="text-muted">{pointWords[point]}</span>
              <span className="text-muted tabular-nums">{duration_ms.toLocaleString('en')} ms</span>
              <CopyableCode text={hook_id} label="Copy hook id" />
            </div>
            {reason && (
              <p className="break-words">
                <Name text={reason} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
