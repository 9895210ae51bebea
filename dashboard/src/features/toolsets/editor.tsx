// The editor of a toolset: its tools, how OAuth clients get it, and how a model does.

import type { Toolset } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { cn } from '../../ui/class-names.ts';
import { TextareaField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { type Difference, SaveBar } from '../../ui/forms/save-bar.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { readWhole } from '../../ui/lists/whole-list.ts';
import { cardClass, Section } from '../../ui/section.tsx';
import { ChangedMeanwhile } from './changed-meanwhile.tsx';
import { ExposureFields, GrantField, TagFields } from './choices.tsx';
import { changedFields, type FieldName, labels, type ToolsetValues } from './edits.ts';
import { exposureWords, grantWords } from './facts.tsx';
import { ListCost } from './list-cost.tsx';
import { ToolTable } from './tool-table.tsx';
import { useToolsetForm } from './toolset-form.ts';

export function ToolsetEditor({ toolset }: { toolset: Toolset }) {
  const reason = useAccess().reason('write');
  const isLocked = reason !== undefined;
  const query = useProjectQuery(['custom-tools', 'whole'], (api) => readWhole((page) => api.customTools.list(page)));
  const tools = query.data?.data;
  const { form, values, stored, meanwhile, useTheirs, discard } = useToolsetForm(toolset);
  const nameOf = (id: string) => tools?.find((tool) => tool.id === id)?.name ?? id;
  const changes = differences(stored, values, nameOf);
  useLeaveWarning(changes.length > 0);
  return (
    <Form form={form} label="Edit toolset" className="gap-8">
      {reason && <p className="text-muted">{reason}</p>}
      <Section title="Tools" aside={<ListCost tools={tools} values={values} />}>
        <fieldset disabled={isLocked} className={cn(cardClass, 'mb-3 grid min-w-0 grid-cols-1 gap-5 p-4')}>
          <TagFields tools={tools ?? []} />
        </fieldset>
        <ToolTable query={query} values={values} disabled={isLocked} />
      </Section>
      <Section title="How it is offered">
        <fieldset disabled={isLocked} className={cn(cardClass, 'grid min-w-0 grid-cols-1 gap-6 p-4')}>
          <ExposureFields tools={tools ?? []} values={values} />
          <GrantField slug={toolset.slug} />
        </fieldset>
      </Section>
      <Section title="Name and description">
        <fieldset disabled={isLocked} className={cn(cardClass, 'grid min-w-0 max-w-3xl grid-cols-1 gap-4 p-4')}>
          <TextField name="name" label="Name" autoComplete="off" />
          <TextareaField
            name="description"
            label="Description"
            rows={2}
            hint="People see it when they approve an app. Up to 512 characters."
          />
        </fieldset>
      </Section>
      <SaveBar
        form={form}
        changes={changes}
        discard={discard}
        notice={<ChangedMeanwhile meanwhile={meanwhile} stored={stored} onUseTheirs={useTheirs} />}
      />
    </Form>
  );
}

function differences(before: ToolsetValues, after: ToolsetValues, nameOf: (id: string) => string): Difference[] {
  return changedFields(before, after).map((name) => ({
    name,
    label: labels[name],
    ...(isList(name) ? listChange(before[name], after[name], nameOf) : singleChange(name, before, after)),
  }));
}

const isList = (name: FieldName) => name === 'tool_ids' || name === 'tags' || name === 'pinned_tool_ids';

/** Hundreds may be picked, so only what is removed and what is added is named. */
function listChange(before: string[], after: string[], nameOf: (id: string) => string) {
  const names = (list: string[], others: string[]) => list.filter((each) => !others.includes(each)).map(nameOf);
  return { before: names(before, after).join(', ') || 'none', after: names(after, before).join(', ') || 'none' };
}

function singleChange(name: FieldName, before: ToolsetValues, after: ToolsetValues) {
  const inWords = (values: ToolsetValues) => {
    if (name === 'grant') return grantWords[values.grant];
    if (name === 'exposure') return exposureWords[values.exposure];
    if (name === 'only') return values.only === null ? 'off' : 'on';
    return String(values[name]) || 'none';
  };
  return { before: inWords(before), after: inWords(after) };
}
