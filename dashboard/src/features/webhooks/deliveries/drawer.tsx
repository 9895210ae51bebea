// One delivery: what was sent, every attempt with its response, and whether a secret fits its signature.

import type { DeliveryWithAttempts, Webhook } from '@toolgate/sdk';
import { ChevronRight } from 'lucide-react';
import { useProjectQuery } from '../../../api/client.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyableCode, CopyButton } from '../../../ui/copy.tsx';
import { Drawer } from '../../../ui/dialogs/drawer.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Section } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { exactTime, Time } from '../../../ui/time.tsx';
import { toCurl } from '../snippets.ts';
import { attempts, DeliveryStatus, NextAttempt, RedeliverButton, ResponseStatus } from './facts.tsx';
import { SignatureCheck } from './signature-check.tsx';

const LIVE_MS = 3_000;

type Props = { webhook: Webhook; deliveryId: string | undefined; onClose: () => void };

export function DeliveryDrawer({ webhook, deliveryId, onClose }: Props) {
  const query = useProjectQuery(
    ['deliveries', 'one', deliveryId],
    (toolgate) => toolgate.webhooks.deliveries.get(webhook.id, deliveryId ?? ''),
    { enabled: deliveryId !== undefined, refetchInterval: ({ state }) => state.data?.status === 'pending' && LIVE_MS },
  );
  const delivery = query.data?.id === deliveryId ? query.data : undefined;
  return (
    <Drawer
      open={deliveryId !== undefined}
      onClose={onClose}
      title={delivery?.event_type ?? 'Delivery'}
      description={
        <span className="flex flex-wrap items-center gap-x-3">
          <CopyableCode text={deliveryId ?? ''} label="Copy delivery id" />
          {delivery && <span className="text-xs">{exactTime(delivery.created_at)}</span>}
        </span>
      }
    >
      {query.error && !delivery && <ErrorState error={query.error} retry={() => query.refetch()} />}
      {delivery ? (
        <DeliveryDetails webhook={webhook} delivery={delivery} />
      ) : (
        !query.error && <Skeleton className="h-64 w-full" />
      )}
    </Drawer>
  );
}

type DetailProps = { webhook: Webhook; delivery: DeliveryWithAttempts };

function DeliveryDetails({ webhook, delivery }: DetailProps) {
  const { request_body } = delivery;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap gap-2">
        <RedeliverButton webhook={webhook} delivery={delivery} />
        {request_body !== null && <CopyButton text={toCurl(webhook.url, delivery)} label="Copy as cURL" size="sm" />}
      </div>
      <Facts
        facts={[
          ['Status', <DeliveryStatus key="status" delivery={delivery} />],
          ['Attempts', attempts(delivery.attempt_count)],
          ['Next attempt', <NextAttempt key="next" delivery={delivery} />],
          ['Finished', <Time key="ended" value={delivery.finished_at} empty="Not yet" />],
          ['Test', delivery.is_test ? 'Yes: nothing happened' : 'No'],
          ['Created', <Time key="created" value={delivery.created_at} />],
          ['Event id', <CopyableCode key="event" text={delivery.event_id} label="Copy event id" />],
        ]}
      />
      <Section title="Request">
        {request_body === null ? (
          <p className="text-muted">Only people with the permission “admin” can read events of this type.</p>
        ) : (
          <CodeBlock label="request body" code={pretty(request_body)} />
        )}
      </Section>
      <Section title="All attempts">
        {delivery.attempts.length === 0 && <p className="text-muted">The first attempt has not been made yet.</p>}
        <ol className="grid gap-2">
          {delivery.attempts.map((attempt, index) => (
            <AttemptItem key={attempt.number} attempt={attempt} isOpen={index === 0} />
          ))}
        </ol>
      </Section>
      {request_body !== null && <SignatureCheck key={delivery.id} delivery={delivery} />}
    </div>
  );
}

type Attempt = DeliveryWithAttempts['attempts'][number];

function AttemptItem({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  return (
    <li>
      <details open={isOpen} className="group rounded-md border border-line">
        <summary className="flex h-9 list-none items-center gap-3 px-3 hover:bg-hover">
          <ChevronRight aria-hidden className="size-4 text-faint transition-transform group-open:rotate-90" />
          <span>Attempt {attempt.number}</span>
          <ResponseStatus attempt={attempt} />
          <span className="text-muted text-xs">{attempt.duration_ms.toLocaleString('en')} ms</span>
          <span className="ml-auto text-muted text-xs">
            <Time value={attempt.started_at} />
          </span>
        </summary>
        <div className="grid grid-cols-1 gap-3 border-line border-t p-3">
          <div>
            <h3 className="mb-1 text-muted text-xs">Response</h3>
            <ResponseBody attempt={attempt} />
          </div>
          <Headers title="Response headers" attempt={attempt} headers={attempt.response_headers} />
          <Headers title="Request headers" attempt={attempt} headers={attempt.request_headers} />
        </div>
      </details>
    </li>
  );
}

type HeaderProps = { title: string; attempt: Attempt; headers: Record<string, string> | null };

function Headers({ title, attempt, headers }: HeaderProps) {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  if (lines.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1 text-muted text-xs">{title}</h3>
      <CodeBlock label={`${title.toLowerCase()} of attempt ${attempt.number}`} code={lines.join('\n')} />
    </div>
  );
}

function ResponseBody({ attempt: { status, response_body, truncated, number } }: { attempt: Attempt }) {
  if (status === null) return <p className="text-muted">There was no response.</p>;
  if (!response_body) return <p className="text-muted">The body is empty, or you may not read it.</p>;
  return (
    <>
      <CodeBlock label={`response of attempt ${number}`} code={pretty(response_body)} />
      {truncated && (
        <p className="mt-1 text-muted text-xs">The response was longer; its first 20,000 bytes are kept.</p>
      )}
    </>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
