// Chooses what something sees: all tools, or only those of some toolsets. An empty choice is called "No tools", and says so.

import { Link } from '@tanstack/react-router';
import { MAX_ASSIGNED_TOOLSETS } from '@toolgate/contract/toolsets/rules.ts';
import type { Toolset } from '@toolgate/sdk';
import { CircleSlash } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useController } from 'react-hook-form';
import * as z from 'zod/mini';
import { useProjectId } from '../../api/client.ts';
import { inlineLinkClass } from '../../ui/button.tsx';
import { Checkbox, useFieldError } from '../../ui/forms/field.tsx';
import { RadioCards } from '../../ui/forms/radio.tsx';
import { Name } from '../../ui/name.tsx';
import { count, showHidden } from '../../ui/words.ts';
import { useToolsets } from './toolsets.ts';

/** For the schema of a form. Null: all tools. */
export const toolsetIdsSchema = z.nullable(
  z.array(z.string()).check(z.maxLength(MAX_ASSIGNED_TOOLSETS, `Choose at most ${MAX_ASSIGNED_TOOLSETS} toolsets`)),
);

type Props = { legend?: string; hint?: string; disabled?: boolean };

/** The field `toolset_ids` of a form. */
export function ToolsetsField(props: Props) {
  const { field } = useController({ name: 'toolset_ids' });
  const error = useFieldError('toolset_ids');
  return <ToolsetsChoice {...props} value={field.value} onChange={field.onChange} error={error} />;
}

type ChoiceProps = Props & {
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
  error?: string | undefined;
  /** What a toolset is named by here: its id, or its slug. */
  by?: 'id' | 'slug';
  /** What null is called, and means. */
  allLabel?: string;
  allText?: string;
};

export function ToolsetsChoice({
  legend = 'Tools it sees',
  hint,
  disabled,
  value,
  onChange,
  error,
  by = 'id',
  allLabel = 'All tools',
  allText = 'Every tool of the project, including tools added later.',
}: ChoiceProps) {
  // Who looks at "All tools" and goes back finds what was chosen before.
  const [last, setLast] = useState<readonly string[]>(value ?? []);
  const choose = (next: string[]) => {
    setLast(next);
    onChange(next);
  };
  return (
    <RadioCards
      legend={legend}
      hint={hint}
      error={error}
      disabled={disabled ?? false}
      value={value === null ? 'all' : 'some'}
      onChange={(kind) => onChange(kind === 'all' ? null : [...last])}
      choices={[
        { value: 'all', label: allLabel, description: allText },
        {
          value: 'some',
          label: 'Only these toolsets',
          description: 'Sees only the tools of the toolsets that you choose.',
          content: value && <ToolsetBoxes by={by} value={value} onChange={choose} />,
        },
      ]}
    />
  );
}

type BoxesProps = {
  by: 'id' | 'slug';
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** Said while nothing is chosen. */
  empty?: ReactNode;
};

export function ToolsetBoxes({ by, value, onChange, empty = <NoTools /> }: BoxesProps) {
  const toolsets = useToolsets();
  const known = toolsets?.map((toolset) => toolset[by]) ?? [];
  const toggle = (key: string, isOn: boolean) =>
    onChange(isOn ? [...value, key] : value.filter((each) => each !== key));
  const missing = toolsets ? value.filter((key) => !known.includes(key)) : [];
  return (
    <div className="grid grid-cols-1 gap-2">
      {value.length === 0 && empty}
      {toolsets?.length === 0 && <NoToolsets />}
      <ul aria-label="Toolsets" className="-mx-1 grid max-h-56 grid-cols-1 overflow-y-auto p-1">
        {toolsets?.map((toolset) => (
          <Box
            key={toolset.id}
            toolset={toolset}
            checked={value.includes(toolset[by])}
            onChange={(isOn) => toggle(toolset[by], isOn)}
          />
        ))}
        {missing.map((key) => (
          <Box
            key={key}
            toolset={{ name: `${key} (deleted)`, slug: key, tool_count: 0 }}
            checked
            onChange={() => toggle(key, false)}
          />
        ))}
      </ul>
    </div>
  );
}

function NoTools() {
  return (
    <p role="status" className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning text-xs">
      <CircleSlash aria-hidden className="mt-px size-4 shrink-0" />
      <span>
        <strong>No tools.</strong> No toolset is chosen, so it can list and call nothing.
      </span>
    </p>
  );
}

function NoToolsets() {
  return (
    <p className="text-muted text-xs">
      The project has no toolsets yet.{' '}
      <Link
        to="/projects/$projectId/toolsets"
        params={{ projectId: useProjectId() }}
        search={{ dialog: 'create' }}
        className={inlineLinkClass}
      >
        Create one
      </Link>
    </p>
  );
}

type BoxProps = {
  toolset: Pick<Toolset, 'name' | 'slug' | 'tool_count'>;
  checked: boolean;
  onChange: (isOn: boolean) => void;
};

function Box({ toolset: { name, slug, tool_count }, checked, onChange }: BoxProps) {
  const id = useId();
  return (
    <li className="min-w-0">
      <label htmlFor={id} className="flex min-h-8 min-w-0 items-center gap-2.5 rounded px-1 hover:bg-hover">
        <Checkbox
          id={id}
          aria-label={showHidden(name)}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
        <Name text={name} className="min-w-0 truncate" />
        <code className="min-w-0 truncate text-faint text-xs">{slug}</code>
        <span className="ml-auto shrink-0 text-muted text-xs">{count(tool_count, 'tool')}</span>
      </label>
    </li>
  );
}
