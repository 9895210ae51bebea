// Rows of a name and a value, such as arguments or limits: a list of `{ name, value }` in a form.

import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../button.tsx';
import { cn } from '../class-names.ts';
import { controlClass, FieldError, useFieldError } from './field.tsx';
import type { Option } from './options.ts';

type PairRowsProps = {
  /** For the list in the form. */
  name: string;
  legend: string;
  hint: ReactNode;
  /** "fixed argument": what one row is called. */
  one: string;
  /** What its two fields are called, after the number of the row. */
  labels: [name: string, value: string];
  placeholders: [name: string, value: string];
  /** Names that the browser offers, some with what they stand for. */
  suggestions: readonly (string | Option)[];
  most?: number;
};

export function PairRows({ name, legend, hint, one, most, suggestions, ...row }: PairRowsProps) {
  const { control, watch } = useFormContext();
  const { fields, append, remove } = useFieldArray({ control, name });
  const id = useId();
  const error = useFieldError(name);
  const used: string[] = (watch(name) as { name: string }[]).map((each) => each.name);
  return (
    <fieldset
      aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      className="grid min-w-0 grid-cols-1 gap-2"
    >
      <legend className="mb-1.5 font-medium">{legend}</legend>
      <p id={`${id}-hint`} className="-mt-2 text-muted text-xs">
        {hint}
      </p>
      {fields.map((field, index) => (
        <PairRow
          key={field.id}
          {...row}
          name={`${name}.${index}`}
          one={`${one} ${index + 1}`}
          list={`${id}-names`}
          onRemove={() => remove(index)}
        />
      ))}
      <datalist id={`${id}-names`}>
        {suggestions
          .map((each) => (typeof each === 'string' ? { value: each, label: undefined } : each))
          .filter(({ value }) => !used.includes(value))
          .map(({ value, label }) => (
            <option key={value} value={value} label={label} />
          ))}
      </datalist>
      <FieldError id={id} error={error} />
      <Button
        size="sm"
        className="w-fit"
        disabledReason={most !== undefined && fields.length >= most ? `At most ${most} are possible.` : undefined}
        onClick={() => append({ name: '', value: '' })}
      >
        <Plus /> Add {one}
      </Button>
    </fieldset>
  );
}

type RowProps = Pick<PairRowsProps, 'name' | 'one' | 'labels' | 'placeholders'> & {
  list: string;
  onRemove: () => void;
};

/** The API names the row, not which half of it is wrong: what it says is below the row, and read with both fields. */
function PairRow({ name, one, labels, placeholders, list, onRemove }: RowProps) {
  const { register } = useFormContext();
  const id = useId();
  const nameError = useFieldError(`${name}.name`);
  const valueError = useFieldError(`${name}.value`);
  const error = nameError ?? valueError;
  const attributes = {
    spellCheck: false,
    autoComplete: 'off',
    className: cn(controlClass, 'h-8 px-2 font-mono text-xs'),
    ...(error && { 'aria-describedby': `${id}-error` }),
  };
  const label = one.charAt(0).toUpperCase() + one.slice(1);
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2">
        <input
          aria-label={`${label}: ${labels[0]}`}
          placeholder={placeholders[0]}
          list={list}
          aria-invalid={nameError ? true : undefined}
          {...attributes}
          {...register(`${name}.name`)}
        />
        <input
          aria-label={`${label}: ${labels[1]}`}
          placeholder={placeholders[1]}
          aria-invalid={error ? true : undefined}
          {...attributes}
          {...register(`${name}.value`)}
        />
        <IconButton label={`Remove ${one}`} icon={<X />} onClick={onRemove} />
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}
