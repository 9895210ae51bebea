// Beside the form of a tool: the request that a call would send, as it follows from what is typed. Nothing is sent or saved.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Toolgate, ToolgateError } from '@toolgate/sdk';
import { useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { projectApi, useProjectId } from '../../../api/client.ts';
import { useAccess } from '../../../api/session.ts';
import { cn } from '../../../ui/class-names.ts';
import { controlClass, Field } from '../../../ui/forms/field.tsx';
import { jsonProblem } from '../../../ui/forms/json.tsx';
import { useLater } from '../../../ui/later.ts';
import { cardClass } from '../../../ui/section.tsx';
import { ErrorAlert } from '../../../ui/states.tsx';
import { parseSchema } from '../rules.ts';
import { requestOf, type ToolValues } from '../values.ts';
import { sampleArguments } from './sample.ts';
import { type RequestProblem, RequestProblems, RequestSkeleton, RequestView } from './view.tsx';

type Given = Parameters<Toolgate['customTools']['previewDefinition']>[0];

/** In production only external ids that begin with this are those of test members. */
const TEST_MEMBER = 'test_ada';

/** `isShown`: whether it is in front. A preview that nobody sees is not asked for; the example values stay. */
export function RequestPanel({ isShown }: { isShown: boolean }) {
  const title = useId();
  const values = useFormContext<ToolValues>().watch();
  const example = useExample(values);
  const reason = useAccess().reason('write');
  const isStarted = values.base_url !== '' && values.endpoint_path !== '';
  return (
    <section
      aria-labelledby={title}
      className={cn(
        cardClass,
        'grid min-w-0 grid-cols-1 gap-4 p-4 xl:sticky xl:top-16 xl:max-h-[calc(100dvh-9rem)] xl:overflow-y-auto',
      )}
    >
      <div>
        <h2 id={title} className="font-semibold">
          Request preview
        </h2>
        <p className="text-muted text-xs">
          {reason ?? 'What your API gets, with example values. Secrets are not shown, and nothing is sent.'}
        </p>
      </div>
      {reason === undefined && isStarted && isShown && <Preview values={values} example={example.text} />}
      {reason === undefined && !isStarted && (
        <p className="text-muted">Enter the base URL and the endpoint path to see the request.</p>
      )}
      <ExampleField {...example} />
    </section>
  );
}

type Example = { text: string; setText: (text: string | null) => void; isTyped: boolean };

/** Follows the input schema until somebody changes it, and the last schema that was one while it is typed. */
function useExample({ input_schema, fixed_arguments }: ToolValues): Example {
  const [typed, setText] = useState<string | null>(null);
  const [schema, setSchema] = useState(() => parseSchema(input_schema) ?? {});
  const [read, setRead] = useState(input_schema);
  if (read !== input_schema) {
    setRead(input_schema);
    setSchema(parseSchema(input_schema) ?? schema);
  }
  const fixed = Object.fromEntries(fixed_arguments.map(({ name }) => [name, true]));
  const text = typed ?? JSON.stringify(sampleArguments(schema, fixed), null, 2);
  return { text, setText, isTyped: typed !== null };
}

function ExampleField({ text, setText, isTyped }: Example) {
  const startOver = (
    <button type="button" className="text-accent text-xs hover:underline" onClick={() => setText(null)}>
      Start over
    </button>
  );
  return (
    <Field
      label="Example values"
      hint="Made from the input schema. Change them to see another request."
      error={jsonProblem(text) ?? undefined}
      aside={isTyped && startOver}
    >
      {(attributes) => (
        <textarea
          {...attributes}
          rows={Math.min(12, Math.max(3, text.split('\n').length))}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={cn(controlClass, 'py-2 font-mono text-xs leading-5')}
        />
      )}
    </Field>
  );
}

type PreviewProps = { values: ToolValues; example: string };

function Preview({ values, example }: PreviewProps) {
  const request = requestOf(values);
  const given: Given | null =
    'definition' in request && jsonProblem(example) === null
      ? {
          definition: request.definition,
          arguments: JSON.parse(example),
          ...(values.require_member && { member_external_id: TEST_MEMBER }),
        }
      : null;
  const { data, error, isFetching } = usePreview(given);
  const refused = error ? problemsOf(error) : [];
  const incomplete = 'wrong' in request ? request.wrong : [];
  const problems = given
    ? error
      ? refused
      : (data?.problems ?? [])
    : incomplete.map((field) => ({ field, message: 'is not valid yet' }));
  return (
    // What is shown until the next one is there belongs to what was typed before.
    <div aria-busy={isFetching} className={cn('grid grid-cols-1 gap-4', given === null && 'opacity-60')}>
      <RequestProblems problems={problems} />
      {error && refused.length === 0 && <ErrorAlert error={error} />}
      {data ? <RequestView preview={data} /> : given && !error && <RequestSkeleton />}
    </div>
  );
}

/** Asked when nothing has been typed for a moment. Only the response to the last question is shown. */
function usePreview(given: Given | null) {
  const projectId = useProjectId();
  const settled = useLater(given ? JSON.stringify(given) : '');
  return useQuery({
    queryKey: ['projects', projectId, 'tool-preview', settled],
    queryFn: () => projectApi(projectId).customTools.previewDefinition(JSON.parse(settled) as Given),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
}

/** What is wrong with what was typed. Empty for another failure. */
function problemsOf(error: Error): RequestProblem[] {
  if (!(error instanceof ToolgateError) || error.status !== 422) return [];
  const { problems, field } = error.details as { problems?: RequestProblem[]; field?: string };
  const found = problems && problems.length > 0 ? problems : [{ field: field ?? '', message: error.message }];
  return found.map(({ field, message }) => ({ field: field.replace(/^definition\./, ''), message }));
}
