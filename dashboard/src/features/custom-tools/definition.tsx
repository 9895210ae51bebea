// The tab "Definition": the form of the tool.

import type { CustomTool } from '@toolgate/sdk';
import { invalidateProject, useProjectApi, useProjectId } from '../../api/client.ts';
import { useAccess } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { useApiForm, useStoredValues } from '../../ui/forms/form.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { useFilters } from '../../ui/search.ts';
import { showToast } from '../../ui/toasts.ts';
import { ToolEditor } from './editor.tsx';
import { changesOf, type ToolValues, toolSchema, valuesOf } from './values.ts';

export const DEFINITION_TAB = 'definition';

export function DefinitionTab({ tool }: { tool: CustomTool }) {
  const api = useProjectApi();
  const projectId = useProjectId();
  const { tab = DEFINITION_TAB } = useFilters().values;
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
  const { isDirty, dirtyFields, isSubmitting } = form.formState;
  useLeaveWarning(isDirty);
  const changed = Object.keys(dirtyFields).map((name) => name.replaceAll('_', ' '));
  const discard = () => {
    form.clearFailure();
    form.reset(valuesOf(tool));
  };
  return (
    <ToolEditor
      form={form}
      tool={tool}
      label="Definition"
      disabledReason={useAccess().reason('write')}
      isShown={tab === DEFINITION_TAB}
      status={
        isDirty ? `Changed: ${changed.join(', ')}` : 'Saving creates a new version. Changes take effect immediately.'
      }
    >
      {isDirty && <Button onClick={discard}>Discard</Button>}
      <Button type="submit" look="solid" needs="write" busy={isSubmitting} className="min-w-20">
        Save
      </Button>
    </ToolEditor>
  );
}
