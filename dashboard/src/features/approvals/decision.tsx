// Approve or decline, with a reason.

import { MAX_REASON_LENGTH } from '@toolgate/contract/approvals/rules.ts';
import type { Approval } from '@toolgate/sdk';
import { Check, X } from 'lucide-react';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextareaField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { atMost } from '../../ui/forms/schemas.ts';
import { Section } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useReasonNotToDecide } from './queries.ts';

const schema = z.object({
  reason: z.string().check(z.trim(), atMost(MAX_REASON_LENGTH)),
  /** Set by the button that submits the form. */
  choice: z.enum(['approve', 'decline']),
});

const done = { approve: 'Call approved', decline: 'Call declined' };

export function Decision({ approval }: { approval: Approval }) {
  const refusal = useReasonNotToDecide(approval);
  return (
    <Section title="Decision">
      {refusal ? <p className="text-muted">{refusal}</p> : <DecisionForm approvalId={approval.id} />}
    </Section>
  );
}

function DecisionForm({ approvalId }: { approvalId: string }) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema,
    defaults: { reason: '', choice: 'decline' },
    submit: async ({ choice, reason }) => {
      try {
        await api.approvals[choice](approvalId, { reason: reason || null });
        showToast({ title: done[choice] });
      } finally {
        // Also after a refusal: somebody else may have decided.
        await invalidateProject(projectId, ['approvals']);
      }
    },
  });
  const { isSubmitting } = form.formState;
  const button = (choice: keyof typeof done) => ({
    type: 'submit' as const,
    busy: isSubmitting && form.getValues('choice') === choice,
    disabled: isSubmitting,
    onClick: () => form.setValue('choice', choice),
  });
  return (
    <Form form={form} label="Decision">
      <TextareaField name="reason" label="Reason" rows={2} hint="Optional. Whoever made the call sees it." />
      <FormFailure failure={form.failure} />
      <div className="flex flex-wrap gap-2">
        <Button look="solid" {...button('approve')}>
          <Check /> Approve
        </Button>
        <Button {...button('decline')}>
          <X /> Decline
        </Button>
      </div>
    </Form>
  );
}
