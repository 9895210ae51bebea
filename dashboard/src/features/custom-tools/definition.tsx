// The tab "Definition": the form of the tool, with a bar to save when something changed.

import type { CustomTool } from '@toolgate/sdk';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { type ApiForm, Form, FormFailure, useApiForm, useStoredValues } from '../../ui/forms/form.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { cardClass } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.ts';
import { ToolFieldset } from './form.tsx';
import { changesOf, type ToolValues, toolSchema, valuesOf } from './values.ts';

export function DefinitionTab({ tool }: { tool: CustomTool }) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const reason = useAccess().reason('write');
  const form = useApiForm<ToolValues>({
    schema: toolSchema,
    defaults: valuesOf(tool),
    submit: async (values) => {
      const changes = changesOf(values, tool);
      if (Object.keys(changes).length === 0) {
        form.reset(valuesOf(tool));
        return;
      }
      const saved = await api.customTools.update(tool.id, changes);
      form.reset(valuesOf(saved));
      showToast({ title: saved.version === tool.version ? 'Saved' : `Saved as version ${saved.version}` });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  useStoredValues(form, valuesOf(tool));
  useLeaveWarning(form.formState.isDirty);
  return (
    <Form form={form} label="Definition" className="max-w-3xl">
      {reason && <p className="text-muted">{reason}</p>}
      <fieldset disabled={reason !== undefined} className={cn(cardClass, 'min-w-0 p-5')}>
        <ToolFieldset tool={tool} />
      </fieldset>
      <FormFailure failure={form.failure} />
      <SaveBar form={form} reset={() => form.reset(valuesOf(tool))} />
    </Form>
  );
}

function SaveBar({ form, reset }: { form: ApiForm<ToolValues>; reset: () => void }) {
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  const changed = Object.keys(dirtyFields).map((name) => name.replaceAll('_', ' '));
  return (
    <div
      className={cn(
        'flex flex-wrap items-center justify-end gap-2',
        isDirty && 'sticky bottom-3 rounded-lg border border-line-strong bg-raised p-3 shadow-pop',
      )}
    >
      <span className="min-w-0 flex-1 truncate text-muted text-xs">
        {isDirty ? `Changed: ${changed.join(', ')}` : 'Saving creates a new version. Changes take effect immediately.'}
      </span>
      {isDirty && <Button onClick={reset}>Discard</Button>}
      <Button type="submit" look="solid" needs="write" busy={isSubmitting} className="min-w-20">
        Save
      </Button>
    </div>
  );
}
