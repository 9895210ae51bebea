// Sends the example of an event type to one webhook, and shows before what will be sent.

import { matchesFilters } from '@toolgate/contract/events/subscription-filter.ts';
import type { EventType, Webhook } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.ts';

type Props = { webhook: Webhook; open: boolean; onOpenChange: (open: boolean) => void };

export function TestEventDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Send test event"
      description="Sends an example to this webhook only, signed like every delivery. The header x-webhook-test: true marks it as a test."
    >
      <TestEventTypes {...props} />
    </Dialog>
  );
}

/** A ping has its own button. */
function TestEventTypes(props: Props) {
  const query = useProjectQuery(['event-types'], (api) => api.events.types.list(), { staleTime: Infinity });
  if (query.error) return <ErrorAlert error={query.error} />;
  if (!query.data) return <Skeleton className="h-64 w-full" />;
  return <TestEventForm {...props} types={query.data.data.filter(({ type }) => type !== 'ping')} />;
}

function TestEventForm({ webhook, onOpenChange, types }: Props & { types: EventType[] }) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const { can } = useAccess();
  const allowed = types.filter(({ readable_with }) => can(readable_with));
  const first = allowed.find(({ type }) => matchesFilters(webhook.events, type)) ?? allowed[0];
  const form = useApiForm({
    schema: z.object({ type: z.string() }),
    defaults: { type: first?.type ?? '' },
    submit: async ({ type }) => {
      await api.webhooks.sendTestEvent(webhook.id, { type: type as never });
      onOpenChange(false);
      showToast({ title: `A test of ${type} is being sent` });
      await invalidateProject(projectId, ['deliveries']);
    },
  });
  const options = types.map(({ type, readable_with }) => ({
    value: type,
    label: can(readable_with) ? type : `${type} (requires the permission “${readable_with}”)`,
    disabled: !can(readable_with),
  }));
  return (
    <Form form={form} label="Send test event">
      <SelectField name="type" label="Event" options={options} />
      <Payload types={types} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Send" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

function Payload({ types }: { types: EventType[] }) {
  const project_id = useProjectId();
  const chosen = useFormContext().watch('type');
  const found = types.find(({ type }) => type === chosen);
  if (!found) return null;
  const { id, type, timestamp, data } = found.example;
  const payload = { id, type, timestamp, project_id, data };
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="text-muted text-xs">{found.description}. The id and the time are new each time.</p>
      <CodeBlock code={JSON.stringify(payload, null, 2)} label="payload" />
    </div>
  );
}
