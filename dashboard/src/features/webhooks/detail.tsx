// One webhook: whether it works, what was sent to it, and how its receiver verifies that.

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { NewWebhook, Webhook } from '@toolgate/sdk';
import { FlaskConical, RefreshCw, Send, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useProjectId, useProjectQuery } from '../../api/client.ts';
import { Button, linkClass } from '../../ui/button.tsx';
import { Snippets } from '../../ui/code-block.tsx';
import { CopyableCode } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Name } from '../../ui/name.tsx';
import { NotFound } from '../../ui/not-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { cardClass, Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { usePing, useWebhookEnabling, WebhookActions } from './actions.tsx';
import { Deliveries } from './deliveries/list.tsx';
import { NewWebhookDialog, RotateSecretDialog } from './dialogs.tsx';
import { DeliveryStrip, EventBadges, WebhookStatus } from './health.tsx';
import { verifySnippets } from './snippets.ts';
import { TestEventDialog } from './test-event.tsx';

/** A delivery may switch it off while somebody looks. */
const LIVE_MS = 5_000;

export function WebhookPage() {
  const { webhookId } = useParams({ from: '/signed-in/projects/$projectId/webhooks/$webhookId' });
  const [created, setCreated] = useState<NewWebhook | null>(null);
  const projectId = useProjectId();
  const navigate = useNavigate();
  const query = useProjectQuery(['webhooks', 'one', webhookId], (toolgate) => toolgate.webhooks.get(webhookId), {
    refetchInterval: LIVE_MS,
  });
  const { data: webhook, error } = query;
  if (error && 'status' in error && error.status === 404) return <NotFound />;
  if (!error && !webhook) return <PageSkeleton />;
  const list = { to: '/projects/$projectId/webhooks', params: { projectId } } as const;
  const above = (
    <Link {...list} className={linkClass}>
      Webhooks
    </Link>
  );
  if (!webhook) {
    return (
      <>
        <PageHeader title="Webhook" above={above} />
        <ErrorState error={error} retry={() => query.refetch()} />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={webhook.url}
        above={above}
        description={
          <>
            {webhook.description && (
              <p className="break-words">
                <Name text={webhook.description} />
              </p>
            )}
            <CopyableCode text={webhook.id} label="Copy webhook id" />
          </>
        }
        actions={<PageActions webhook={webhook} onSecret={setCreated} onDeleted={() => navigate(list)} />}
      />
      <div className="grid grid-cols-1 gap-8">
        <Warning webhook={webhook} />
        <WebhookFacts webhook={webhook} />
        <Deliveries webhook={webhook} />
        <Section title="Verify the signature">
          <div className={`${cardClass} p-4`}>
            <Snippets label="Verify a webhook" snippets={verifySnippets} />
          </div>
        </Section>
      </div>
      <NewWebhookDialog created={created} onSaved={() => setCreated(null)} />
    </>
  );
}

type ActionProps = { webhook: Webhook; onSecret: (webhook: NewWebhook) => void; onDeleted: () => Promise<void> };

function PageActions({ webhook, onSecret, onDeleted }: ActionProps) {
  const [isRotating, setRotating] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const ping = usePing(webhook);
  return (
    <>
      <Button needs="webhook" busy={ping.isPending} onClick={() => ping.mutate()}>
        <Send /> Send ping
      </Button>
      <Button needs="webhook" onClick={() => setTesting(true)}>
        <FlaskConical /> Send test event
      </Button>
      <Button needs="webhook" onClick={() => setRotating(true)}>
        <RefreshCw /> Rotate secret
      </Button>
      <WebhookActions webhook={webhook} onSecret={onSecret} onDeleted={onDeleted} isOnPage />
      <TestEventDialog webhook={webhook} open={isTesting} onOpenChange={setTesting} />
      <RotateSecretDialog webhook={webhook} open={isRotating} onOpenChange={setRotating} onSecret={onSecret} />
    </>
  );
}

const reasons: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  gone: 'It returned 410 Gone, so toolgate disabled it.',
  failing: 'Every attempt failed for five days, so toolgate disabled it.',
};

/** Switched off, or about to be. */
function Warning({ webhook }: { webhook: Webhook }) {
  const enable = useWebhookEnabling(webhook);
  const { is_enabled, disabled_reason, failing_since } = webhook;
  if (is_enabled && failing_since === null) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-warning/40 bg-warning-soft px-4 py-3"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1">
        {is_enabled ? (
          <>
            Every attempt fails; the first one failed <Time value={failing_since} />. After five days, toolgate disables
            the webhook.
          </>
        ) : (
          <>
            {disabled_reason ? reasons[disabled_reason] : 'This webhook is disabled.'} Events are kept. Once the webhook
            is enabled again, “Recover failed” sends what it missed.
          </>
        )}
      </p>
      {!is_enabled && (
        <Button needs="webhook" onClick={() => enable(true)}>
          Enable
        </Button>
      )}
    </div>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { previous_secret_ends_at } = webhook;
  return (
    <Facts
      facts={[
        ['Status', <WebhookStatus key="status" webhook={webhook} />],
        ['Last deliveries', <DeliveryStrip key="strip" webhookId={webhook.id} />],
        ['Events', <EventBadges key="events" events={webhook.events} />],
        [
          'Secret',
          previous_secret_ends_at && Date.parse(previous_secret_ends_at) > Date.now() ? (
            <span key="secret">
              The old one expires <Time value={previous_secret_ends_at} />
            </span>
          ) : (
            'One is valid'
          ),
        ],
        [
          'Headers',
          webhook.header_names.length === 0 ? (
            'None'
          ) : (
            <code key="headers" className="text-xs" title={webhook.header_names.join(', ')}>
              {webhook.header_names.join(', ')}
            </code>
          ),
        ],
        ['Created', <Time key="created" value={webhook.created_at} />],
        ['Changed', <Time key="changed" value={webhook.updated_at} />],
        ['URL', <CopyableCode key="url" text={webhook.url} label="Copy URL" />],
      ]}
    />
  );
}
