// One of a few choices, each with a sentence that says what it means.

import { type ReactNode, useId } from 'react';
import { cn } from '../class-names.ts';
import { FieldError } from './field.tsx';

export type Choice<Value extends string> = {
  value: Value;
  label: string;
  description: ReactNode;
  /** Shown below the choice while it is chosen. */
  content?: ReactNode;
};

type RadioCardsProps<Value extends string> = {
  legend: string;
  hint?: ReactNode;
  value: Value;
  choices: Choice<Value>[];
  onChange: (value: Value) => void;
  error?: string | undefined;
  /** Beside each other where there is room. */
  columns?: boolean;
  disabled?: boolean;
};

/** The name of a choice is its label alone, the description is read after it. */
export function RadioCards<Value extends string>({
  legend,
  hint,
  value,
  choices,
  onChange,
  error,
  columns,
  disabled,
}: RadioCardsProps<Value>) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset disabled={disabled} aria-describedby={described || undefined} className="min-w-0">
      <legend className="mb-1.5 font-medium">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1 mb-2 text-muted text-xs">
          {hint}
        </p>
      )}
      <div className={cn('grid grid-cols-1 gap-2', columns && 'sm:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]')}>
        {choices.map((choice) => (
          <RadioCard
            key={choice.value}
            id={`${id}-${choice.value}`}
            name={id}
            choice={choice}
            checked={choice.value === value}
            onChoose={() => onChange(choice.value)}
          />
        ))}
      </div>
      <FieldError id={id} error={error} className="mt-1.5" />
    </fieldset>
  );
}

type CardProps<Value extends string> = {
  id: string;
  name: string;
  choice: Choice<Value>;
  checked: boolean;
  onChoose: () => void;
};

function RadioCard<Value extends string>({ id, name, choice, checked, onChoose }: CardProps<Value>) {
  const { value, label, description, content } = choice;
  return (
    <div
      className={cn(
        'min-w-0 rounded-md border border-line bg-surface transition-colors hover:border-line-strong',
        checked && 'border-accent hover:border-accent',
        checked && !content && 'bg-accent-soft',
      )}
    >
      <div className={cn('relative flex gap-2.5 rounded-md p-2.5', checked && content && 'bg-accent-soft')}>
        <input
          type="radio"
          id={id}
          name={name}
          value={value}
          checked={checked}
          onChange={onChoose}
          aria-describedby={`${id}-text`}
          className="relative z-10 mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-surface checked:border-5 checked:border-accent disabled:opacity-50"
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
      {checked && content && <div className="border-line border-t p-2.5">{content}</div>}
    </div>
  );
}
