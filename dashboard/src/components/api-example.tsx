// The same over the API, below the action of an empty list: a command to paste, and the page of the reference.

import { inlineLinkClass } from './button.tsx';
import { CodeBlock } from './code-block.tsx';

/** `tag`: the part of the reference, as its address has it. */
export function ApiExample({ code, tag }: { code: string; tag: string }) {
  return (
    <div className="mx-auto -mt-6 max-w-xl px-6 pb-10">
      <p className="mb-1.5 flex justify-between gap-3 text-muted text-xs">
        Or over the API
        <a href={`/docs#tag/${tag}`} className={inlineLinkClass}>
          API reference
        </a>
      </p>
      <CodeBlock code={code} label="Request" />
    </div>
  );
}
