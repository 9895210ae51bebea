// The bar below a long form: what would change, until it is saved or discarded.

import { type ReactNode, useEffect } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../button.tsx';
import { count, showHidden } from '../words.ts';
import { type ApiForm, FormFailure } from './form.tsx';

export type Difference = { name: string; label: string; before: string; after: string };

type SaveBarProps<Values extends FieldValues> = {
  form: ApiForm<Values>;
  changes: Difference[];
  discard: () => void;
  /** Above the buttons: what to know before saving. */
  notice?: ReactNode;
};

export function SaveBar<Values extends FieldValues>({ form, changes, discard, notice }: SaveBarProps<Values>) {
  const { failure, clearFailure } = form;
  const isClean = changes.length === 0;
  useEffect(() => {
    if (isClean && failure !== null) clearFailure();
  }, [isClean, failure, clearFailure]);
  if (isClean) return null;
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-4 z-20 mt-4 grid grid-cols-1 gap-3 rounded-lg border border-line-strong bg-raised p-4 shadow-pop"
    >
      <dl className="grid max-h-40 gap-1 overflow-y-auto text-xs">
        {changes.map(({ name, label, before, after }) => (
          <div key={name} className="flex min-w-0 flex-wrap gap-x-2">
            <dt className="font-medium">{label}</dt>
            <dd className="min-w-0 break-words">
              <del className="text-muted">{shorten(before)}</del> → <ins className="no-underline">{shorten(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      {notice}
      <FormFailure failure={failure} />
      <footer className="flex flex-wrap items-center justify-end gap-2">
        <span className="mr-auto w-full text-muted text-xs sm:w-auto">{count(changes.length, 'change')} not saved</span>
        <Button
          onClick={() => {
            clearFailure();
            discard();
          }}
        >
          Discard
        </Button>
        <Button type="submit" look="solid" busy={form.formState.isSubmitting} className="min-w-20">
          Save
        </Button>
      </footer>
    </section>
  );
}

const SHOWN_CHARACTERS = 120;
const shorten = (text: string) =>
  showHidden(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
