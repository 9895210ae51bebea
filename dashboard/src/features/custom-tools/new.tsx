// The page that creates a tool. What was typed is kept as a draft, and the tool that was created is opened where it is tried.

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccess, useAccount } from '../../api/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { useApiForm } from '../../ui/forms/form.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { NoAccess } from '../../ui/no-access.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { showToast } from '../../ui/toasts.ts';
import { isUnchanged, toolDraft } from './draft.ts';
import { ToolEditor } from './editor.tsx';
import { ToolsLink } from './facts.tsx';
import { fieldsOf, type ToolValues, toolSchema, valuesOf } from './values.ts';

export function NewToolPage() {
  const isAllowed = useAccess().can('write');
  return (
    <>
      <PageHeader
        title="Create tool"
        above={<ToolsLink />}
        description="One endpoint of your API that models may call."
      />
      {isAllowed ? <NewToolForm /> : <NoAccess what="the form of a new tool" needs="write" />}
    </>
  );
}

function NewToolForm() {
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
      showToast({ title: `“${name}” created` });
      await navigate({
        to: '/projects/$projectId/custom-tools/$toolId',
        params: { projectId, toolId: id },
        search: { tab: 'try-it' },
        ignoreBlocker: true,
      });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  const { watch, setFocus } = form;
  useEffect(() => {
    const { unsubscribe } = watch((values) => draft.save(values as ToolValues));
    return unsubscribe;
  }, [watch, draft]);
  useEffect(() => setFocus('name'), [setFocus]);
  const values = watch();
  const isChanged = !isUnchanged(values);
  // Only what no draft has is lost.
  useLeaveWarning(
    isChanged,
    values.encrypted_auth_secret === '' ? null : 'Leave? The draft is kept, but without its secret.',
  );
  const discard = () => {
    draft.remove();
    setKept(null);
    form.clearFailure();
    form.reset(valuesOf(null));
  };
  return (
    <>
      {kept && (
        <p role="status" className="mb-4 rounded-md bg-accent-soft px-3 py-2 text-accent text-xs">
          This is your draft. This browser keeps it until you create the tool or discard it. Secrets aren't kept.
        </p>
      )}
      <ToolEditor
        form={form}
        tool={null}
        label="Create tool"
        status={isChanged && 'This browser keeps a draft, without the secret.'}
      >
        {isChanged && <DiscardDraft onDiscard={discard} />}
        <ButtonLink to="/projects/$projectId/custom-tools" params={{ projectId }}>
          Cancel
        </ButtonLink>
        <Button type="submit" look="solid" busy={form.formState.isSubmitting} className="min-w-20">
          Create
        </Button>
      </ToolEditor>
    </>
  );
}

function useToolDraft() {
  const accountId = useAccount()?.id ?? '';
  const projectId = useProjectId();
  return useMemo(() => toolDraft(accountId, projectId), [accountId, projectId]);
}

/** Leaving the page keeps the draft; only this loses it, so it asks. */
function DiscardDraft({ onDiscard }: { onDiscard: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" onClick={() => setOpen(true)}>
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
