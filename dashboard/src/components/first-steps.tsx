// What a new project needs, ticked off as it really happens. It disappears when all is done.

import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../api.ts';
import { useAccess } from '../session.ts';
import { cn } from './class-names.ts';
import { cardClass } from './page-header.tsx';
import { Skeleton } from './skeleton.tsx';

type Step = {
  title: string;
  text: string;
  to: string;
  search?: Record<string, string>;
  hash?: string;
  isDone: boolean | undefined;
};

const CHECK_MS = 5_000;

function useSteps(): Step[] {
  const refresh = { refetchInterval: CHECK_MS };
  // Only admins may list keys. For others a call shows that there is one.
  const isAdmin = useAccess().can('admin');
  const keys = useProjectQuery(['api-keys', 'steps'], (toolgate) => toolgate.apiKeys.list({ limit: 100 }), {
    ...refresh,
    enabled: isAdmin,
  }).data;
  const tools = useProjectQuery(
    ['custom-tools', 'steps'],
    (toolgate) => toolgate.customTools.list({ limit: 1 }),
    refresh,
  ).data;
  const calls = useProjectQuery(
    ['tool-calls', 'steps'],
    (toolgate) => toolgate.toolCalls.list({ limit: 1 }),
    refresh,
  ).data;
  const hasCalls = calls && calls.data.length > 0;
  const base = '/projects/$projectId';
  return [
    {
      title: 'Create an API key',
      text: 'The credential of your backend or of a model.',
      to: `${base}/api-keys`,
      search: { dialog: 'create' },
      isDone: isAdmin ? keys && keys.data.length > 0 : hasCalls,
    },
    {
      title: 'Create a tool',
      text: 'An endpoint of your API, with its arguments.',
      to: `${base}/custom-tools`,
      search: { dialog: 'create' },
      isDone: tools && tools.data.length > 0,
    },
    {
      title: 'Connect a model',
      text: 'Paste the configuration below into your client.',
      to: base,
      hash: 'connect',
      isDone: isAdmin ? keys?.data.some(({ last_used_at }) => last_used_at !== null) : hasCalls,
    },
    {
      title: 'Make the first call',
      text: 'Ask the model to use your tool, or try it here.',
      to: `${base}/custom-tools`,
      isDone: hasCalls,
    },
  ];
}

export function FirstSteps() {
  const steps = useSteps();
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <section className={cn(cardClass, 'overflow-hidden')}>
      <div className="flex items-center justify-between gap-4 border-line border-b px-4 py-3">
        <h2 id="first-steps" className="font-medium">
          First steps
        </h2>
        <div className="flex items-center gap-3">
          <span className="text-muted text-xs">
            {done} of {steps.length} done
          </span>
          <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-line">
            <span
              className="block h-full rounded-full bg-accent transition-[width]"
              style={{ width: `${(done / steps.length) * 100}%` }}
            />
          </span>
        </div>
      </div>
      <ol aria-labelledby="first-steps" className="grid gap-px bg-line sm:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ step: { title, text, to, search, hash, isDone }, number }: { step: Step; number: number }) {
  const projectId = useProjectId();
  return (
    <li className="relative flex gap-3 bg-surface p-4 transition-colors hover:bg-hover/50">
      <span
        aria-hidden
        className={cn(
          'grid size-5 shrink-0 place-items-center rounded-full font-medium text-2xs [&_svg]:size-3',
          isDone ? 'bg-success-soft text-success' : 'bg-sunken text-muted ring-1 ring-line ring-inset',
        )}
      >
        {isDone ? <Check /> : number}
      </span>
      <div className="min-w-0">
        <Link
          to={to}
          params={{ projectId }}
          search={search ?? {}}
          {...(hash && { hash })}
          className={cn('font-medium before:absolute before:inset-0', isDone && 'text-muted')}
        >
          {title}
        </Link>
        <p className="text-muted text-xs">{text}</p>
        <p className="mt-1 h-4 text-xs">
          {isDone === undefined ? (
            <Skeleton className="h-3 w-10" />
          ) : (
            isDone && <span className="font-medium text-success">Done</span>
          )}
        </p>
      </div>
    </li>
  );
}
