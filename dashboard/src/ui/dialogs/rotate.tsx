// Rotates a secret: the new one is shown once, and the old one ends after an overlap.

import * as z from 'zod/mini';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { SelectField } from '../forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../forms/form.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

type RotateDialogProps<Rotated> = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  /** For the field with the overlap, such as "The old key expires". */
  label: string;
  longest?: Overlap;
  resource: string;
  rotate: (api: ReturnType<typeof useProjectApi>, overlap: { overlap_seconds: number }) => Promise<Rotated>;
  onRotated: (rotated: Rotated) => void;
};

const overlaps = [
  { value: '0', label: 'Now' },
  { value: '3600', label: 'In one hour' },
  { value: '86400', label: 'In 24 hours' },
  { value: '604800', label: 'In 7 days' },
] as const;
type Overlap = (typeof overlaps)[number]['value'];

export function RotateDialog<Rotated>(props: RotateDialogProps<Rotated>) {
  const { open, onOpenChange, title, description } = props;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description}>
      <RotateForm {...props} />
    </Dialog>
  );
}

function RotateForm<Rotated>({
  onOpenChange,
  title,
  label,
  longest = '604800',
  resource,
  rotate,
  onRotated,
}: RotateDialogProps<Rotated>) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm({
    schema: z.object({ overlap_seconds: z.string() }),
    defaults: { overlap_seconds: '86400' },
    submit: async ({ overlap_seconds }) => {
      const rotated = await rotate(api, { overlap_seconds: Number(overlap_seconds) });
      onOpenChange(false);
      onRotated(rotated);
      await invalidateProject(projectId, [resource]);
    },
  });
  const options = overlaps.filter(({ value }) => Number(value) <= Number(longest));
  return (
    <Form form={form} label={title}>
      <SelectField name="overlap_seconds" label={label} options={options} />
      <FormFailure failure={form.failure} />
      <DialogActions submit="Rotate" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}
