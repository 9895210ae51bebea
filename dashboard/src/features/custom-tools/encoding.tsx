// How single arguments are written in a form or as parts of a multipart body: a row for each.

import { bodyStyleNames, isMediaType } from '@toolgate/contract/custom-tools/body-format.ts';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { controlClass, FieldError, Options, useFieldError } from '../../ui/forms/field.tsx';
import { optionsOf } from '../../ui/forms/options.ts';
import { type FormFormat, newEncoding, takesExplode } from './body-values.ts';
import { argumentProblem, parseSchema } from './rules.ts';
import type { ToolValues } from './values.ts';

const NAME = 'body_encoding';

const styles = optionsOf(['', ...bodyStyleNames], {
  '': 'Default style',
  form: 'form: a=1&a=2',
  brackets: 'brackets: a[]=1&a[]=2',
  deepObject: 'deepObject: a[b]=1',
  spaceDelimited: 'spaceDelimited: a=1 2',
  pipeDelimited: 'pipeDelimited: a=1|2',
  json: 'json: a=[1,2]',
});
const explodes = optionsOf(['', 'true', 'false'], {
  '': 'Default',
  true: 'explode: a=1&a=2',
  false: 'joined: a=1,2',
});

const hints: Record<FormFormat, ReactNode> = {
  form: 'Optional: how lists and objects are written. By default lists are repeated, and fields of objects are a[b].',
  multipart: 'Optional: the Content-Type of the parts of single arguments.',
};

export function EncodingRows({ format }: { format: FormFormat }) {
  const { control, watch } = useFormContext<ToolValues>();
  const { fields, append, remove } = useFieldArray({ control, name: NAME });
  const id = useId();
  const error = useFieldError(NAME);
  const used = watch(NAME).map(({ name }) => name);
  const offered = Object.keys(parseSchema(watch('input_schema'))?.properties ?? {}).filter(
    (name) => !used.includes(name),
  );
  return (
    <fieldset
      aria-describedby={[`${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
      className="grid min-w-0 grid-cols-1 gap-2"
    >
      <legend className="mb-1.5 font-medium">Encoding</legend>
      <p id={`${id}-hint`} className="-mt-2 text-muted text-xs">
        {hints[format]}
      </p>
      {fields.map((field, index) => (
        <EncodingRow key={field.id} index={index} format={format} list={`${id}-names`} onRemove={() => remove(index)} />
      ))}
      <datalist id={`${id}-names`}>
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FieldError id={id} error={error} />
      <Button size="sm" className="w-fit" onClick={() => append(newEncoding())}>
        <Plus /> Add encoding
      </Button>
    </fieldset>
  );
}

type RowProps = {
  index: number;
  format: FormFormat;
  list: string;
  onRemove: () => void;
};

function EncodingRow({ index, format, list, onRemove }: RowProps) {
  const { register, watch } = useFormContext<ToolValues>();
  const values = watch();
  const at = { index, label: `Encoding ${index + 1}` };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 max-sm:rounded-md max-sm:border max-sm:border-line max-sm:p-2">
      <div
        className={cn(
          'grid min-w-0 grid-cols-1 items-start gap-2',
          format === 'form' ? columns.form : columns.multipart,
        )}
      >
        <Part {...at} part="name" what="argument" warning={argumentProblem(values, values[NAME][index]?.name ?? '')}>
          {(attributes) => (
            <input
              {...attributes}
              {...register(`${NAME}.${index}.name`)}
              placeholder="tags"
              list={list}
              spellCheck={false}
              autoComplete="off"
              className={cn(small, 'font-mono')}
            />
          )}
        </Part>
        {format === 'form' ? <FormParts {...at} /> : <TypePart {...at} />}
      </div>
      <IconButton label={`Remove encoding ${index + 1}`} icon={<X />} onClick={onRemove} />
    </div>
  );
}

const columns = { form: 'sm:grid-cols-3', multipart: 'sm:grid-cols-2' };
const small = cn(controlClass, 'h-8 px-2 text-xs');

type At = { index: number; label: string };

function FormParts({ index, label }: At) {
  const { register, watch, setValue } = useFormContext<ToolValues>();
  const { style } = watch(`${NAME}.${index}`);
  const explode = `${NAME}.${index}.explode` as const;
  const clearExplode = (event: { target: { value: string } }) => {
    if (!takesExplode(event.target.value)) setValue(explode, '', { shouldDirty: true });
  };
  return (
    <>
      <Part index={index} label={label} part="style" what="style">
        {(attributes) => (
          <select
            {...attributes}
            {...register(`${NAME}.${index}.style`, { onChange: clearExplode })}
            className={cn(small, 'select-arrow')}
          >
            <Options options={styles} />
          </select>
        )}
      </Part>
      {takesExplode(style) && (
        <Part index={index} label={label} part="explode" what="explode">
          {(attributes) => (
            <select {...attributes} {...register(explode)} className={cn(small, 'select-arrow')}>
              <Options options={explodes} />
            </select>
          )}
        </Part>
      )}
    </>
  );
}

function TypePart({ index, label }: At) {
  const { register, watch } = useFormContext<ToolValues>();
  const { content_type } = watch(`${NAME}.${index}`);
  const isWrong = content_type !== '' && !isMediaType(content_type);
  return (
    <Part
      index={index}
      label={label}
      part="content_type"
      what="content type"
      warning={isWrong ? 'This is not a media type, such as text/csv' : undefined}
    >
      {(attributes) => (
        <input
          {...attributes}
          {...register(`${NAME}.${index}.content_type`)}
          placeholder="text/csv"
          spellCheck={false}
          autoComplete="off"
          className={cn(small, 'font-mono')}
        />
      )}
    </Part>
  );
}

type PartProps = At & {
  part: 'name' | 'style' | 'explode' | 'content_type';
  what: string;
  /** What the API would refuse, while it is typed. */
  warning?: string | undefined;
  children: (attributes: {
    'aria-label': string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => ReactNode;
};

/** One field of a row, with what is wrong with it below. */
function Part({ index, label, part, what, warning, children }: PartProps) {
  const id = useId();
  const error = useFieldError(`${NAME}.${index}.${part}`);
  const text = error ?? warning;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1">
      {children({
        'aria-label': `${label}: ${what}`,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': text ? `${id}-error` : undefined,
      })}
      <FieldError id={id} error={text} className={error ? '' : 'text-warning'} />
    </div>
  );
}
