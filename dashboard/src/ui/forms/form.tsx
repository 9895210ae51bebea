// Forms: react-hook-form with a zod/mini schema for what can be known here, and the API's response at the fields for the rest.

import { ToolgateError } from '@toolgate/sdk';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  FormProvider,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
  useFormContext,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { cn } from '../class-names.ts';
import { ErrorAlert } from '../states.tsx';
import { showHidden } from '../words.ts';

type Given<Values extends FieldValues> = {
  schema: z.ZodMiniType<Values, unknown>;
  defaults: NoInfer<DefaultValues<Values>>;
  /** Rejects with the error of the SDK if the API refuses. */
  submit: (values: Values) => Promise<unknown>;
};

export type ApiForm<Values extends FieldValues> = UseFormReturn<Values> & {
  onSubmit(event?: React.BaseSyntheticEvent): Promise<void>;
  failure: unknown;
  clearFailure(): void;
};

export function useApiForm<Values extends FieldValues>({ schema, defaults, submit }: Given<Values>): ApiForm<Values> {
  const form = useForm<Values>({ defaultValues: defaults, resolver: resolve(schema) });
  const [failure, setFailure] = useState<unknown>(null);
  const onSubmit = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      await submit(values as Values);
    } catch (error) {
      showAtFields(form, error, { shouldFocus: true });
      setFailure(error);
    }
  });
  return { ...form, onSubmit, failure, clearFailure: () => setFailure(null) };
}

/**
 * Somebody else may change what a form shows. What was edited here stays; every other field shows what is stored now, so
 * that saving does not take the change back. Before the page is painted: else the old values would look like edits.
 */
export function useStoredValues<Values extends FieldValues>(form: ApiForm<Values>, stored: Values): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for `stored`, which each render creates again
  useLayoutEffect(() => {
    form.reset(stored, { keepDirtyValues: true, keepDirty: true, keepErrors: true });
  }, [JSON.stringify(stored)]);
}

/** What the API refused, at the fields that it names. */
export function showAtFields<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
  error: unknown,
  options: { shouldFocus: boolean } = { shouldFocus: false },
): void {
  for (const { field, message } of fieldProblems(error)) {
    const name = nearestField(form.getValues(), field);
    if (name !== null) form.setError(name as Path<Values>, { message }, options);
  }
}

/** Renders the fields, then the alert of a refused request. The submit button is among the children. */
export function Form<Values extends FieldValues>({ form, label, className, children }: FormProps<Values>) {
  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label={label && showHidden(label)}
        onSubmit={(event) => void form.onSubmit(event)}
        className={cn('grid grid-cols-1 gap-4', className)}
      >
        {children}
      </form>
    </FormProvider>
  );
}

type FormProps<Values extends FieldValues> = {
  form: ApiForm<Values>;
  label?: string;
  className?: string;
  children: ReactNode;
};

/** Fields that few people need. It opens by itself when one of them is wrong: else Save would seem to do nothing. */
export function FoldedFields({
  title,
  className,
  children,
}: {
  title: string;
  className: string;
  children: ReactNode;
}) {
  const details = useRef<HTMLDetailsElement>(null);
  const { errors } = useFormContext().formState;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever the errors change
  useLayoutEffect(() => {
    if (details.current?.querySelector('[aria-invalid="true"]')) details.current.open = true;
  }, [errors]);
  return (
    <details ref={details} className={className}>
      <summary className="w-fit cursor-pointer rounded">{title}</summary>
      {children}
    </details>
  );
}

/** Above the buttons of a form. */
export function FormFailure({ failure }: { failure: unknown }) {
  return failure === null ? null : <ErrorAlert error={failure} />;
}

function resolve<Values extends FieldValues>(schema: z.ZodMiniType<Values, unknown>): Resolver<Values> {
  return (given) => {
    const { success, data, error } = schema.safeParse(given);
    if (success) return { values: data, errors: {} };
    const errors: FieldErrors = {};
    for (const { path, message, code } of error.issues) errors[path.join('.')] ??= { type: code, message };
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}

/** The wrong fields that the API names, each with what it said. */
function fieldProblems(error: unknown): { field: string; message: string }[] {
  if (!(error instanceof ToolgateError)) return [];
  const { problems, field } = error.details as { problems?: { field: string; message: string }[]; field?: string };
  if (problems && problems.length > 0) return problems;
  return field ? [{ field, message: error.message }] : [];
}

/**
 * `events.0` is shown at the field `events`, `overrides.0.limit` at the first row, `auth_config.scope` at the field of that name,
 * `headers.X-Key` at the row with that name, and `body_encoding.tags.style` at that field of the row `tags`.
 */
function nearestField(values: object, field: string): string | null {
  const found: string[] = [];
  let inside: unknown = values;
  for (const part of field.split('.')) {
    const rest = field.slice(found.join('.').length + 1);
    const row = Array.isArray(inside) ? rowNamed(inside, rest) : -1;
    if (row !== -1) return [...found, row, fieldOfRow((inside as Row[])[row] as Row, rest)].join('.');
    if (Array.isArray(inside) && isRow(inside[Number(part)])) return [...found, part, 'name'].join('.');
    if (typeof inside !== 'object' || inside === null || Array.isArray(inside) || !(part in inside)) break;
    found.push(part);
    inside = (inside as Record<string, unknown>)[part];
  }
  return found.length > 0 ? found.join('.') : null;
}

type Row = { name: unknown };

const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null && 'name' in row;

/** Also for what is inside of its value: `fixed_arguments.filter.status` is the row `filter`. */
const rowNamed = (rows: unknown[], name: string) =>
  rows.findIndex((row) => isRow(row) && (row.name === name || name.startsWith(`${row.name}.`)));

function fieldOfRow(row: Row, name: string): string {
  const inside = name.slice(String(row.name).length + 1);
  return Object.hasOwn(row, inside) ? inside : 'name';
}
