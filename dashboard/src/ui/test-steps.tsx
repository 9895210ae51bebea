// The steps of a test of another server, in order: which passed, and why one failed.

import { CircleCheck, CircleDashed, CircleMinus, CircleX } from 'lucide-react';
import { showHidden } from './words.ts';

type Outcome = 'passed' | 'failed' | 'waiting' | 'not_reached';

type Step = {
  step: string;
  /** What passes, in words. */
  name: string;
  outcome: Outcome;
  found?: string | null;
  reason: string | null;
  remedy?: string | null;
};

const icons: Record<Outcome, React.ReactNode> = {
  passed: <CircleCheck aria-label="Passed" className="text-success" />,
  failed: <CircleX aria-label="Failed" className="text-danger" />,
  waiting: <CircleDashed aria-label="Waiting for the sign-in" className="text-muted" />,
  not_reached: <CircleMinus aria-label="Not reached" className="text-faint" />,
};

export function TestSteps({ steps }: { steps: Step[] }) {
  return (
    <ol aria-label="Steps" className="divide-y divide-line rounded-md border border-line bg-surface">
      {steps.map(({ step, name, outcome, found, reason, remedy }) => (
        <li key={step} className="flex gap-2.5 px-3 py-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
          {icons[outcome]}
          <div className="min-w-0">
            <p className="font-medium">{name}</p>
            {found && <p className="break-words text-muted text-xs">{showHidden(found)}</p>}
            {reason && <p className="break-words text-xs">{showHidden(reason)}</p>}
            {remedy && <p className="break-words text-muted text-xs">{remedy}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
