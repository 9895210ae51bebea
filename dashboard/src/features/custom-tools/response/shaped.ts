// What the rule of the form leaves of a real response. The server shapes it, with the code that shapes the responses of calls.

import { useQuery } from '@tanstack/react-query';
import type { ToolResponsePreview } from '@toolgate/sdk';
import { useEffect } from 'react';
import { slowProjectApi, useProjectId } from '../../../api/client.ts';
import { type ApiForm, showAtFields } from '../../../ui/forms/form.tsx';
import { useLater } from '../../../ui/later.ts';
import type { Sample } from './sample.ts';
import { type ResponseValues, responseOf } from './values.ts';

/** `preview`: the last one that the server made, until there is another. */
export type ShapedResponse = { preview: ToolResponsePreview | undefined; error: Error | null; isFetching: boolean };

/** The rule of the form, when nobody has typed for a moment. A refusal is shown at the fields, as if it were saved. */
export function useShaped(toolId: string, form: ApiForm<ResponseValues>, sample: Sample | null): ShapedResponse {
  const projectId = useProjectId();
  const rule = useLater(JSON.stringify(responseOf(form.watch())));
  const { data, error, isFetching } = useQuery({
    queryKey: ['projects', projectId, 'response-preview', toolId, sample?.id, rule],
    queryFn: () =>
      slowProjectApi(projectId).customTools.previewResponse(toolId, {
        body: sample?.text ?? '',
        response: JSON.parse(rule),
      }),
    enabled: sample !== null,
    placeholderData: (before) => before,
    // A response may be large: it is not kept when the page is left.
    gcTime: 0,
    retry: false,
  });
  const { clearErrors, getValues, setError } = form;
  useEffect(() => {
    clearErrors();
    showAtFields({ getValues, setError }, error);
  }, [clearErrors, getValues, setError, error]);
  return { preview: data, error, isFetching };
}
