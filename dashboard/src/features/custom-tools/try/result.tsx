// The region "Result": what the API returned, the time of each stage, the same call over MCP, and where a refused call ended.

import { Link } from '@tanstack/react-router';
import { type CustomTool, type ToolExecutionResult, ToolgateError } from '@toolgate/sdk';
import { useEffect, useRef } from 'react';
import { useProjectId } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { linkClass } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyableCode } from '../../../ui/copy.tsx';
import { JsonView } from '../../../ui/forms/json.tsx';
import { cardClass } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { EmptyState, ErrorAlert } from '../../../ui/states.tsx';
import { SmallTabs } from '../../../ui/tabs.tsx';
import { StoredFile } from '../../files/file.tsx';
import { mcpRequest, mcpResponse } from './mcp.ts';
import type { Run } from './state.ts';
import { Timing, Trace, useCallRecord } from './timing.tsx';

type Props = { tool: CustomTool; run: Run | undefined; isRunning: boolean };

/** Beside the form it stays in view while a long form scrolls; below it, on a narrow screen, it is scrolled to. */
export function ResultView({ tool, run, isRunning }: Props) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isRunning) region.current?.scrollIntoView({ block: 'nearest' });
  }, [isRunning]);
  return (
    <section
      ref={region}
      aria-label="Result"
      aria-busy={isRunning}
      className={cn(
        cardClass,
        'min-h-36 min-w-0 scroll-my-16 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto',
      )}
    >
      {/* A screen reader hears that there is a response, not all of it. */}
      <p role="status" className="sr-only">
        {isRunning
          ? 'Running'
          : run
            ? run.result
              ? `Response with status ${run.result.status}`
              : 'The call failed'
            : ''}
      </p>
      {isRunning ? <Running /> : run ? <Responded key={run.number} tool={tool} run={run} /> : <NotRun />}
    </section>
  );
}

const NotRun = () => (
  <EmptyState title="Not run yet">Run the tool to see its response, its timing and the model's view.</EmptyState>
);

function Running() {
  return (
    <div className="grid gap-3 p-4">
      <div aria-hidden className="flex items-center gap-3">
        <span className="font-medium">Result</span>
        <Badge>Running…</Badge>
      </div>
      <Skeleton className="w-3/4" />
      <Skeleton className="w-1/2" />
    </div>
  );
}

function Responded({ tool, run }: { tool: CustomTool; run: Run }) {
  const record = useCallRecord(run);
  const timing = { id: 'timing', label: 'Timing', content: <Timing record={record} /> };
  const mcp = { id: 'mcp', label: 'MCP', content: <McpView tool={tool} run={run} /> };
  const trace = { id: 'trace', label: 'Trace', content: <Trace record={record} body={upstreamBody(run.error)} /> };
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <Head run={run} callId={record.callId} />
      {run.result ? (
        <SmallTabs
          label="Result"
          tabs={[
            { id: 'body', label: 'Body', content: <BodyView run={run} /> },
            ...wholeBody(run.result),
            { id: 'headers', label: 'Headers', content: <HeadersView run={run} /> },
            timing,
            mcp,
            trace,
          ]}
        />
      ) : (
        <>
          <ErrorAlert error={run.error}>
            <WrongArguments error={run.error} />
          </ErrorAlert>
          <SmallTabs label="Result" tabs={[trace, ...refusedBody(run.error), timing, mcp]} />
        </>
      )}
    </div>
  );
}

function Head({ run: { result, error, member }, callId }: { run: Run; callId: string | null }) {
  const projectId = useProjectId();
  const status = result?.status ?? (error instanceof ToolgateError ? error.status : null);
  const code = error instanceof ToolgateError ? error.code : null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="font-medium">Result</h2>
      <Badge tone={result ? 'success' : 'danger'}>
        {status ?? 'no response'}
        {code && ` ${code}`}
      </Badge>
      {result && <span className="text-muted text-xs tabular-nums">{result.duration_ms} ms</span>}
      {member !== null && <span className="truncate text-muted text-xs">as {member}</span>}
      {callId && (
        <span className="ml-auto flex min-w-0 items-center gap-2 text-xs">
          <CopyableCode text={callId} label="Copy call id" />
          <Link
            to="/projects/$projectId/logs"
            params={{ projectId }}
            search={{ call: callId }}
            className={cn(linkClass, 'whitespace-nowrap')}
          >
            In the log
          </Link>
        </span>
      )}
    </div>
  );
}

function BodyView({ run: { result } }: { run: Run }) {
  if (!result) return null;
  if (result.file) return <StoredFile file={result.file} />;
  return (
    <>
      {typeof result.body === 'string' ? (
        <CodeBlock code={result.body} label="Response" />
      ) : (
        <JsonView value={result.body} label="Response" />
      )}
      <p className="mt-1.5 text-muted text-xs tabular-nums">{tokensOf(result)}</p>
      {result.truncated && (
        <p className="mt-1.5 text-warning text-xs">
          {result.truncation
            ? `Not everything is shown: ${result.truncation.paths.map(cutOf).join(', ')}.`
            : "The response was longer than the project's limit, and is cut."}
        </p>
      )}
    </>
  );
}

/** Only of a tool that shapes its responses. */
function wholeBody(result: ToolExecutionResult) {
  if (!('raw_body' in result)) return [];
  const { raw_body } = result;
  const content =
    typeof raw_body === 'string' ? (
      <CodeBlock code={raw_body} label="Whole response" />
    ) : (
      <JsonView value={raw_body} label="Whole response" />
    );
  return [{ id: 'raw', label: 'Raw', content }];
}

function tokensOf({ result_tokens, shaped_tokens }: ToolExecutionResult): string {
  const all = `${result_tokens.toLocaleString('en')} tokens`;
  if (result_tokens === shaped_tokens) return all;
  return `${shaped_tokens.toLocaleString('en')} of ${all}: the rest is left out by “Response” of the tool`;
}

type Cut = NonNullable<ToolExecutionResult['truncation']>['paths'][number];

const cutOf = ({ path, kept, total }: Cut) =>
  `${kept.toLocaleString('en')} of ${total?.toLocaleString('en') ?? 'more'} of ${path}`;

function HeadersView({ run: { result } }: { run: Run }) {
  const rows = [
    ['status', String(result?.status)],
    ['content-type', result?.content_type ?? 'none'],
  ];
  return (
    <>
      <dl className="grid gap-1 rounded-md border border-line bg-sunken p-3 font-mono text-xs">
        {rows.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[8rem_1fr] gap-3">
            <dt className="text-muted">{name}</dt>
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-1.5 text-muted text-xs">toolgate doesn't pass on your API's other headers.</p>
    </>
  );
}

function WrongArguments({ error }: { error: unknown }) {
  const { problems } = (error instanceof ToolgateError ? error.details : {}) as {
    problems?: { field: string; message: string }[];
  };
  if (!problems) return null;
  return (
    <ul className="mt-1 text-ink text-xs">
      {problems.map(({ field, message }) => (
        <li key={`${field} ${message}`} className="break-words">
          <code>{field}</code> {message}
        </li>
      ))}
    </ul>
  );
}

/** What the customer's API returned, if it did. Whoever ran the tool is told, whether payloads are recorded or not. */
function upstreamBody(error: unknown): string | null {
  const body = error instanceof ToolgateError ? error.details.body : undefined;
  return typeof body === 'string' ? body : null;
}

function refusedBody(error: unknown) {
  const body = upstreamBody(error);
  if (body === null) return [];
  return [{ id: 'body', label: 'Body', content: <CodeBlock code={body || '(empty)'} label="Response of your API" /> }];
}

function McpView({ tool, run }: { tool: CustomTool; run: Run }) {
  const response = mcpResponse(tool.name, run);
  return (
    <div className="grid min-w-0 gap-3">
      <div className="min-w-0">
        <h3 className="mb-1 text-muted text-xs">What an MCP client sends</h3>
        <JsonView value={mcpRequest(tool.name, run)} label="MCP request" />
      </div>
      <div className="min-w-0">
        <h3 className="mb-1 text-muted text-xs">
          What it gets{response && `, with the HTTP status ${response.status}`}
        </h3>
        {response ? (
          <JsonView value={response.message} label="MCP response" />
        ) : (
          <p className="text-muted">toolgate did not respond.</p>
        )}
        {run.result && tool.output_schema && (
          <p className="mt-1.5 text-muted text-xs">
            If the response doesn't match the output schema, the client gets an error result instead.
          </p>
        )}
      </div>
    </div>
  );
}
