// A list of short words, such as tags: one chip for each, and a field that adds one.

import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { showHidden } from '../words.ts';
import { controlClass, Field } from './field.tsx';

type WordsFieldProps = {
  label: string;
  /** "tag": what one of them is called. */
  one: string;
  hint?: ReactNode;
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** Offered by the browser. */
  suggestions: readonly string[];
  most: number;
  /** Why a word cannot be in the list; null if it can. */
  problemOf: (word: string) => string | null;
  /** After a word in its chip, such as how many tools have it. */
  noteOf?: (word: string) => ReactNode;
  error?: string | undefined;
  disabled?: boolean;
};

export function WordsField(props: WordsFieldProps) {
  const { label, one, hint, value, onChange, suggestions, error, disabled } = props;
  const { typed, problem, type, add, addOnEnter } = useNewWord(props);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const remove = (word: string) => {
    onChange(value.filter((each) => each !== word));
    // The button that had the focus is gone.
    input.current?.focus();
  };
  return (
    <Field label={label} hint={hint} error={problem ?? error}>
      {(attributes) => (
        <div className="grid min-w-0 grid-cols-1 gap-2">
          <Chips {...props} onRemove={remove} />
          <div className="flex gap-2">
            <input
              {...attributes}
              ref={input}
              type="text"
              list={list}
              autoComplete="off"
              spellCheck={false}
              disabled={disabled}
              value={typed}
              placeholder={`Add a ${one}`}
              onChange={(event) => type(event.target.value)}
              onKeyDown={addOnEnter}
              className={cn(controlClass, 'h-8 max-w-72')}
            />
            <Button disabled={disabled || typed.trim() === ''} onClick={() => add(typed)} aria-label={`Add ${one}`}>
              Add
            </Button>
          </div>
          <datalist id={list}>
            {suggestions
              .filter((word) => !value.includes(word))
              .map((word) => (
                <option key={word} value={word} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  );
}

/** What is typed, and why it cannot be added. A comma, or Enter, ends a word. */
function useNewWord({ one, value, onChange, most, problemOf }: WordsFieldProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = (text: string) => {
    const words = text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    const wrong = words.map(problemOf).find((each) => each !== null);
    const next = [...new Set([...value, ...words])];
    const refused = wrong ?? (next.length > most ? `Use at most ${most} ${one}s` : undefined);
    setProblem(refused);
    setTyped(refused ? text : '');
    if (!refused && next.length > value.length) onChange(next);
  };
  const type = (text: string) => {
    setProblem(undefined);
    if (text.endsWith(',')) add(text);
    else setTyped(text);
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // The form around it is not sent.
    event.preventDefault();
    if (typed.trim() !== '') add(typed);
  };
  return { typed, problem, type, add, addOnEnter };
}

type ChipsProps = Pick<WordsFieldProps, 'value' | 'label' | 'noteOf' | 'disabled'> & {
  onRemove: (word: string) => void;
};

function Chips({ value, label, noteOf, disabled, onRemove }: ChipsProps) {
  if (value.length === 0) return null;
  return (
    <ul aria-label={`${label}: chosen`} className="flex min-w-0 flex-wrap gap-1.5">
      {value.map((word) => (
        <li
          key={word}
          className="inline-flex h-7 min-w-0 max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken pl-2 text-xs"
        >
          <span className="truncate font-medium">{showHidden(word)}</span>
          {noteOf && <span className="shrink-0 text-muted">{noteOf(word)}</span>}
          <button
            type="button"
            disabled={disabled}
            aria-label={`Remove ${showHidden(word)}`}
            onClick={() => onRemove(word)}
            className="grid size-6 shrink-0 place-items-center rounded text-faint hover:text-ink [&_svg]:size-3.5"
          >
            <X />
          </button>
        </li>
      ))}
    </ul>
  );
}
