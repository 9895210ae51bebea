// What a new project needs, ticked off as it really happens.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Project } from '@toolgate/sdk';
import { Check } from 'lucide-react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { projectQuery } from '../../api/project.ts';
import { useAccess } from '../../api/session.ts';
import { cn } from '../../ui/class-names.ts';
import { cardClass } from '../../ui/section.tsx';
import { LoadSampleShop } from './sample-shop.tsx';

export type Step = {
  title: string;
  text: string;
  to: string;
  search?: Record<string, string>;
  hash?: string;
  isDone: boolean;
};

const CHECK_MS = 5_000;

/** Reads again and again, until what the step waits for is there. */
const until = <T,>(isDone: (read: T) => boolean) => ({
  refetchInterval: ({ state }: { state: { data?: T | undefined } }) =>
    state.data && isDone(state.data) ? false : CHECK_MS,
});

const untilListed = until<{ data: unknown[] }>(({ data }) => data.length > 0);

/** Null while it is not known what is done. */
export function useFirstSteps(): Step[] | null {
  // Only admins may list keys. For others a call shows that there is one.
  const isAdmin = useAccess().can('manage_keys');
  const keys = useProjectQuery(['api-keys', 'steps'], (toolgate) => toolgate.apiKeys.list({ limit: 1 }), {
    ...untilListed,
    enabled: isAdmin,
  });
  const tools = useProjectQuery(
    ['custom-tools', 'steps'],
    (toolgate) => toolgate.customTools.list({ limit: 1 }),
    untilListed,
  );
  const calls = useProjectQuery(
    ['tool-calls', 'steps'],
    (toolgate) => toolgate.toolCalls.list({ limit: 1 }),
    untilListed,
  );
  const project = useQuery({
    ...projectQuery(useProjectId()),
    ...until<Project>(({ mcp_connected_at }) => mcp_connected_at !== null),
  });
  // A failed request does not hide the steps: the page says elsewhere that it failed.
  const isKnown = [tools, calls, project, ...(isAdmin ? [keys] : [])].every(({ data, isError }) => data || isError);
  if (!isKnown) return null;
  const hasCalls = (calls.data?.data.length ?? 0) > 0;
  return describeSteps({
    hasKey: isAdmin ? (keys.data?.data.length ?? 0) > 0 : hasCalls,
    hasTool: (tools.data?.data.length ?? 0) > 0,
    isConnected: (project.data?.mcp_connected_at ?? null) !== null,
    hasCalls,
  });
}

type Progress = { hasKey: boolean; hasTool: boolean; isConnected: boolean; hasCalls: boolean };

function describeSteps({ hasKey, hasTool, isConnected, hasCalls }: Progress): Step[] {
  const base = '/projects/$projectId';
  return [
    {
      title: 'Create an API key',
      text: 'The credential of your backend or of a model.',
      to: `${base}/api-keys`,
      search: { dialog: 'create' },
      isDone: hasKey,
    },
    {
      title: 'Create a tool',
      text: 'An endpoint of your API, with its arguments.',
      to: `${base}/custom-tools/new`,
      isDone: hasTool,
    },
    {
      title: 'Connect a model',
      text: 'Paste the configuration below into your client.',
      to: base,
      hash: 'connect',
      isDone: isConnected,
    },
    {
      title: 'Make the first call',
      text: 'Ask the model to use your tool, or try it here.',
      to: `${base}/custom-tools`,
      isDone: hasCalls,
    },
  ];
}

export function FirstSteps({ steps }: { steps: Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const areDone = done === steps.length;
  const hasTool = steps[1]?.isDone;
  return (
    <section className={cn(cardClass, 'overflow-hidden')}>
      <div className="flex items-center justify-between gap-4 border-line border-b px-4 py-3">
        <h2 id="first-steps" className="font-medium">
          First steps
        </h2>
        <div className="flex items-center gap-3">
          <span className="text-muted text-xs">{areDone ? 'All done' : `${done} of ${steps.length}`}</span>
          <span aria-hidden className="h-1 w-20 overflow-hidden rounded-full bg-line">
            <span
              className={cn('block h-full rounded-full transition-[width]', areDone ? 'bg-success' : 'bg-accent')}
              style={{ width: `${(done / steps.length) * 100}%` }}
            />
          </span>
        </div>
      </div>
      <ol aria-labelledby="first-steps" className="grid gap-px bg-line sm:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isFolded={areDone} />
        ))}
      </ol>
      {!hasTool && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t bg-surface px-4 py-3">
          <p className="min-w-0 flex-1 basis-64 text-muted">
            No API at hand? The sample shop gives you three tools. <code>find_products</code> works immediately with an
            API key; <code>place_order</code> and <code>my_orders</code> act for a user, so they need a member.
          </p>
          <LoadSampleShop />
        </div>
      )}
    </section>
  );
}

/** `isFolded`: a line, when all steps are done. */
type StepItemProps = { step: Step; number: number; isFolded: boolean };

function StepItem({ step: { title, text, to, search, hash, isDone }, number, isFolded }: StepItemProps) {
  const projectId = useProjectId();
  return (
    <li
      className={cn(
        'relative flex gap-3 bg-surface px-4 transition-colors hover:bg-hover/50',
        isFolded ? 'py-2' : 'py-4',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'grid size-5 shrink-0 place-items-center rounded-full font-medium text-2xs [&_svg]:size-3',
          isDone ? 'bg-success-soft text-success' : 'bg-sunken text-muted ring-1 ring-line ring-inset',
        )}
      >
        {isDone ? <Check /> : number}
      </span>
      <div className={cn('min-w-0', isFolded && 'flex flex-1 flex-wrap items-baseline justify-between gap-x-2')}>
        <Link
          to={to}
          params={{ projectId }}
          search={search ?? {}}
          {...(hash && { hash })}
          className={cn('font-medium before:absolute before:inset-0', isDone && 'text-muted')}
        >
          {title}
        </Link>
        {!isFolded && <p className="text-muted text-xs">{text}</p>}
        <p className={cn('h-4 text-xs', !isFolded && 'mt-1')}>
          {isDone && <span className="font-medium text-success">Done</span>}
        </p>
      </div>
    </li>
  );
}
