// Below the action of an empty list: the same over the API as a command to paste, and the page of the reference.

import { inlineLinkClass } from './button.tsx';
import { CodeBlock } from './code-block.tsx';

/** `tag`: the part of the reference, as its URL has it. `label`: the name of the code, if the page has a second one. */
type ApiExampleProps = { code: string; tag: string; title?: string; label?: string };

export function ApiExample({ code, tag, title = 'Or over the API', label = 'Request' }: ApiExampleProps) {
  return (
    <div className="mx-auto -mt-6 max-w-xl px-6 pb-10">
      <p className="mb-1.5 flex justify-between gap-3 text-muted text-xs">
        {title}
        <a href={`/docs/api#api/tag/${tag}`} className={inlineLinkClass}>
          API reference
        </a>
      </p>
      <CodeBlock code={code} label={label} />
    </div>
  );
}
