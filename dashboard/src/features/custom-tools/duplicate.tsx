// The dialog that copies a tool, for a name, description or arguments that only some callers should see.

import { useNavigate } from '@tanstack/react-router';
import { TOOL_NAME, TOOL_NAME_RULE } from '@toolgate/contract/custom-tools/rules.ts';
import type { CustomTool } from '@toolgate/sdk';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { showToast } from '../../ui/toasts.ts';
import { TOOLSET_RESOURCES } from '../tool-access/toolsets.ts';

const schema = z.object({ name: z.string().check(z.trim(), z.regex(TOOL_NAME, `The name ${TOOL_NAME_RULE}`)) });
const MAX_LENGTH = 64;
const SUFFIX = '_copy';

type Props = { tool: CustomTool; open: boolean; onOpenChange: (open: boolean) => void };

export function DuplicateToolDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={`Duplicate “${props.tool.name}”`}
      description="The copy has the same definition, tags and secret, and is disabled. Edit it for its audience, then enable it."
    >
      <DuplicateForm {...props} />
    </Dialog>
  );
}

function DuplicateForm({ tool, onOpenChange }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const navigate = useNavigate();
  const form = useApiForm({
    schema,
    defaults: { name: tool.name.slice(0, MAX_LENGTH - SUFFIX.length) + SUFFIX },
    submit: async ({ name }) => {
      const { id: toolId } = await api.customTools.duplicate(tool.id, { name });
      onOpenChange(false);
      showToast({ title: `“${name}” is a copy of “${tool.name}”, and disabled` });
      await navigate({ to: '/projects/$projectId/custom-tools/$toolId', params: { projectId, toolId } });
      await invalidateProject(projectId, ['custom-tools', ...TOOLSET_RESOURCES]);
    },
  });
  return (
    <Form form={form} label="Duplicate tool">
      <TextField
        name="name"
        label="Name"
        autoComplete="off"
        spellCheck={false}
        hint="The name that models call it by."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Duplicate" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
