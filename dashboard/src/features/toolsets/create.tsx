// The dialog that creates a toolset. Its tools are chosen on the page that opens then.

import { MAX_TOOLSET_DESCRIPTION, TOOLSET_SLUG, TOOLSET_SLUG_RULE } from '@toolgate/contract/toolsets/rules.ts';
import type { Toolset } from '@toolgate/sdk';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { atMost, resourceName } from '../../ui/forms/schemas.ts';
import { slugOf } from './slug.ts';

const schema = z.object({
  name: resourceName,
  slug: z.string().check(z.trim(), z.regex(TOOLSET_SLUG, `The slug ${TOOLSET_SLUG_RULE}`)),
  description: z.string().check(z.trim(), atMost(MAX_TOOLSET_DESCRIPTION)),
});

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onCreated: (toolset: Toolset) => void };

export function CreateToolsetDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Create toolset"
      description="Name it after its audience or task. You choose its tools next."
    >
      <CreateForm {...props} />
    </Dialog>
  );
}

function CreateForm({ onOpenChange, onCreated }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema,
    defaults: { name: '', slug: '', description: '' },
    submit: async ({ name, slug, description }) => {
      const created = await api.toolsets.create({ name, slug, description: description || null });
      onCreated(created);
      await invalidateProject(projectId, ['toolsets']);
    },
  });
  const name = form.watch('name') ?? '';
  const isOwnSlug = form.formState.dirtyFields.slug === true;
  const { setValue } = form;
  useEffect(() => {
    if (!isOwnSlug) setValue('slug', slugOf(name));
  }, [name, isOwnSlug, setValue]);
  return (
    <Form form={form} label="Create toolset">
      <TextField name="name" label="Name" autoComplete="off" placeholder="Support staff" />
      <TextField
        name="slug"
        label="Slug"
        autoComplete="off"
        spellCheck={false}
        placeholder="support-staff"
        hint="Part of the MCP URL and the OAuth scope. It can't be changed later."
      />
      <TextareaField
        name="description"
        label="Description"
        rows={2}
        hint="People see it when they approve an app. Up to 512 characters."
      />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Create" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
