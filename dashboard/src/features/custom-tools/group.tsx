// A titled part of the form of a tool.

import type { ReactNode } from 'react';

export function Group({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-4 border-line border-t pt-5 first:border-t-0 first:pt-0">
      <div>
        <h2 className="font-semibold">{title}</h2>
        {text && <p className="text-muted text-xs">{text}</p>}
      </div>
      {children}
    </section>
  );
}
