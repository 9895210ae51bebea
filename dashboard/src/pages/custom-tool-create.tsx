// The dialog that creates a tool.

import { invalidateProject, useProjectApi, useProjectId } from '../api.ts';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { showToast } from '../toasts.ts';
import { ToolFieldset } from './custom-tool-form.tsx';
import { fieldsOf, toolSchema, valuesOf } from './custom-tool-values.ts';

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
  const form = useApiForm({
    schema: toolSchema,
    defaults: valuesOf(null),
    submit: async (values) => {
      const { name } = await api.customTools.create(fieldsOf(values, null));
      onOpenChange(false);
      showToast({ title: `“${name}” is created` });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  return (
    <Form form={form} label="Create tool" className="gap-6">
      <ToolFieldset tool={null} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
