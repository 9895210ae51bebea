// Text that somebody chose: the name of a key, a project, a person. Every place that shows one uses this component, or showHidden
// where only text fits. Its direction does not change the text around it, and characters that nobody sees are marked.

import type { ReactNode } from 'react';
import { codePoint, splitAtHidden } from './words.ts';

export function Name({ text, className }: { text: string; className?: string }) {
  const parts = splitAtHidden(text);
  return (
    <bdi className={className}>
      {parts.map((part, index) =>
        part.isHidden ? (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
            key={index}
            title="An invisible character"
            className="mx-px inline-block rounded bg-warning-soft px-0.5 align-baseline font-mono font-normal text-2xs text-warning"
          >
            {codePoint(part.text)}
          </span>
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

/** For components whose content may be text that somebody chose. */
export const withMarks = (content: ReactNode): ReactNode =>
  typeof content === 'string' ? <Name text={content} /> : content;
