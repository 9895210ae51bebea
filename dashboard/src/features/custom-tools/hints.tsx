// The hints of a tool for MCP clients: what is set, what is derived from the method, and one click that confirms the derived ones.

import {
  contradicts,
  derivedAnnotations,
  hintNames,
  listedAnnotations,
} from '@toolgate/contract/custom-tools/hints.ts';
import type { CustomTool } from '@toolgate/sdk';
import { BadgeCheck } from 'lucide-react';
import { useFormContext } from 'react-hook-form';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, Field, Options, useFieldError } from '../../ui/forms/field.tsx';
import { useProjectChange } from '../../ui/project-change.ts';
import { count } from '../../ui/words.ts';
import { hintsOf, type ToolValues } from './values.ts';

type Hint = (typeof hintNames)[number];

const texts: Record<Hint, [label: string, text: string]> = {
  readOnlyHint: ['Read only', 'It changes nothing.'],
  destructiveHint: ['Destructive', 'It may delete or overwrite data.'],
  idempotentHint: ['Idempotent', 'Repeating a call changes nothing more.'],
  openWorldHint: ['Open world', 'It reaches systems beyond your API.'],
};

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');

export function HintFields({ tool }: { tool: CustomTool | null }) {
  const values = useFormContext<ToolValues>().watch();
  const set = hintsOf(values);
  const derived = derivedAnnotations(set);
  // What a tool of an MCP server lacks are MCP's defaults.
  const method = tool?.source ? null : values.method;
  const listed = listedAnnotations({ name: values.name, title: null, method, annotations: set });
  const origin = method ?? "MCP's defaults";
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {hintNames.map((hint) => (
          <HintField key={hint} hint={hint} from={derived.includes(hint) ? origin : null} isOn={listed[hint]} />
        ))}
      </div>
      {contradicts(set) && (
        <p role="status" className="rounded-md bg-warning-soft px-3 py-2 text-warning text-xs">
          A tool can't be both read-only and destructive. Set one of them to no.
        </p>
      )}
      {derived.length > 0 && (tool ? <ConfirmStored tool={tool} /> : <ConfirmTyped listed={listed} hints={derived} />)}
    </div>
  );
}

function HintField({ hint, from, isOn }: { hint: Hint; from: string | null; isOn: boolean }) {
  const { register } = useFormContext<ToolValues>();
  const [label, text] = texts[hint];
  const name = `annotations.${hint}` as const;
  const options = [
    { value: '', label: from ? `Derived from ${from}: ${yesOrNo(isOn)}` : 'Derive it' },
    { value: 'true', label: 'Yes' },
    { value: 'false', label: 'No' },
  ];
  return (
    <Field
      label={label}
      hint={text}
      error={useFieldError(name)}
      aside={from && <Badge tone="warning">derived from {from} – confirm</Badge>}
    >
      {(attributes) => (
        <select {...attributes} {...register(name)} className={cn(controlClass, 'select-arrow h-8')}>
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

const WHY = 'These hints are derived, not set by a person. Confirm them if they are right.';

/** Saves the hints as they are listed, and nothing else of the form. */
function ConfirmStored({ tool }: { tool: CustomTool }) {
  const { dirtyFields } = useFormContext<ToolValues>().formState;
  const isEdited = dirtyFields.method === true || dirtyFields.annotations !== undefined;
  const { mutate, isPending } = useProjectChange({
    change: (toolgate) => toolgate.customTools.bulk({ ids: [tool.id], action: 'confirm_hints' }),
    invalidates: ['custom-tools'],
    done: `Hints of “${tool.name}” confirmed`,
  });
  if (tool.derived_annotations.length === 0) return null;
  return (
    <Confirm
      number={tool.derived_annotations.length}
      onConfirm={() => mutate()}
      isBusy={isPending}
      disabledReason={isEdited ? 'Save or discard your change of the method or the hints first.' : undefined}
    />
  );
}

/** In the form of a new tool: they are saved with it. */
function ConfirmTyped({ listed, hints }: { listed: Record<Hint, boolean>; hints: Hint[] }) {
  const { setValue } = useFormContext<ToolValues>();
  const confirm = () => {
    for (const hint of hints)
      setValue(`annotations.${hint}`, listed[hint] ? 'true' : 'false', { shouldDirty: true, shouldTouch: true });
  };
  return <Confirm number={hints.length} onConfirm={confirm} isBusy={false} disabledReason={undefined} />;
}

type ConfirmProps = {
  number: number;
  onConfirm: () => void;
  isBusy: boolean;
  disabledReason: string | undefined;
};

function Confirm({ number, onConfirm, isBusy, disabledReason }: ConfirmProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-line bg-canvas px-3 py-2">
      <p className="min-w-0 flex-1 basis-60 text-muted text-xs">{WHY}</p>
      <Button size="sm" needs="write" busy={isBusy} disabledReason={disabledReason} onClick={onConfirm}>
        <BadgeCheck /> Confirm {count(number, 'hint')}
      </Button>
    </div>
  );
}
