// The state of the editor of a toolset: its fields, what somebody else has saved meanwhile, and how it is saved.

import {
  MAX_TOOLSET_DESCRIPTION,
  MAX_TOOLSET_TOOLS,
  toolsetExposures,
  toolsetFilters,
  toolsetGrants,
} from '@toolgate/contract/toolsets/rules.ts';
import type { Toolset } from '@toolgate/sdk';
import { useLayoutEffect, useState } from 'react';
import * as z from 'zod/mini';
import { invalidateProject, queryClient, useProjectApi, useProjectId } from '../../api/client.ts';
import { type ApiForm, useApiForm } from '../../ui/forms/form.tsx';
import { atMost, resourceName } from '../../ui/forms/schemas.ts';
import { showToast } from '../../ui/toasts.ts';
import { changeOf, type FieldName, mergeEdits, type SingleField, type ToolsetValues, valuesOf } from './edits.ts';

const schema = z.object({
  name: resourceName,
  description: z.string().check(z.trim(), atMost(MAX_TOOLSET_DESCRIPTION)),
  tool_ids: z
    .array(z.string())
    .check(z.maxLength(MAX_TOOLSET_TOOLS, `Pick at most ${MAX_TOOLSET_TOOLS} tools. A tag takes any number of them.`)),
  tags: z.array(z.string()),
  only: z.nullable(z.enum(toolsetFilters)),
  grant: z.enum(toolsetGrants),
  exposure: z.enum(toolsetExposures),
  pinned_tool_ids: z.array(z.string()),
});

/** What somebody else saved while there were edits here. */
export type Meanwhile = { theirs: FieldName[]; conflicts: SingleField[] };

const NOTHING: Meanwhile = { theirs: [], conflicts: [] };

export type ToolsetForm = {
  form: ApiForm<ToolsetValues>;
  values: ToolsetValues;
  stored: ToolsetValues;
  meanwhile: Meanwhile;
  /** Takes what is stored for a field that both have changed. */
  useTheirs(field: SingleField): void;
  discard(): void;
};

export function useToolsetForm(toolset: Toolset): ToolsetForm {
  const stored = valuesOf(toolset);
  const [base, setBase] = useState(stored);
  const [meanwhile, setMeanwhile] = useState(NOTHING);
  const save = useSave(toolset.id);
  const form = useApiForm<ToolsetValues>({
    schema,
    defaults: stored,
    submit: async (values) => {
      const saved = await save(base, values);
      if (!saved) return;
      setBase(valuesOf(saved));
      form.reset(valuesOf(saved));
      setMeanwhile(NOTHING);
      showToast({ title: `“${saved.name}” saved` });
    },
  });
  // Before the page is painted: else what is stored now would look like an edit.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for `stored`, which each render creates again
  useLayoutEffect(() => {
    const { values, conflicts, theirs } = mergeEdits(base, form.getValues(), stored);
    if (theirs.length === 0) return;
    const hasEdits = Object.keys(changeOf(base, form.getValues())).length > 0;
    form.reset(values);
    setBase(stored);
    if (hasEdits) setMeanwhile((last) => addTo(last, { theirs, conflicts }));
  }, [JSON.stringify(stored)]);
  return {
    form,
    values: form.watch(),
    stored,
    meanwhile,
    useTheirs: (field) => {
      form.setValue(field, stored[field]);
      setMeanwhile(({ theirs, conflicts }) => ({ theirs, conflicts: conflicts.filter((each) => each !== field) }));
    },
    discard: () => {
      form.reset(stored);
      setMeanwhile(NOTHING);
    },
  };
}

const addTo = (last: Meanwhile, next: Meanwhile): Meanwhile => ({
  theirs: [...new Set([...last.theirs, ...next.theirs])],
  conflicts: [...new Set([...last.conflicts, ...next.conflicts])],
});

/**
 * Reads the toolset again, puts both edits together, and sends what differs. A field that both have changed is sent only once the
 * person has seen the other value: then nothing is sent now, and null is returned.
 */
function useSave(id: string): (base: ToolsetValues, values: ToolsetValues) => Promise<Toolset | null> {
  const api = useProjectApi();
  const projectId = useProjectId();
  const show = (toolset: Toolset) => queryClient.setQueryData(['projects', projectId, 'toolsets', 'one', id], toolset);
  return async (base, values) => {
    const latest = await api.toolsets.get(id);
    const merged = mergeEdits(base, values, valuesOf(latest));
    if (merged.conflicts.length > 0) {
      show(latest);
      return null;
    }
    const saved = await api.toolsets.update(id, changeOf(valuesOf(latest), merged.values));
    show(saved);
    await invalidateProject(projectId, ['toolsets', 'effective-tools']);
    return saved;
  };
}
