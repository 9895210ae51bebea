// The part "Headers" of the form of a webhook or a log stream. The values of stored headers are never read, so they are kept or all replaced.

import { MAX_WEBHOOK_HEADERS } from '@toolgate/contract/webhooks/rules.ts';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import * as z from 'zod/mini';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, Field, FieldError, useFieldError } from '../../ui/forms/field.tsx';
import { required } from '../../ui/forms/schemas.ts';

export const headerFields = {
  /** False: the stored ones stay. */
  replaces_headers: z.boolean(),
  headers: z
    .array(
      z.object({
        name: required('Enter a name'),
        value: z.string().check(z.minLength(1, 'Enter a value')),
      }),
    )
    .check(z.refine(hasNoneTwice, 'Enter each header only once')),
};

type Row = { name: string; value: string };
type Values = { replaces_headers: boolean; headers: Row[] };

export const headerDefaults = (storedNames: string[]): Values => ({
  replaces_headers: storedNames.length === 0,
  headers: [],
});

/** As fields of the request; none if the stored headers stay. */
export function toHeaders({ replaces_headers, headers }: Values): { headers?: Record<string, string> } {
  if (!replaces_headers) return {};
  return { headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) };
}

function hasNoneTwice(rows: Row[]): boolean {
  return new Set(rows.map(({ name }) => name.toLowerCase())).size === rows.length;
}

type PartProps = { storedNames?: string[] | undefined; hint: string };

export function HeadersPart({ storedNames = [], hint }: PartProps) {
  const { watch } = useFormContext<Values>();
  const id = useId();
  const error = useFieldError('headers');
  return (
    <fieldset
      aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      className="grid min-w-0 grid-cols-1 gap-3"
    >
      <legend className="mb-1.5 font-medium">Headers</legend>
      {watch('replaces_headers') ? <HeaderRows storedNames={storedNames} /> : <StoredNames names={storedNames} />}
      <p id={`${id}-hint`} className="text-muted text-xs">
        {hint}
      </p>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

function StoredNames({ names }: { names: string[] }) {
  const { setValue, clearErrors } = useFormContext<Values>();
  const replace = () => {
    clearErrors('headers');
    setValue(
      'headers',
      names.map((name) => ({ name, value: '' })),
    );
    setValue('replaces_headers', true, { shouldDirty: true });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label="Stored headers" className="flex min-w-0 flex-wrap gap-1">
        {names.map((name) => (
          <li key={name} className="min-w-0">
            <Badge className="max-w-full">
              <code className="truncate">{name}</code>
            </Badge>
          </li>
        ))}
      </ul>
      <span className="text-muted text-xs">set ·</span>
      <Button size="sm" onClick={replace}>
        Replace all
      </Button>
    </div>
  );
}

function HeaderRows({ storedNames }: { storedNames: string[] }) {
  const { control, setValue } = useFormContext<Values>();
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  const keep = () => {
    setValue('headers', []);
    setValue('replaces_headers', false);
  };
  return (
    <>
      {fields.map(({ id }, index) => (
        <HeaderRow key={id} index={index} onRemove={() => remove(index)} />
      ))}
      {storedNames.length > 0 && fields.length === 0 && (
        <p className="text-muted text-xs">If you save without headers, none are sent from now on.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          disabledReason={
            fields.length < MAX_WEBHOOK_HEADERS ? undefined : `There are at most ${MAX_WEBHOOK_HEADERS} headers.`
          }
          onClick={() => append({ name: '', value: '' })}
        >
          <Plus /> Add header
        </Button>
        {storedNames.length > 0 && (
          <Button size="sm" look="ghost" onClick={keep}>
            Keep the stored ones
          </Button>
        )}
      </div>
    </>
  );
}

/** The API names a header, not which half of it is wrong: both fields have the error. */
function HeaderRow({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { register } = useFormContext();
  const id = useId();
  const errors = [useFieldError(`headers.${index}.name`), useFieldError(`headers.${index}.value`)];
  const error = errors.find(Boolean);
  const described = error ? { 'aria-describedby': `${id}-error`, 'aria-invalid': true as const } : {};
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside of the fieldset "Headers" would be read twice
    <div role="group" aria-label={`Header ${index + 1}`} className="grid grid-cols-1 gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
        <Field label="Name">
          {(attributes) => (
            <input
              type="text"
              spellCheck={false}
              autoComplete="off"
              placeholder="Authorization"
              {...attributes}
              {...described}
              {...register(`headers.${index}.name`)}
              className={cn(controlClass, 'h-8 font-mono text-xs')}
            />
          )}
        </Field>
        <Field label="Value" className="col-span-2 row-start-2 sm:col-span-1 sm:row-start-auto">
          {(attributes) => (
            <input
              type="password"
              autoComplete="off"
              {...attributes}
              {...described}
              {...register(`headers.${index}.value`)}
              className={cn(controlClass, 'h-8 font-mono text-xs')}
            />
          )}
        </Field>
        <IconButton
          label={`Remove header ${index + 1}`}
          icon={<X />}
          onClick={onRemove}
          className="col-start-2 row-start-1 sm:col-start-auto sm:row-start-auto"
        />
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
