// Recorded arguments and results. What the server replaced before it kept them is marked.

import { Fragment } from 'react';
import { CopyIcon } from './copy.tsx';

const MARK = '"[redacted]"';

export function RedactedJson({ value, label }: { value: unknown; label: string }) {
  // Text, if it was cut: then it is no longer JSON.
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const parts = text.split(MARK);
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="max-h-80 overflow-auto rounded-md">
        <pre className="w-max min-w-full p-3 pr-10 text-xs leading-5">
          <code>
            {parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
              <Fragment key={index}>
                {index > 0 && (
                  <mark title="Redacted before it was recorded" className="rounded bg-warning-soft px-1 text-warning">
                    redacted
                  </mark>
                )}
                {part}
              </Fragment>
            ))}
          </code>
        </pre>
      </section>
      <CopyIcon text={text} label={`Copy ${label}`} className="absolute top-1.5 right-1.5 bg-sunken" />
    </div>
  );
}
