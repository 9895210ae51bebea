// Changes which tools something sees that has no other form, such as an API key.

import type { Toolgate } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ToolsetsField, toolsetIdsSchema } from './picker.tsx';
import { TOOLSET_RESOURCES } from './toolsets.ts';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  name: string;
  toolsetIds: readonly string[] | null;
  /** Its list is read again. */
  resource: string;
  save: (api: Toolgate, toolset_ids: string[] | null) => Promise<unknown>;
};

export function ToolsetsDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={`Tools of “${props.name}”`}
      description="Other tools can't be listed or called. Changes take effect within a second."
    >
      <ToolsetsForm {...props} />
    </Dialog>
  );
}

function ToolsetsForm({ onOpenChange, name, toolsetIds, resource, save }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: z.object({ toolset_ids: toolsetIdsSchema }),
    defaults: { toolset_ids: toolsetIds && [...toolsetIds] },
    submit: async ({ toolset_ids }) => {
      await save(api, toolset_ids);
      onOpenChange(false);
      showToast({ title: `Tools of “${name}” saved` });
      await invalidateProject(projectId, [resource, ...TOOLSET_RESOURCES]);
    },
  });
  return (
    <Form form={form} label="Tools">
      <ToolsetsField />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Save" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
