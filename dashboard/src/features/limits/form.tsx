// The dialogs that create and change a limit.

import {
  limitSubjects,
  MAX_LIMIT,
  MAX_LIMIT_TAGS,
  MAX_LIMIT_TOOLS,
  MAX_OVERRIDES,
} from '@toolgate/contract/limits/rules.ts';
import { TOOL_TAG, TOOL_TAG_RULE } from '@toolgate/contract/toolsets/rules.ts';
import type { CustomTool, Limit } from '@toolgate/sdk';
import { useController, useFormContext } from 'react-hook-form';
import { invalidateProject, useProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { SelectField, TextField, useFieldError } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { PairRows } from '../../ui/forms/pair-rows.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { WordsField } from '../../ui/forms/words-field.tsx';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { showToast } from '../../ui/toasts.ts';
import { useToolsets } from '../tool-access/toolsets.ts';
import { units } from './limits.ts';
import { useSubjects } from './subjects.ts';
import { changesOf, fieldsOf, type LimitValues, limitSchema, type MatchKind, valuesOf } from './values.ts';

/** `limit` null: a new one. */
type Props = { limit: Limit | null; open: boolean; onOpenChange: (open: boolean) => void };

export function LimitDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title={props.limit ? `Edit the limit “${props.limit.name}”` : 'Create limit'}
      description="How many calls pass in any window of time. A call too many is refused before anything is sent to your API."
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
      showToast({ title: `“${name}” is ${limit ? 'saved' : 'created'}` });
      await invalidateProject(projectId, ['limits']);
    },
  });
  return (
    <Form form={form} label={limit ? 'Edit limit' : 'Create limit'} className="gap-5">
      <TextField name="name" label="Name" placeholder="Searches of a member" autoComplete="off" />
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
          hint="As the sum of the weights of their tools"
        />
        <TextField name="window_seconds" label="In" type="number" min={1} hint="Up to one day. The window slides." />
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

function AppliesTo() {
  const { field } = useController<LimitValues, 'applies_to'>({ name: 'applies_to' });
  return (
    <RadioCards<MatchKind>
      legend="Applies to"
      value={field.value}
      onChange={field.onChange}
      error={useFieldError('match')}
      choices={[
        { value: 'all', label: 'Every tool', description: 'Also those that are added later.' },
        { value: 'tool_ids', label: 'Chosen tools', description: 'By name.', content: <ToolsField /> },
        {
          value: 'toolset',
          label: 'A toolset',
          description: 'Its tools, also those that join it later.',
          content: <ToolsetField />,
        },
        {
          value: 'tags',
          label: 'Tags',
          description: 'Tools with one of these tags, also later ones.',
          content: <TagsField />,
        },
      ]}
    />
  );
}

function useTools(): CustomTool[] {
  return (
    useProjectQuery(['custom-tools', 'whole'], (api) => readWhole((page) => api.customTools.list(page))).data?.data ??
    []
  );
}

/** Tools are chosen by name, and sent by id. The id of a tool that is gone stays as it is. */
function ToolsField() {
  const { field } = useController<LimitValues, 'match.tool_ids'>({ name: 'match.tool_ids' });
  const tools = useTools();
  const nameOf = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id;
  const idOf = (name: string) => tools.find((tool) => tool.name === name)?.id ?? name;
  return (
    <WordsField
      label="Tools"
      one="tool"
      value={field.value.map(nameOf)}
      onChange={(names) => field.onChange(names.map(idOf))}
      suggestions={tools.map(({ name }) => name)}
      most={MAX_LIMIT_TOOLS}
      problemOf={(name) => (tools.some((tool) => tool.name === name) ? null : `No tool is called ${name}`)}
      error={useFieldError('match.tool_ids')}
    />
  );
}

function ToolsetField() {
  const toolsets = useToolsets();
  const options = (toolsets ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  return (
    <SelectField
      // A select cannot show an option that is not there yet.
      key={toolsets ? 'loaded' : 'loading'}
      name="match.toolset"
      label="Toolset"
      options={[{ value: '', label: 'Choose one' }, ...options]}
    />
  );
}

function TagsField() {
  const { field } = useController<LimitValues, 'match.tags'>({ name: 'match.tags' });
  const tools = useTools();
  return (
    <WordsField
      label="Tags of tools"
      one="tag"
      value={field.value}
      onChange={field.onChange}
      suggestions={[...new Set(tools.flatMap(({ tags }) => tags))].sort()}
      most={MAX_LIMIT_TAGS}
      problemOf={(tag) => (TOOL_TAG.test(tag) ? null : `A tag ${TOOL_TAG_RULE}`)}
      error={useFieldError('match.tags')}
    />
  );
}

function Overrides() {
  const { watch } = useFormContext<LimitValues>();
  return (
    <PairRows
      name="overrides"
      legend="Other limits for some"
      hint="By the id of the key, integration, client or member; the list offers those with a name."
      one="override"
      labels={['id', 'calls']}
      placeholders={['mem_…', '1000']}
      suggestions={useSubjects(watch('per'))}
      most={MAX_OVERRIDES}
    />
  );
}
