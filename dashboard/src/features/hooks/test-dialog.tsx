// Asks a hook about a call of the log, or about a sample, and shows what it decided and how long it took.

import type { HookPoint } from '@toolgate/contract/hooks/rules.ts';
import type { Hook, HookTest, ToolCall } from '@toolgate/sdk';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { slowProjectApi, useProjectId, useProjectQuery } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Form, FormFailure, useApiForm } from '../../ui/forms/form.tsx';
import { JsonField, jsonProblem } from '../../ui/forms/json.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ErrorAlert } from '../../ui/states.tsx';
import { exactTime } from '../../ui/time.tsx';
import { useTools } from '../tool-access/tools.ts';
import { pointWords } from './hooks.ts';
import { HookTestResult } from './test-result.tsx';

type Props = { hook: Hook; open: boolean; onOpenChange: (open: boolean) => void };

export function TestHookDialog(props: Props) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      size="lg"
      title="Test hook"
      description="Sends the hook a sample request, marked as a test. Nothing is sent to your API."
    >
      <TestCalls {...props} />
    </Dialog>
  );
}

const CALLS = 50;

function TestCalls(props: Props) {
  const query = useProjectQuery(['tool-calls', 'for-hooks'], (api) => api.toolCalls.list({ limit: CALLS }));
  if (query.error) return <ErrorAlert error={query.error} />;
  if (!query.data) return <Skeleton className="h-64 w-full" />;
  return <TestForm {...props} calls={query.data.data} />;
}

const isJson = z.refine<string>((text) => text === '' || jsonProblem(text) === null, 'This is not JSON');
const schema = z.object({
  /** The id of a call, or of a tool. */
  about: z.string().check(z.minLength(1, 'Choose a call or a tool')),
  point: z.string(),
  arguments: z.string().check(isJson),
  result: z.string().check(isJson),
});
type Values = z.infer<typeof schema>;

function TestForm({ hook, onOpenChange, calls }: Props & { calls: ToolCall[] }) {
  const projectId = useProjectId();
  const [tested, setTested] = useState<HookTest | null>(null);
  const form = useApiForm<Values>({
    schema,
    defaults: { about: calls[0]?.id ?? '', point: hook.points[0] ?? 'before', arguments: '', result: '' },
    submit: async (values) => {
      setTested(null);
      setTested(await slowProjectApi(projectId).hooks.test(hook.id, requestOf(values)));
    },
  });
  return (
    <Form form={form} label="Test hook">
      <About calls={calls} />
      <SelectField
        name="point"
        label="When"
        options={hook.points.map((point) => ({ value: point, label: pointWords[point] }))}
      />
      <Sample />
      <FormFailure failure={form.failure} />
      {tested && <HookTestResult tested={tested} />}
      <DialogActions submit="Test" busy={form.formState.isSubmitting} onCancel={() => onOpenChange(false)} />
    </Form>
  );
}

function requestOf({ about, point, ...given }: Values) {
  const name = point === 'before' ? 'arguments' : 'result';
  return {
    ...(about.startsWith('call_') ? { call_id: about } : { tool_id: about }),
    point: point as HookPoint,
    ...(given[name] !== '' && { [name]: JSON.parse(given[name]) }),
  };
}

function About({ calls }: { calls: ToolCall[] }) {
  const tools = useTools();
  const options = [
    { value: '', label: 'Choose one' },
    ...calls.map(({ id, tool_name, created_at }) => ({
      value: id,
      label: `Call of ${tool_name}, ${exactTime(created_at)}`,
    })),
    ...tools.map(({ id, name }) => ({ value: id, label: `A sample for ${name}` })),
  ];
  return <SelectField name="about" label="Call" options={options} hint={`The last ${CALLS} calls, or a tool.`} />;
}

/** What is sent instead of what was recorded; only one of the two is. */
function Sample() {
  const { watch } = useFormContext<Values>();
  const hint = watch('about').startsWith('call_')
    ? 'Leave it empty to send the recorded arguments and result.'
    : 'Arguments that a caller could have sent.';
  return watch('point') === 'before' ? (
    <JsonField name="arguments" label="Arguments" rows={4} hint={hint} />
  ) : (
    <JsonField name="result" label="Result" rows={4} hint={hint} />
  );
}
