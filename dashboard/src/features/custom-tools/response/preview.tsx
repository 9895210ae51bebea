// A response as the API sent it and what the rule of the form leaves of it, side by side, with the tokens of both. The server shapes it.

import { Link } from '@tanstack/react-router';
import type { CustomTool, ToolResponsePreview } from '@toolgate/sdk';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button, linkClass } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { controlClass, Field, Options } from '../../../ui/forms/field.tsx';
import { cardClass } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { EmptyState, ErrorAlert } from '../../../ui/states.tsx';
import { percent } from '../../../ui/words.ts';
import type { TryIt } from '../try/state.ts';
import type { Sample, Samples } from './sample.ts';
import type { ShapedResponse } from './shaped.ts';

type Props = { tool: CustomTool; shaped: ShapedResponse; samples: Samples; tryIt: TryIt };

export function ShapedPreview({ tool, shaped, samples, tryIt }: Props) {
  return (
    <section
      aria-label="Raw and shaped"
      className={cn(cardClass, 'grid min-w-0 grid-cols-1 content-start gap-4 p-4 lg:sticky lg:top-16')}
    >
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SampleField samples={samples} />
        <RunButton tool={tool} tryIt={tryIt} onRun={() => samples.choose('')} />
      </div>
      {samples.problem && <p className="text-muted text-xs">{samples.problem}</p>}
      {samples.sample === undefined && <Skeleton className="h-40 w-full" />}
      {samples.sample ? (
        <Sides sample={samples.sample} {...shaped} />
      ) : (
        samples.sample === null && !samples.problem && <NoSample />
      )}
    </section>
  );
}

function SampleField({ samples: { chosen, choose, runs, calls } }: { samples: Samples }) {
  const toOptions = (list: { id: string; label: string }[]) => list.map(({ id, label }) => ({ value: id, label }));
  return (
    <Field label="Sample response" className="flex-1 basis-60">
      {(attributes) => (
        <select
          {...attributes}
          value={chosen}
          onChange={(event) => choose(event.target.value)}
          className={cn(controlClass, 'select-arrow h-8')}
        >
          {runs.length === 0 && <option value="">None yet</option>}
          <Options options={[...toOptions(runs), ...toOptions(calls)]} />
        </select>
      )}
    </Field>
  );
}

/** Only a tool that changes nothing is run from here: the others are run where their arguments are seen. */
function RunButton({ tool, tryIt, onRun }: { tool: CustomTool; tryIt: TryIt; onRun: () => void }) {
  const reason = !tool.listed_annotations.readOnlyHint
    ? 'This tool may change data: run it under “Try it”.'
    : !tool.is_enabled
      ? 'The tool is not enabled.'
      : (tryIt.problem ?? undefined);
  const run = () => {
    onRun();
    tryIt.run();
  };
  return (
    <Button needs="write" disabledReason={reason} busy={tryIt.isRunning} onClick={run}>
      <Play /> Run as in Try it
    </Button>
  );
}

function NoSample() {
  return (
    <EmptyState title="No response yet" compact>
      Run the tool under{' '}
      <Link to="." search={{ tab: 'try-it' }} className={linkClass}>
        Try it
      </Link>
      , or choose a logged call with a recorded payload, to see its trimmed response.
    </EmptyState>
  );
}

function Sides({ sample, preview, error, isFetching }: ShapedResponse & { sample: Sample }) {
  const raw = sample.tokens ?? preview?.result_tokens ?? null;
  return (
    <>
      {sample.isRecorded && (
        <p className="text-muted text-xs">
          Recorded payloads are shaped and redacted before they are kept, so this response is not complete.
        </p>
      )}
      <div className="grid min-w-0 grid-cols-1 gap-3 md:grid-cols-2">
        <Side title="Raw" tokens={raw}>
          <CodeBlock code={indented(sample.text)} label="Raw response" />
        </Side>
        <Side title="Shaped" tokens={preview?.shaped_tokens ?? null} of={raw} isOld={isFetching || error !== null}>
          {error && !preview ? <ErrorAlert error={error} /> : <Shaped preview={preview} />}
        </Side>
      </div>
      {preview && <Truncated preview={preview} />}
    </>
  );
}

/** `isOld`: of the rule before the last change. */
type SideProps = { title: string; tokens: number | null; of?: number | null; isOld?: boolean; children: ReactNode };

function Side({ title, tokens, of = null, isOld = false, children }: SideProps) {
  const saved = tokens !== null && of !== null && of > 0 && tokens < of ? 1 - tokens / of : 0;
  return (
    <section aria-label={title} className="grid min-w-0 grid-cols-1 content-start gap-1.5">
      <div className="flex h-5 items-center gap-2">
        <h2 className="font-medium">{title}</h2>
        <span className="text-muted text-xs tabular-nums">
          {tokens === null ? '' : `${tokens.toLocaleString('en')} tokens`}
        </span>
        {isOld && <Badge>before the change</Badge>}
        {!isOld && saved > 0 && <Badge tone="success">−{percent(saved)}</Badge>}
      </div>
      {children}
    </section>
  );
}

function Shaped({ preview }: { preview: ToolResponsePreview | undefined }) {
  if (!preview) return <Skeleton className="h-40 w-full" />;
  const { body, problem } = preview;
  if (problem)
    return (
      <div className="rounded-md bg-danger-soft p-3 text-danger text-xs">
        <p>
          A call with this response fails: {problem.message} (<code>{problem.code}</code>)
        </p>
        <p className="mt-1 text-ink">{problem.remedy}</p>
      </div>
    );
  return <CodeBlock code={indented(body ?? '')} label="Shaped response" />;
}

/** What is cut, and the sentence that a model reads. */
function Truncated({ preview: { truncation, truncation_text } }: { preview: ToolResponsePreview }) {
  if (!truncation) return null;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2 rounded-md border border-line bg-canvas p-3 text-xs">
      <p className="break-words">
        <span className="font-medium">The model reads:</span> {truncation_text}
      </p>
      {truncation.paths.length > 0 && (
        <ul aria-label="What is cut" className="grid gap-1 text-muted">
          {truncation.paths.map(({ path, kept, total }) => (
            <li key={path} className="break-words">
              <code className="text-ink">{path}</code>: {kept.toLocaleString('en')} of{' '}
              {total?.toLocaleString('en') ?? 'more'}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Text that is not JSON stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
