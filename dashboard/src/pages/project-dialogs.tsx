// Creates a project, and opens it.

import { useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../api.ts';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Form, FormFailure, useApiForm } from '../components/form.tsx';
import { projectsQuery } from '../projects.ts';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name'), z.maxLength(128, 'Use at most 128 characters')),
  environment: z.enum(['development', 'production']),
});

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateProjectDialog(props: DialogProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Create project">
      <CreateProjectForm {...props} />
    </Dialog>
  );
}

function CreateProjectForm({ onOpenChange }: DialogProps) {
  const navigate = useNavigate();
  const form = useApiForm({
    schema,
    defaults: { name: '', environment: 'development' },
    submit: async (fields) => {
      const { id } = await toolgate.projects.create(fields);
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate({ to: '/projects/$projectId', params: { projectId: id } });
    },
  });
  const name = form.watch('name').trim();
  return (
    <Form form={form} label="Create project">
      <TextField
        name="name"
        label="Name"
        autoComplete="off"
        placeholder="My project"
        hint={
          <>
            {name ? `“${name}” gets` : 'It gets'} an id such as <code>prj_••••••••</code>, which never changes.
          </>
        }
      />
      <SelectField
        name="environment"
        label="Environment"
        options={[
          { value: 'development', label: 'Development' },
          { value: 'production', label: 'Production' },
        ]}
        hint="Production identifies members by signed assertions only. You can change it later."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
