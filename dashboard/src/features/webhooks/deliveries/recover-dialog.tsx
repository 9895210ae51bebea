// Sends again all that failed since a time, and what a webhook missed while it was inactive.

import type { Webhook } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../../api/client.ts';
import { Dialog, DialogActions } from '../../../ui/dialogs/dialog.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../../ui/forms/form.tsx';
import { showToast } from '../../../ui/toasts.ts';
import { onTheirWay } from './facts.tsx';

const DAY_MS = 86_400_000;
/** The API restarts 10,000 at once. */
const MAX_ROUNDS = 100;

type Props = { webhook: Webhook; open: boolean; onOpenChange: (open: boolean) => void };

export function RecoverDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Recover failed deliveries"
      description="Resends everything that failed since the time you choose, with the same ids, and the events that it missed while it was disabled."
    >
      <RecoverForm {...props} />
    </Dialog>
  );
}

const schema = z.object({ since: z.string().check(z.minLength(1, 'Enter a time')) });

function RecoverForm({ webhook, onOpenChange }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema,
    defaults: { since: new Date(Date.now() - DAY_MS).toISOString().slice(0, 16) },
    submit: async ({ since }) => {
      let count = 0;
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const { recovered, has_more } = await api.webhooks.recover(webhook.id, { since: `${since}:00Z` });
        count += recovered;
        if (!has_more) break;
      }
      onOpenChange(false);
      showToast({ title: count === 0 ? 'Nothing has failed since' : onTheirWay(count) });
      await invalidateProject(projectId, ['deliveries']);
    },
  });
  return (
    <Form form={form} label="Recover failed deliveries">
      <TextField name="since" label="Since" type="datetime-local" hint="UTC" />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Recover" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
