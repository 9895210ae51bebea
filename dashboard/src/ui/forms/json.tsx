// JSON to read, and a field to write it.

import { useFormContext } from 'react-hook-form';
import { cn } from '../class-names.ts';
import { CodeBlock } from '../code-block.tsx';
import { controlClass, Field, useFieldError } from './field.tsx';

export function JsonView({ value, label }: { value: unknown; label: string }) {
  return <CodeBlock code={JSON.stringify(value, null, 2)} label={label} />;
}

/** Where the text is not JSON, in words; null if it is. For the schema of a form. */
export function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}

/** The value is text. "Format" indents it; Tab leaves the field, as everywhere. */
export function JsonField({
  name,
  label,
  hint,
  rows = 10,
}: {
  name: string;
  label: string;
  hint?: string;
  rows?: number;
}) {
  const { register, getValues, setValue, setError, clearErrors } = useFormContext();
  const format = () => {
    const text: string = getValues(name);
    const problem = jsonProblem(text);
    if (problem) return setError(name, { message: problem });
    clearErrors(name);
    setValue(name, JSON.stringify(JSON.parse(text), null, 2), { shouldDirty: true });
  };
  const aside = (
    <button type="button" onClick={format} className="text-accent text-xs hover:underline">
      Format
    </button>
  );
  return (
    <Field label={label} hint={hint} aside={aside} error={useFieldError(name)}>
      {(attributes) => (
        <textarea
          {...attributes}
          {...register(name)}
          rows={rows}
          spellCheck={false}
          autoComplete="off"
          className={cn(controlClass, 'py-2 font-mono text-xs leading-5')}
        />
      )}
    </Field>
  );
}
