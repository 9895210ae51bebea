// Whether an integration works: what it needs, what was seen of it, and its last error.

import { Link } from '@tanstack/react-router';
import type { ApiKey, Integration, ToolCall } from '@toolgate/sdk';
import { Circle, CircleCheck, CircleX, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useProjectId, useProjectQuery } from '../api.ts';
import { Button, inlineLinkClass } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { cardClass, Section } from '../components/page-header.tsx';
import { Time } from '../components/time.tsx';
import { describeError } from '../errors.ts';
import { showToast } from '../toasts.ts';
import { activeKeys, lastUse } from './integration-facts.tsx';

type Props = { integration: Integration; keys: ApiKey[] | undefined; refetchKeys: () => Promise<{ error: unknown }> };

export function IntegrationConnection({ integration: { id }, keys, refetchKeys }: Props) {
  const [isTesting, setTesting] = useState(false);
  const assertionKeys = useProjectQuery(['assertion-keys', 'any'], (toolgate) =>
    toolgate.assertionKeys.list({ limit: 100 }),
  );
  const last = useProjectQuery(['tool-calls', 'last of integration', id], (toolgate) =>
    toolgate.toolCalls.list({ integration_id: id, limit: 1 }),
  );
  const lastFailed = useProjectQuery(['tool-calls', 'last error of integration', id], (toolgate) =>
    toolgate.toolCalls.list({ integration_id: id, outcome: 'failed', limit: 1 }),
  );
  const test = async () => {
    setTesting(true);
    const reads = [...(keys ? [refetchKeys()] : []), assertionKeys.refetch(), last.refetch(), lastFailed.refetch()];
    const failed = (await Promise.all(reads)).find(({ error }) => error !== null);
    setTesting(false);
    showToast({ title: failed ? describeError(failed.error).message : 'The connection was checked' });
  };
  const hasAssertionKey = assertionKeys.data?.data.some(({ status }) => status === 'active');
  return (
    <Section
      title="Connection"
      aside={
        <Button size="sm" busy={isTesting} onClick={() => void test()}>
          <RefreshCw /> Test connection
        </Button>
      }
    >
      <ul className={cn(cardClass, 'divide-y divide-line')}>
        {keys && <KeyCheck keys={keys} />}
        <AssertionKeyCheck hasKey={hasAssertionKey} />
        <CallCheck last={last.data?.data[0]} failed={lastFailed.data?.data[0]} />
      </ul>
    </Section>
  );
}

function KeyCheck({ keys }: { keys: ApiKey[] }) {
  const count = activeKeys(keys).length;
  const used = lastUse(keys);
  if (count === 0) return <Check state="missing" title="No active API key" />;
  return (
    <Check state={used ? 'ok' : 'open'} title={`${count} active API ${count === 1 ? 'key' : 'keys'}`}>
      {used ? (
        <>
          Last used <Time value={used} />
        </>
      ) : (
        'No request has used one yet'
      )}
    </Check>
  );
}

function AssertionKeyCheck({ hasKey }: { hasKey: boolean | undefined }) {
  const projectId = useProjectId();
  if (hasKey === undefined) return <Check state="open" title="Assertion key" />;
  if (hasKey) return <Check state="ok" title="An assertion key is registered" />;
  return (
    <Check state="open" title="No assertion key">
      <Link to="/projects/$projectId/assertion-keys" params={{ projectId }} className={inlineLinkClass}>
        Add one
      </Link>{' '}
      to create sessions for members. In production there is no other way.
    </Check>
  );
}

function CallCheck({ last, failed }: { last: ToolCall | undefined; failed: ToolCall | undefined }) {
  if (!last) return <Check state="open" title="No tool call yet" />;
  const hasFailed = last.outcome === 'failed';
  return (
    <Check
      state={hasFailed ? 'missing' : 'ok'}
      title={
        hasFailed ? `The last tool call failed: ${last.error_code ?? last.status}` : 'The last tool call succeeded'
      }
    >
      <Time value={last.created_at} />
      {!hasFailed && failed && (
        <>
          {' '}
          · last error <code className="text-xs">{failed.error_code}</code> <Time value={failed.created_at} />
        </>
      )}
    </Check>
  );
}

const icons = {
  ok: <CircleCheck aria-label="Passed" className="text-success" />,
  open: <Circle aria-label="Open" className="text-faint" />,
  missing: <CircleX aria-label="Failed" className="text-danger" />,
};

function Check({ state, title, children }: { state: keyof typeof icons; title: string; children?: ReactNode }) {
  return (
    <li className="flex min-h-11 items-baseline gap-2.5 px-4 py-2.5 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:translate-y-0.5">
      {icons[state]}
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
        <span className="min-w-0 break-words font-medium">{title}</span>
        <span className="text-muted text-xs">{children}</span>
      </div>
    </li>
  );
}
