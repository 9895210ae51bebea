// The arguments that every call has: a name and a JSON value each. Models do not see them.

import { MAX_FIXED_ARGUMENTS } from '@toolgate/contract/custom-tools/rules.ts';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, useFieldError } from '../../ui/forms/field.tsx';
import { parseSchema } from './rules.ts';
import type { ToolValues } from './values.ts';

const NAME = 'fixed_arguments';

export function FixedArguments() {
  const { control, watch } = useFormContext<ToolValues>();
  const { fields, append, remove } = useFieldArray({ control, name: NAME });
  const id = useId();
  const error = useFieldError(NAME);
  const known = Object.keys(parseSchema(watch('input_schema'))?.properties ?? {});
  const used = watch(NAME).map(({ name }) => name);
  return (
    <fieldset
      aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      className="grid min-w-0 grid-cols-1 gap-2"
    >
      <legend className="mb-1.5 font-medium">Fixed arguments</legend>
      <p id={`${id}-hint`} className="-mt-2 text-muted text-xs">
        Every call has them, and models neither see nor change them. Describe them in the input schema like other
        arguments: their values are validated by it.
      </p>
      {fields.map((field, index) => (
        <ArgumentRow key={field.id} index={index} names={`${id}-names`} onRemove={() => remove(index)} />
      ))}
      <datalist id={`${id}-names`}>
        {known
          .filter((name) => !used.includes(name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      {error && (
        <p id={`${id}-error`} className="text-danger text-xs">
          {error}
        </p>
      )}
      <Button
        size="sm"
        className="w-fit"
        disabledReason={
          fields.length < MAX_FIXED_ARGUMENTS ? undefined : `A tool has at most ${MAX_FIXED_ARGUMENTS} fixed arguments.`
        }
        onClick={() => append({ name: '', value: '' })}
      >
        <Plus /> Add fixed argument
      </Button>
    </fieldset>
  );
}

type RowProps = { index: number; names: string; onRemove: () => void };

/** The API names the argument: what it says is shown below its row, and read with both fields. */
function ArgumentRow({ index, names, onRemove }: RowProps) {
  const { register } = useFormContext<ToolValues>();
  const id = useId();
  const nameError = useFieldError(`${NAME}.${index}.name`);
  const valueError = useFieldError(`${NAME}.${index}.value`);
  const error = nameError ?? valueError;
  const small = cn(controlClass, 'h-8 px-2 font-mono text-xs');
  const described = error ? { 'aria-describedby': `${id}-error` } : {};
  const number = index + 1;
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2">
        <input
          aria-label={`Fixed argument ${number}: name`}
          placeholder="locale"
          list={names}
          spellCheck={false}
          autoComplete="off"
          {...described}
          aria-invalid={nameError ? true : undefined}
          {...register(`${NAME}.${index}.name`)}
          className={small}
        />
        <input
          aria-label={`Fixed argument ${number}: value as JSON`}
          placeholder='"en", 10, true, ["a"]'
          spellCheck={false}
          autoComplete="off"
          {...described}
          aria-invalid={error ? true : undefined}
          {...register(`${NAME}.${index}.value`)}
          className={small}
        />
        <IconButton label={`Remove fixed argument ${number}`} icon={<X />} onClick={onRemove} />
      </div>
      {error && (
        <p id={`${id}-error`} className="text-danger text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
