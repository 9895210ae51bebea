// A request before it is sent: what is wrong with it, URL, headers and body.

import type { ToolRequestPreview } from '@toolgate/sdk';
import { type ReactNode, useId } from 'react';
import { cn } from '../../../ui/class-names.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyIcon } from '../../../ui/copy.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { MethodBadge } from '../facts.tsx';

/** `children`: below the body. */
export function RequestView({ preview, children }: { preview: ToolRequestPreview; children?: ReactNode }) {
  return (
    <>
      <RequestPart name="URL">
        <p className="flex min-w-0 items-start gap-2">
          <MethodBadge method={preview.method} />
          <code className="min-w-0 flex-1 break-all text-xs leading-5">
            {preview.url ?? 'Not known until the arguments are valid'}
          </code>
          {preview.url && <CopyIcon text={preview.url} label="Copy URL" />}
        </p>
      </RequestPart>
      {preview.url && <Headers headers={preview.headers} />}
      {preview.body !== null && <CodeBlock code={readable(preview.body)} label="Body" />}
      {children}
    </>
  );
}

export function RequestPart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div className="mb-1 text-muted text-xs">{name}</div>
      {children}
    </div>
  );
}

export function RequestSkeleton() {
  return (
    <div className="grid gap-3">
      {['w-full', 'w-4/5', 'w-3/5', 'w-11/12', 'w-2/5'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}

export type RequestProblem = { field: string; message: string; code?: string };

export function RequestProblems({ problems }: { problems: RequestProblem[] }) {
  const title = useId();
  if (problems.length === 0) return null;
  return (
    <div className="min-w-0 rounded-md border border-warning/30 bg-warning-soft px-3 py-2">
      <p id={title} className="font-medium text-warning">
        Why a call would be refused
      </p>
      <ul aria-labelledby={title} className="mt-1 grid gap-0.5 text-xs">
        {problems.map(({ field, message, code }) => (
          <li key={`${code} ${field} ${message}`} className="break-words">
            {field && <code className="mr-1.5">{field}</code>}
            {message} {code && <code className="text-faint">{code}</code>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Headers({ headers }: { headers: Record<string, string> }) {
  return (
    <RequestPart name="Headers">
      <dl className="@container grid min-w-0 gap-1 rounded-md border border-line bg-sunken p-3 font-mono text-xs">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="grid min-w-0 gap-x-3 @md:grid-cols-[11rem_1fr]">
            <dt className="truncate text-muted">{name}</dt>
            <dd className={cn('min-w-0 break-all', value.includes('[redacted]') && 'text-faint')}>{value}</dd>
          </div>
        ))}
      </dl>
    </RequestPart>
  );
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // not JSON: as it is
  }
}
