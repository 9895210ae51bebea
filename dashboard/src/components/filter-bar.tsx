// Filters above a list. Each is bound to one parameter of the URL, named like the API's.

import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useFilters } from '../search.ts';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';
import { controlClass, type Option, Options } from './field.tsx';

const APPLY_AFTER_MS = 250;

/** `names`: the parameters that "Clear" removes. */
export function FilterBar({ names, children }: { names: string[]; children: ReactNode }) {
  const { values, set } = useFilters();
  const isFiltered = names.some((name) => values[name]);
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      {children}
      {isFiltered && (
        <Button look="ghost" onClick={() => set(Object.fromEntries(names.map((name) => [name, undefined])))}>
          <X /> Clear
        </Button>
      )}
    </search>
  );
}

/** A text filter. The shortcut "/" moves the focus to the first one of a page. */
export function SearchFilter({ name, label, className, suggestions }: SearchFilterProps) {
  const { values, set } = useFilters();
  const list = useId();
  const [text, setText] = useState(values[name] ?? '');
  const inUrl = values[name] ?? '';
  // The URL changed by another way: "Clear", or back.
  useEffect(() => setText(inUrl), [inUrl]);
  const latest = useRef(set);
  latest.current = set;
  // Only what is typed starts the wait again: a live list renders more often than that.
  useEffect(() => {
    if (text === inUrl) return;
    const timer = setTimeout(() => latest.current({ [name]: text || undefined }), APPLY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, inUrl, name]);
  return (
    <div className={cn('relative w-full sm:w-64', className)}>
      <Search aria-hidden className="absolute top-2 left-2.5 size-4 text-faint" />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={text}
        list={suggestions && list}
        onChange={(event) => setText(event.target.value)}
        className={cn(controlClass, 'h-8 pl-8')}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </div>
  );
}

/** `suggestions`: values that the browser offers, for a filter that the API compares exactly. */
type SearchFilterProps = { name: string; label: string; className?: string; suggestions?: string[] };

/** `all`: the words for no choice, if "Label: all" does not say it. */
type SelectFilterProps = { name: string; label: string; options: Option[]; all?: string };

export function SelectFilter({ name, label, options, all = `${label}: all` }: SelectFilterProps) {
  const { values, set } = useFilters();
  const value = values[name] ?? '';
  // What is deleted, not readable or not among the first 100 filters too.
  const isUnknown = value !== '' && options.every((option) => option.value !== value);
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => set({ [name]: event.target.value || undefined })}
      className={cn(controlClass, 'select-arrow h-8 w-auto max-w-56')}
    >
      <option value="">{all}</option>
      <Options options={isUnknown ? [...options, { value, label: value }] : options} />
    </select>
  );
}
