// The dialog that creates a tool. What was typed is kept as a draft, and the tool that was created is opened where it is tried.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccount } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { showToast } from '../../ui/toasts.ts';
import { isUnchanged, toolDraft } from './draft.ts';
import { ToolFieldset } from './form.tsx';
import { fieldsOf, type ToolValues, toolSchema, valuesOf } from './values.ts';

type CreateProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateToolDialog(props: CreateProps) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Create tool"
      description="One endpoint of your API that models may call."
    >
      <CreateToolForm {...props} />
    </Dialog>
  );
}

function CreateToolForm({ onOpenChange }: CreateProps) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const navigate = useNavigate();
  const draft = useToolDraft();
  const [kept, setKept] = useState(() => draft.read());
  const form = useApiForm({
    schema: toolSchema,
    defaults: kept ?? valuesOf(null),
    submit: async (values) => {
      const { id, name } = await api.customTools.create(fieldsOf(values, null));
      draft.remove();
      showToast({ title: `“${name}” is created` });
      await navigate({
        to: '/projects/$projectId/custom-tools/$toolId',
        params: { projectId, toolId: id },
        search: { tab: 'try-it' },
      });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  const { watch } = form;
  useEffect(() => {
    const { unsubscribe } = watch((values) => draft.save(values as ToolValues));
    return unsubscribe;
  }, [watch, draft]);
  const discard = () => {
    draft.remove();
    setKept(null);
    form.clearFailure();
    form.reset(valuesOf(null));
  };
  return (
    <Form form={form} label="Create tool" className="gap-6">
      {kept && (
        <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-accent text-xs">
          This is your draft. This browser keeps it until you create the tool or discard it. Secrets aren't kept.
        </p>
      )}
      <ToolFieldset tool={null} />
      <FormFailure failure={form.failure} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {!isUnchanged(watch()) && <DiscardDraft onDiscard={discard} />}
        <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
      </div>
    </Form>
  );
}

function useToolDraft() {
  const accountId = useAccount()?.id ?? '';
  const projectId = useProjectId();
  return useMemo(() => toolDraft(accountId, projectId), [accountId, projectId]);
}

/** Closing the dialog keeps the draft; only this loses it, so it asks. */
function DiscardDraft({ onDiscard }: { onDiscard: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" className="mr-auto" onClick={() => setOpen(true)}>
        Discard draft
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Discard the draft of this tool?"
        action="Discard"
        onConfirm={async () => onDiscard()}
      >
        Your input is deleted. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
