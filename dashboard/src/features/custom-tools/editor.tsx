// The form of a tool as a page: the fields, beside them the request that follows from them, and below both the bar that saves.

import type { CustomTool } from '@toolgate/sdk';
import type { ReactNode } from 'react';
import { cn } from '../../ui/class-names.ts';
import { type ApiForm, Form, FormFailure } from '../../ui/forms/form.tsx';
import { cardClass } from '../../ui/section.tsx';
import { ToolFieldset } from './form.tsx';
import { wrongFields } from './group.tsx';
import { RequestPanel } from './request/panel.tsx';
import { allSections } from './sections.ts';
import type { ToolValues } from './values.ts';

type EditorProps = {
  form: ApiForm<ToolValues>;
  tool: CustomTool | null;
  label: string;
  /** Why nothing can be changed. */
  disabledReason?: string | undefined;
  /** Whether the form is in front. */
  isShown?: boolean;
  /** What is said in the bar while nothing is wrong. */
  status: ReactNode;
  /** The buttons of the bar. */
  children: ReactNode;
};

export function ToolEditor({ form, tool, label, disabledReason, isShown = true, status, children }: EditorProps) {
  const columns = tool?.source ? 'max-w-3xl' : 'xl:grid-cols-[minmax(0,1fr)_24rem]';
  return (
    // What gets the focus is behind neither the bar nor the head of the page.
    <Form form={form} label={label} className="[&_:is(input,select,textarea,button,summary)]:scroll-my-24">
      {disabledReason && <p className="text-muted">{disabledReason}</p>}
      <div className={cn('grid grid-cols-1 items-start gap-5', columns)}>
        <fieldset disabled={disabledReason !== undefined} className={cn(cardClass, 'min-w-0 p-5')}>
          <ToolFieldset tool={tool} />
        </fieldset>
        {!tool?.source && <RequestPanel isShown={isShown} />}
      </div>
      <EditorBar form={form} status={status}>
        {children}
      </EditorBar>
    </Form>
  );
}

/** Always in view: Save is at hand wherever somebody types. */
function EditorBar({ form, status, children }: Pick<EditorProps, 'form' | 'status' | 'children'>) {
  const wrong = allSections.filter(({ fields }) => wrongFields(form.formState.errors, fields).length > 0);
  return (
    <div className="sticky bottom-3 z-20 grid grid-cols-1 gap-3 rounded-lg border border-line-strong bg-raised p-3 shadow-pop">
      <FormFailure failure={form.failure} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <div className="min-w-0 flex-1 basis-48 text-muted text-xs">
          {wrong.length > 0 ? <WrongSections titles={wrong.map(({ title }) => title)} /> : status}
        </div>
        {children}
      </div>
    </div>
  );
}

/** Each leads to its first wrong field. */
function WrongSections({ titles }: { titles: string[] }) {
  const focus = (title: string) =>
    document.querySelector<HTMLElement>(`[data-section=${JSON.stringify(title)}] [aria-invalid=true]`)?.focus();
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-danger">
      To correct:
      {titles.map((title) => (
        <button key={title} type="button" className="underline underline-offset-2" onClick={() => focus(title)}>
          {title}
        </button>
      ))}
    </p>
  );
}
