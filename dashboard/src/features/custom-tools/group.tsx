// A titled part of a form, which says how many of its fields are wrong.

import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { Badge } from '../../ui/badge.tsx';
import { count } from '../../ui/words.ts';

type GroupProps = {
  title: string;
  text?: ReactNode;
  /** The names of its fields in the form. */
  fields?: readonly string[];
  children: ReactNode;
};

export function Group({ title, text, fields = [], children }: GroupProps) {
  const { errors } = useFormContext().formState;
  const wrong = wrongFields(errors, fields);
  return (
    <section
      data-section={title}
      className="grid min-w-0 grid-cols-1 gap-4 border-line border-t pt-5 first:border-t-0 first:pt-0"
    >
      <div>
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="font-semibold">{title}</h2>
          {wrong.length > 0 && <Badge tone="danger">{count(wrong.length, 'error')}</Badge>}
        </div>
        {text && <p className="text-muted text-xs">{text}</p>}
      </div>
      {children}
    </section>
  );
}

/** Those of `fields` that have an error. The errors of the schema have flat names, such as `auth_config.scope`. */
export function wrongFields(errors: object, fields: readonly string[]): string[] {
  const names = new Set(Object.keys(errors).map((name) => name.split('.')[0]));
  return fields.filter((field) => names.has(field));
}
