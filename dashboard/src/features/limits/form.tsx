// The dialogs that create and change a limit.

import { limitSubjects, MAX_LIMIT, MAX_OVERRIDES } from '@toolgate/contract/limits/rules.ts';
import type { Limit } from '@toolgate/sdk';
import { useFormContext } from 'react-hook-form';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { PairRows } from '../../ui/forms/pair-rows.tsx';
import { showToast } from '../../ui/toasts.ts';
import { AppliesTo } from '../tool-access/match-fields.tsx';
import { units } from './limits.ts';
import { useSubjects } from './subjects.ts';
import { changesOf, fieldsOf, type LimitValues, limitSchema, valuesOf } from './values.ts';

/** `limit` null: a new one. */
type Props = { limit: Limit | null; open: boolean; onOpenChange: (open: boolean) => void };

export function LimitDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title={props.limit ? `Edit the limit “${props.limit.name}”` : 'Create limit'}
      description="How many calls are allowed in any window of time. Calls over the limit are refused before anything is sent to your API."
    >
      <LimitForm {...props} />
    </Dialog>
  );
}

function LimitForm({ limit, onOpenChange }: Props) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const form = useApiForm<LimitValues>({
    schema: limitSchema,
    defaults: valuesOf(limit),
    submit: async (values) => {
      const { name } = limit
        ? await api.limits.update(limit.id, changesOf(values, limit))
        : await api.limits.create(fieldsOf(values));
      onOpenChange(false);
      showToast({ title: `“${name}” ${limit ? 'saved' : 'created'}` });
      await invalidateProject(projectId, ['limits']);
    },
  });
  return (
    <Form form={form} label={limit ? 'Edit limit' : 'Create limit'} className="gap-5">
      <TextField name="name" label="Name" placeholder="Searches per member" autoComplete="off" />
      <AppliesTo />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          name="per"
          label="Counted for"
          options={subjects}
          hint="Calls without such a caller are not counted."
        />
        <TextField
          name="limit"
          label="Calls"
          type="number"
          min={1}
          max={MAX_LIMIT}
          hint="The total weight of the calls"
        />
        <TextField
          name="window_seconds"
          label="In"
          type="number"
          min={1}
          hint="Up to one day. This is a sliding window."
        />
        <SelectField name="unit" label="Unit" options={[...units]} />
      </div>
      <Overrides />
      <FormFailure failure={form.failure} />
      <DialogActions
        submit={limit ? 'Save' : 'Create'}
        busy={form.formState.isSubmitting}
        onCancel={() => onOpenChange(false)}
      />
    </Form>
  );
}

const subjects = optionsOf(limitSubjects, {
  project: 'The whole project',
  api_key: 'Each API key',
  integration: 'Each integration',
  oauth_client: 'Each OAuth client',
  member: 'Each member',
});

function Overrides() {
  const { watch } = useFormContext<LimitValues>();
  return (
    <PairRows
      name="overrides"
      legend="Overrides"
      hint="Different limits for single callers, by the id of the key, integration, client or member. The list suggests those with a name."
      one="override"
      labels={['id', 'calls']}
      placeholders={['mem_…', '1000']}
      suggestions={useSubjects(watch('per'))}
      most={MAX_OVERRIDES}
    />
  );
}
