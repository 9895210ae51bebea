// Code to copy: one block, or the same thing in several languages.

import { inlineLinkClass } from './button.tsx';
import { cn } from './class-names.ts';
import { CopyIcon } from './copy.tsx';
import { SmallTabs } from './tabs.tsx';

export function CodeBlock({ code, label, className }: { code: string; label: string; className?: string }) {
  return (
    <div className={cn('relative min-w-0 rounded-md border border-line bg-sunken', className)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="mr-9 max-h-80 overflow-auto rounded-md">
        <pre className="w-max min-w-full p-3 text-xs leading-5">
          <code>{code}</code>
        </pre>
      </section>
      <CopyIcon text={code} label={`Copy ${label}`} className="absolute top-1.5 right-1.5" />
    </div>
  );
}

/** `hint`: where it goes, such as the name of a file. `link`: a program that puts it there itself. */
export type Snippet = { name: string; code: string; hint?: string; link?: { label: string; href: string } | undefined };

export function Snippets({ label, snippets }: { label: string; snippets: Snippet[] }) {
  return (
    <SmallTabs
      label={label}
      tabs={snippets.map(({ name, code, hint, link }) => ({
        id: name,
        label: name,
        content: (
          <>
            {hint && <p className="mb-2 text-muted text-xs">{hint}</p>}
            <CodeBlock code={code} label={name} />
            {link && (
              <a href={link.href} className={cn(inlineLinkClass, 'mt-2 inline-block')}>
                {link.label}
              </a>
            )}
          </>
        ),
      }))}
    />
  );
}
