// The tab "Response": what is left of the responses of the tool, beside what it does with a real one.

import type { CustomTool } from '@toolgate/sdk';
import { useMemo } from 'react';
import { invalidateProject, useProjectApi, useProjectId } from '../../../api/client.ts';
import { useAccess } from '../../../api/session.ts';
import { cn } from '../../../ui/class-names.ts';
import { type ApiForm, Form, useApiForm, useStoredValues } from '../../../ui/forms/form.tsx';
import { SaveBar } from '../../../ui/forms/save-bar.tsx';
import { useLeaveWarning } from '../../../ui/leave-warning.ts';
import { cardClass } from '../../../ui/section.tsx';
import { showToast } from '../../../ui/toasts.ts';
import type { TryIt } from '../try/state.ts';
import { ResponseFields } from './fields.tsx';
import { measurePaths } from './paths.ts';
import { ShapedPreview } from './preview.tsx';
import { useSamples } from './sample.ts';
import { useShaped } from './shaped.ts';
import { differences, type ResponseValues, responseOf, responseSchema, valuesOf } from './values.ts';

/** For the page, so that edits stay while another tab is open. */
export function useResponseForm(tool: CustomTool): ApiForm<ResponseValues> {
  const api = useProjectApi();
  const projectId = useProjectId();
  const stored = valuesOf(tool.response);
  const form = useApiForm<ResponseValues>({
    schema: responseSchema,
    defaults: stored,
    submit: async (values) => {
      const saved = await api.customTools.update(tool.id, { response: responseOf(values) });
      form.reset(valuesOf(saved.response));
      showToast({ title: `Saved as version ${saved.version}` });
      await invalidateProject(projectId, ['custom-tools']);
    },
  });
  useStoredValues(form, stored);
  useLeaveWarning(differences(stored, form.watch()).length > 0);
  return form;
}

type Props = { tool: CustomTool; tryIt: TryIt; form: ApiForm<ResponseValues> };

export function ResponseTab({ tool, tryIt, form }: Props) {
  const reason = useAccess().reason('write');
  const stored = valuesOf(tool.response);
  const samples = useSamples(tool.id, tryIt);
  const shaped = useShaped(tool.id, form, samples.sample ?? null);
  const value = samples.sample?.value;
  const left = shaped.preview?.is_json ? shaped.preview.body : null;
  const paths = useMemo(() => measurePaths(value), [value]);
  const leftPaths = useMemo(() => (left === null ? [] : measurePaths(JSON.parse(left))), [left]);
  return (
    <Form form={form} label="Response">
      <p className="max-w-3xl text-muted">
        {reason ??
          'Trim responses before models read them and before they are recorded. Without rules, responses are passed on whole.'}
      </p>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <fieldset disabled={reason !== undefined} className={cn(cardClass, 'min-w-0 p-4')}>
          <ResponseFields tool={tool} paths={paths} leftPaths={leftPaths} />
        </fieldset>
        <ShapedPreview tool={tool} shaped={shaped} samples={samples} tryIt={tryIt} />
      </div>
      <SaveBar form={form} changes={differences(stored, form.watch())} discard={() => form.reset(stored)} />
    </Form>
  );
}
