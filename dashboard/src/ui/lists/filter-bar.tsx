// Filters above a list. Each is bound to one parameter of the URL, named like the API's.

import { Search, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../class-names.ts';
import { controlClass, Options } from '../forms/field.tsx';
import type { Option } from '../forms/options.ts';
import { type SearchName, useFilters } from '../search.ts';

const APPLY_AFTER_MS = 250;

type FilterBarProps = {
  /** The parameters that "Clear" removes. */
  names: readonly SearchName[];
  children: ReactNode;
  /** Filters that are needed less often: they fold away, unless one of these parameters is set. */
  more?: { names: readonly SearchName[]; filters: ReactNode };
};

export function FilterBar({ names, children, more }: FilterBarProps) {
  const { values, set } = useFilters();
  const isFiltered = names.some((name) => values[name]);
  const used = more?.names.filter((name) => values[name]).length ?? 0;
  const [isOpen, setOpen] = useState(used > 0);
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      {children}
      {more && (
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal /> More filters{used > 0 && ` (${used})`}
        </Button>
      )}
      {isOpen && more?.filters}
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
  const inUrl = values[name] ?? '';
  // What is typed counts until the URL changes, also by another way: "Clear", or back.
  const [typed, setTyped] = useState({ text: inUrl, inUrl });
  const text = typed.inUrl === inUrl ? typed.text : inUrl;
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
        onChange={(event) => setTyped({ text: event.target.value, inUrl })}
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
type SearchFilterProps = { name: SearchName; label: string; className?: string; suggestions?: string[] };

/** `all`: the words for no choice, if "Label: all" does not say it. */
type SelectFilterProps = { name: SearchName; label: string; options: Option[]; all?: string };

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
      className={cn(controlClass, 'select-arrow field-sizing-content h-8 w-auto max-w-56')}
    >
      <option value="">{all}</option>
      <Options options={isUnknown ? [...options, { value, label: value }] : options} />
    </select>
  );
}
