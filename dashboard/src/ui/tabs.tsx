// Tabs. With `name` the open tab is in the URL under it.

import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';
import { type SearchName, useFilters } from './search.ts';

export type Tab = {
  id: string;
  label: ReactNode;
  content: ReactNode;
  /** What was typed into it stays while another tab is open. */
  isKept?: boolean;
};

const tabClass =
  'relative -mb-px h-9 shrink-0 whitespace-nowrap border-b-2 border-transparent px-1 font-medium text-muted hover:text-ink data-active:border-ink data-active:text-ink';

/** The tabs of a page. */
export function PageTabs({ label, tabs, name = 'tab' }: { label: string; tabs: Tab[]; name?: SearchName }) {
  const { values, set } = useFilters();
  const first = tabs[0]?.id ?? '';
  const open = tabs.some(({ id }) => id === values[name]) ? values[name] : first;
  return (
    <Base.Root value={open} onValueChange={(id: string) => set({ [name]: id === first ? undefined : id })}>
      <Base.List aria-label={label} className="mb-5 flex gap-5 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <Base.Tab key={tab.id} value={tab.id} className={tabClass}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} keepMounted={tab.isKept ?? false} className="rounded-md">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/** Small tabs inside of a card or dialog; not in the URL. */
export function SmallTabs({ label, tabs, className }: { label: string; tabs: Tab[]; className?: string }) {
  return (
    <Base.Root defaultValue={tabs[0]?.id ?? ''} className={cn('min-w-0', className)}>
      <Base.List aria-label={label} className="mb-2 flex gap-1 overflow-x-auto">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.id}
            value={tab.id}
            className="h-7 shrink-0 whitespace-nowrap rounded-md px-2 font-medium text-muted text-xs hover:text-ink data-active:bg-hover data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="rounded-md">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
