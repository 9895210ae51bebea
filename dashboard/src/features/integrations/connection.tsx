// Whether an integration works: what it needs, what was seen of it, and its last error.

import { Link } from '@tanstack/react-router';
import type { ApiKey, Integration, ToolCall } from '@toolgate/sdk';
import { Circle, CircleCheck, CircleX, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { Button, inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { cardClass, Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { showError } from '../../ui/toasts.ts';
import { activeKeys, lastUse } from './facts.tsx';

type Props = { integration: Integration; keys: ApiKey[] | undefined; refetchKeys: () => Promise<{ error: unknown }> };

export function IntegrationConnection({ integration: { id }, keys, refetchKeys }: Props) {
  const [isTesting, setTesting] = useState(false);
  const [isTested, setTested] = useState(false);
  const assertionKeys = useProjectQuery(['assertion-keys', 'any'], (toolgate) =>
    toolgate.assertionKeys.list({ limit: 100 }),
  );
  const last = useProjectQuery(['tool-calls', 'last of integration', id], (toolgate) =>
    toolgate.toolCalls.list({ integration_id: id, is_waiting: false, limit: 1 }),
  );
  const lastFailed = useProjectQuery(['tool-calls', 'last error of integration', id], (toolgate) =>
    toolgate.toolCalls.list({ integration_id: id, outcome: 'failed', is_waiting: false, limit: 1 }),
  );
  const checks = [
    ...(keys ? [checkKeys(keys)] : []),
    checkAssertionKey(assertionKeys.data?.data.some(({ status }) => status === 'active')),
    checkCalls(last.data?.data[0], lastFailed.data?.data[0]),
  ];
  const test = async () => {
    setTesting(true);
    const reads = [...(keys ? [refetchKeys()] : []), assertionKeys.refetch(), last.refetch(), lastFailed.refetch()];
    const failed = (await Promise.all(reads)).find(({ error }) => error !== null);
    setTesting(false);
    if (failed) showError(failed.error);
    setTested(!failed);
  };
  return (
    <Section
      title="Connection"
      aside={
        <Button size="sm" busy={isTesting} onClick={() => void test()}>
          <RefreshCw /> Test connection
        </Button>
      }
    >
      <ul aria-label="Connection" className={cn(cardClass, 'divide-y divide-line')}>
        {checks.map((check) => (
          <CheckItem key={check.title} {...check} />
        ))}
      </ul>
      <p role="status" className="mt-2 text-muted text-xs">
        {isTested && !isTesting && result(checks)}
      </p>
    </Section>
  );
}

type Check = { state: keyof typeof icons; title: string; detail?: ReactNode };

function result(checks: Check[]): string {
  const passed = checks.filter(({ state }) => state === 'ok').length;
  return passed === checks.length
    ? 'Checked just now: everything is set up.'
    : `Checked just now: ${passed} of ${checks.length} are set up.`;
}

function checkKeys(keys: ApiKey[]): Check {
  const count = activeKeys(keys).length;
  if (count === 0)
    return { state: 'missing', title: 'No active API key', detail: 'Create one: your backend needs it for sessions.' };
  const used = lastUse(keys);
  return {
    state: used ? 'ok' : 'open',
    title: `${count} active API ${count === 1 ? 'key' : 'keys'}`,
    detail: used ? (
      <>
        Last used <Time value={used} />
      </>
    ) : (
      'No request has used a key yet'
    ),
  };
}

function checkAssertionKey(hasKey: boolean | undefined): Check {
  if (hasKey === undefined) return { state: 'open', title: 'Assertion key' };
  if (hasKey) return { state: 'ok', title: 'An assertion key is registered' };
  return { state: 'open', title: 'No assertion key', detail: <AddAssertionKey /> };
}

function AddAssertionKey() {
  return (
    <>
      <Link to="/projects/$projectId/assertion-keys" params={{ projectId: useProjectId() }} className={inlineLinkClass}>
        Add one
      </Link>{' '}
      to create sessions for members. In production there is no other way.
    </>
  );
}

function checkCalls(last: ToolCall | undefined, failed: ToolCall | undefined): Check {
  if (!last) return { state: 'open', title: 'No tool call yet' };
  const hasFailed = last.outcome === 'failed';
  const earlier = !hasFailed && failed && (
    <>
      {' '}
      · last error <code className="text-xs">{failed.error_code}</code> <Time value={failed.created_at} />
    </>
  );
  return {
    state: hasFailed ? 'missing' : 'ok',
    title: hasFailed ? `The last tool call failed: ${last.error_code ?? last.status}` : 'The last tool call succeeded',
    detail: (
      <>
        <Time value={last.created_at} />
        {earlier}
      </>
    ),
  };
}

const icons = {
  ok: <CircleCheck aria-label="Passed" className="text-success" />,
  open: <Circle aria-label="Open" className="text-faint" />,
  missing: <CircleX aria-label="Failed" className="text-danger" />,
};

function CheckItem({ state, title, detail }: Check) {
  return (
    <li className="flex min-h-11 items-baseline gap-2.5 px-4 py-2.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:translate-y-0.5">
      {icons[state]}
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
        <span className="min-w-0 break-words font-medium">{title}</span>
        <span className="text-muted text-xs">{detail}</span>
      </div>
    </li>
  );
}
