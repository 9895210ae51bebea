// The fields of forms. Each has a label, an optional hint, and its error tied to it by aria-describedby. Inside of <Form> a field
// needs only its name.

import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { cn } from '../class-names.ts';
import { showHidden } from '../words.ts';
import type { Option } from './options.ts';

export const controlClass =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-ink transition-colors hover:not-disabled:border-faint focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:bg-sunken disabled:text-muted';
const inputClass = cn(controlClass, 'h-8');

type Described = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };
type FrameProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string | undefined;
  /** Between label and right edge: a link such as "Forgot it?". */
  aside?: ReactNode;
  children: (attributes: Described) => ReactNode;
};

/** Label, control, hint and error, for controls that no component below covers. */
export function Field({ label, hint, error, className, aside, children }: FrameProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={cn('grid min-w-0 grid-cols-1 gap-1.5 break-words', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-2">
        <label htmlFor={id} className="min-w-0 font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-xs">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

type ErrorProps = { id: string; error: ReactNode; className?: string };

/** What is wrong with a field; `aria-describedby` of its control is `${id}-error`. */
export function FieldError({ id, error, className }: ErrorProps) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className={cn('text-danger text-xs', className)}>
      {error}
    </p>
  );
}

type Common = { name: string; label: string; hint?: ReactNode; className?: string; aside?: ReactNode };

/** The error of a field by its name; `lines.0.sku` is nested in the errors of react-hook-form. */
export function useFieldError(name: string): string | undefined {
  const { getFieldState, formState } = useFormContext();
  const flat = (formState.errors as Record<string, { message?: string } | undefined>)[name]?.message;
  return flat ?? getFieldState(name, formState).error?.message;
}

export function TextField({
  name,
  label,
  hint,
  className,
  aside,
  ...props
}: Common & Omit<ComponentProps<'input'>, 'name'>) {
  const { register } = useFormContext();
  return (
    <Field label={label} hint={hint} aside={aside} className={className} error={useFieldError(name)}>
      {(attributes) => <input type="text" {...props} {...attributes} {...register(name)} className={inputClass} />}
    </Field>
  );
}

export function TextareaField({
  name,
  label,
  hint,
  className,
  aside,
  mono,
  ...props
}: Common & Omit<ComponentProps<'textarea'>, 'name'> & { mono?: boolean }) {
  const { register } = useFormContext();
  return (
    <Field label={label} hint={hint} aside={aside} className={className} error={useFieldError(name)}>
      {(attributes) => (
        <textarea
          rows={3}
          spellCheck={!mono}
          {...props}
          {...attributes}
          {...register(name)}
          className={cn(controlClass, 'py-1.5', mono && 'font-mono text-xs leading-5')}
        />
      )}
    </Field>
  );
}

/** A native select: it works with every keyboard, screen reader and phone. */
export function SelectField({
  name,
  label,
  hint,
  className,
  options,
  ...props
}: Common & Omit<ComponentProps<'select'>, 'name'> & { options: Option[] }) {
  const { register } = useFormContext();
  return (
    <Field label={label} hint={hint} className={className} error={useFieldError(name)}>
      {(attributes) => (
        <select {...props} {...attributes} {...register(name)} className={cn(inputClass, 'select-arrow')}>
          <Options options={options} />
        </select>
      )}
    </Field>
  );
}

export function Options({ options }: { options: Option[] }) {
  return options.map(({ value, label, disabled }) => (
    <option key={value} value={value} disabled={disabled}>
      {showHidden(label)}
    </option>
  ));
}

/** `what`: the word for it at the button that shows it. */
export function PasswordField({
  name,
  label,
  hint,
  aside,
  what = 'password',
  children,
  ...props
}: Common & Omit<ComponentProps<'input'>, 'name'> & { what?: string }) {
  const { register } = useFormContext();
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} aside={aside} error={useFieldError(name)}>
      {(attributes) => (
        <>
          <div className="relative">
            <input
              {...props}
              {...attributes}
              {...register(name)}
              type={isShown ? 'text' : 'password'}
              className={cn(inputClass, 'pr-9')}
            />
            <button
              type="button"
              aria-label={`${isShown ? 'Hide' : 'Show'} ${what}`}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
              className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-md text-faint hover:text-ink [&_svg]:size-4"
            >
              {isShown ? <EyeOff /> : <Eye />}
            </button>
          </div>
          {children}
        </>
      )}
    </Field>
  );
}

const boxClass =
  'size-4 shrink-0 appearance-none rounded border border-line-strong bg-surface bg-center bg-no-repeat checked:border-accent checked:bg-accent aria-invalid:border-danger disabled:opacity-50';

/** The check mark is drawn in app/styles.css. */
export function Checkbox({ className, ...props }: ComponentProps<'input'>) {
  return <input type="checkbox" {...props} className={cn(boxClass, 'check-mark', className)} />;
}

/** A card with a checkbox: its name is `label` alone, the description is read after it. */
export function CheckboxCard({
  name,
  value,
  label,
  description,
  disabled,
}: Omit<Common, 'hint'> & { value: string; description: string; disabled?: boolean }) {
  const { register } = useFormContext();
  const id = useId();
  return (
    <div className="relative flex gap-2.5 rounded-md border border-line bg-surface p-2.5 transition-colors has-checked:border-accent has-checked:bg-accent-soft hover:border-line-strong">
      <Checkbox
        id={id}
        value={value}
        disabled={disabled}
        aria-describedby={`${id}-text`}
        className="relative z-10 mt-0.5"
        {...register(name)}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium before:absolute before:inset-0">
          {label}
        </label>
        <p id={`${id}-text`} className="text-muted text-xs">
          {description}
        </p>
      </div>
    </div>
  );
}

type SwitchProps = Omit<ComponentProps<'input'>, 'type'>;

export function Switch({ className, ...props }: SwitchProps) {
  return (
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox has its state without aria-checked
      role="switch"
      {...props}
      className={cn(
        "h-4.5 w-8 shrink-0 appearance-none rounded-full bg-line-strong transition-colors before:block before:size-3.5 before:translate-x-0.5 before:translate-y-0.5 before:rounded-full before:bg-surface before:shadow-sm before:transition-transform before:content-[''] checked:bg-accent checked:before:translate-x-4 disabled:opacity-50",
        className,
      )}
    />
  );
}

/** A switch of a form: label and hint on the left. */
export function SwitchField({ name, label, hint }: Common) {
  const { register } = useFormContext();
  const id = useId();
  const error = useFieldError(name);
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-muted text-xs">
            {hint}
          </p>
        )}
        <FieldError id={id} error={error} />
      </div>
      <Switch
        id={id}
        aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined}
        className="mt-0.5"
        {...register(name)}
      />
    </div>
  );
}
