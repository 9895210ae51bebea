// The fields of `response`: what is kept of a response, how much of it, and what is replaced.

import { detectorNames, MAX_PATHS } from '@toolgate/contract/custom-tools/response-paths.ts';
import type { CustomTool } from '@toolgate/sdk';
import { Plus } from 'lucide-react';
import { useController, useFormContext } from 'react-hook-form';
import { CheckboxCard, TextField, useFieldError } from '../../../ui/forms/field.tsx';
import { PairRows } from '../../../ui/forms/pair-rows.tsx';
import { WordsField } from '../../../ui/forms/words-field.tsx';
import type { MeasuredPath } from './paths.ts';
import { detectorTexts, pathProblem, type ResponseValues, redactProblem } from './values.ts';

const MOST_OFFERED = 8;

/** `paths`: of the whole response; `leftPaths`: of what the rule leaves of it. */
type Props = { tool: CustomTool; paths: MeasuredPath[]; leftPaths: MeasuredPath[] };

export function ResponseFields({ tool, paths, leftPaths }: Props) {
  const names = paths.map(({ path }) => path);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5">
      <PathsField
        name="select"
        label="Select"
        one="path to keep"
        hint="Only these parts are kept. If the list is empty, everything is kept. items[].id is a field of each item, * is any field, ** is any number of levels."
        suggestions={names}
      />
      <PathsField
        name="drop"
        label="Drop"
        one="path to drop"
        hint="Parts that are left out, such as **._links."
        suggestions={names}
      />
      <HeavyPaths paths={leftPaths} />
      <PairRows
        name="response.max_items"
        legend="List items"
        hint="How many items to keep from the beginning of a list. A single dot is the response itself."
        one="list"
        labels={['path', 'maximum number of items']}
        placeholders={['items', '50']}
        suggestions={['.', ...paths.filter(({ isList }) => isList).map(({ path }) => path)]}
      />
      <PathsField
        name="redact"
        label="Redact"
        one="path to redact"
        hint="Values that become “[redacted]”, including in recorded payloads."
        suggestions={names.filter((name) => !name.startsWith('@'))}
      />
      <Detectors />
      <TextField
        name="response.max_tokens"
        label="Maximum tokens"
        type="number"
        min={1}
        hint="Longer results are cut: first texts to 1,000 characters, then the ends of the longest lists. Leave it empty for no limit."
      />
      <NextPage tool={tool} />
    </div>
  );
}

type PathsProps = {
  name: 'select' | 'drop' | 'redact';
  label: string;
  one: string;
  hint: string;
  suggestions: string[];
};

function PathsField({ name, label, one, hint, suggestions }: PathsProps) {
  const { field } = useController<ResponseValues, `response.${typeof name}`>({ name: `response.${name}` });
  return (
    <WordsField
      label={label}
      one={one}
      hint={hint}
      value={field.value}
      onChange={field.onChange}
      suggestions={suggestions}
      most={MAX_PATHS}
      problemOf={name === 'redact' ? redactProblem : pathProblem}
      error={useFieldError(`response.${name}`)}
    />
  );
}

/** Parts that take most of what is left: one click drops one. */
function HeavyPaths({ paths }: { paths: MeasuredPath[] }) {
  const { watch, setValue } = useFormContext<ResponseValues>();
  const { select, drop } = watch('response');
  // What is around a kept part cannot be dropped without it.
  const isInner = ({ path }: MeasuredPath) =>
    !paths.some((other) => other.path.startsWith(`${path}.`) || other.path.startsWith(`${path}[`));
  const offered = paths
    .filter((each) => isInner(each) && !drop.includes(each.path) && !select.includes(each.path))
    .slice(0, MOST_OFFERED);
  if (offered.length === 0) return null;
  return (
    <fieldset className="-mt-2 min-w-0">
      <legend className="mb-1.5 text-muted text-xs">Largest remaining parts. Click one to drop it</legend>
      <div className="flex min-w-0 flex-wrap gap-1.5">
        {offered.map(({ path, tokens }) => (
          <button
            key={path}
            type="button"
            onClick={() => setValue('response.drop', [...drop, path], { shouldDirty: true })}
            className="inline-flex h-6 min-w-0 max-w-full items-center gap-1 rounded-md border border-line px-2 text-xs transition-colors hover:border-line-strong [&_svg]:size-3 [&_svg]:shrink-0"
          >
            <Plus aria-hidden />
            <code className="truncate">{path}</code>
            <span className="shrink-0 text-muted">{tokens.toLocaleString('en')} tokens</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Detectors() {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">Redact what looks like</legend>
      {detectorNames.map((name) => (
        <CheckboxCard
          key={name}
          name="response.detectors"
          value={name}
          label={detectorTexts[name][0]}
          description={detectorTexts[name][1]}
        />
      ))}
    </fieldset>
  );
}

function NextPage({ tool }: { tool: CustomTool }) {
  const { properties } = tool.input_schema as { properties?: Record<string, unknown> };
  const given = Object.keys(properties ?? {}).filter((name) => !Object.hasOwn(tool.fixed_arguments, name));
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-1.5 font-medium">Next page</legend>
      <p className="-mt-2 text-muted text-xs">
        The model is told which value returns the next page, even if the cursor itself is dropped.
      </p>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          name="response.next_page.cursor"
          label="Cursor in the response"
          placeholder="meta.next_cursor"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          name="response.next_page.argument"
          label="Argument that takes it"
          placeholder={given[0] ?? 'cursor'}
          autoComplete="off"
          spellCheck={false}
          hint={given.length > 0 ? `One of ${given.slice(0, 8).join(', ')}` : 'The input schema has no argument'}
        />
      </div>
    </fieldset>
  );
}
