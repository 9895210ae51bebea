// Creates a project, and opens it.

import { useNavigate } from '@tanstack/react-router';
import { environments } from '@toolgate/contract/projects/rules.ts';
import * as z from 'zod/mini';
import { queryClient, toolgate } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { resourceName } from '../../ui/forms/schemas.ts';
import { showHidden } from '../../ui/words.ts';
import { environmentOptions } from './environments.ts';
import { projectsQuery } from './queries.ts';

const schema = z.object({
  name: resourceName,
  environment: z.enum(environments),
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
            {name ? `“${showHidden(name)}” gets` : 'It gets'} an id such as <code>prj_••••••••</code>, which never
            changes.
          </>
        }
      />
      <SelectField
        name="environment"
        label="Environment"
        options={environmentOptions}
        hint="Production identifies members by signed assertions only. You can change it later."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
