// The tab "Try it": arguments on the left, what came of the call beside them, and the request that they make below.

import type { CustomTool } from '@toolgate/sdk';
import { BookmarkPlus, Play, RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cn } from '../../../ui/class-names.ts';
import { controlClass, Field, Options } from '../../../ui/forms/field.tsx';
import { useProjectChange } from '../../../ui/project-change.ts';
import { cardClass, Section } from '../../../ui/section.tsx';
import { Time } from '../../../ui/time.tsx';
import { ArgumentFields } from './arguments.tsx';
import { RequestPreview } from './preview.tsx';
import { ResultView } from './result.tsx';
import type { Run, TryIt } from './state.ts';

type Props = { tool: CustomTool; tryIt: TryIt };

export function TryItTab({ tool, tryIt }: Props) {
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <CallForm tool={tool} tryIt={tryIt} />
        <ResultView tool={tool} run={tryIt.runs[0]} isRunning={tryIt.isRunning} />
      </div>
      <RequestPreview tool={tool} tryIt={tryIt} />
      {tryIt.runs.length > 0 && <History tryIt={tryIt} />}
    </div>
  );
}

function CallForm({ tool, tryIt }: Props) {
  const disabledReason = tryIt.problem ?? undefined;
  return (
    <form
      aria-label="Try it"
      onSubmit={(event) => {
        event.preventDefault();
        if (!tryIt.isRunning && tryIt.args !== null) tryIt.run();
      }}
      className={cn(cardClass, 'grid grid-cols-1 gap-4 p-4')}
    >
      <RunAs tool={tool} tryIt={tryIt} />
      <ArgumentFields tool={tool} tryIt={tryIt} />
      <ArgumentsJson tryIt={tryIt} />
      {!tool.is_enabled && (
        <p className="text-warning text-xs">The tool is disabled, so calls are refused. Enable it under Definition.</p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SaveExample tool={tool} tryIt={tryIt} />
        <Button
          type="submit"
          look="solid"
          needs="write"
          disabledReason={disabledReason}
          busy={tryIt.isRunning}
          className="min-w-24"
        >
          <Play /> Run
        </Button>
      </div>
    </form>
  );
}

const callers = [
  { value: 'project', label: 'The project' },
  { value: 'member', label: 'A test member' },
];

function RunAs({ tool, tryIt }: { tool: CustomTool; tryIt: TryIt }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        label="Run as"
        hint={tool.source ? 'The call is marked as a test in the log.' : 'Your API gets X-Toolgate-Test: true'}
      >
        {(attributes) => (
          <select
            {...attributes}
            value={tryIt.runAs}
            onChange={(event) => tryIt.setRunAs(event.target.value as TryIt['runAs'])}
            className={cn(controlClass, 'select-arrow h-8')}
          >
            <Options options={callers} />
          </select>
        )}
      </Field>
      {tryIt.runAs === 'member' && (
        <Field label="External id" hint="In production it must begin with test_">
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              spellCheck={false}
              autoComplete="off"
              value={tryIt.member}
              onChange={(event) => tryIt.setMember(event.target.value)}
              className={cn(controlClass, 'h-8')}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function ArgumentsJson({ tryIt: { text, setText, problem } }: { tryIt: TryIt }) {
  return (
    <Field label="Arguments" hint="As JSON; the fields above change it" error={problem ?? undefined}>
      {(attributes) => (
        <textarea
          {...attributes}
          rows={Math.min(14, Math.max(4, text.split('\n').length))}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={cn(controlClass, 'py-2 font-mono text-xs leading-5')}
        />
      )}
    </Field>
  );
}

/** The first of the schema's `examples`: shown here at first, and to models. */
function SaveExample({ tool, tryIt }: Props) {
  const save = useProjectChange({
    change: (toolgate) =>
      toolgate.customTools.update(tool.id, { input_schema: { ...tool.input_schema, examples: [tryIt.args] } }),
    invalidates: ['custom-tools'],
    done: ({ version }) => `Saved as the example of the tool, version ${version}`,
  });
  return (
    <Button
      look="ghost"
      needs="write"
      disabledReason={tryIt.problem ?? undefined}
      busy={save.isPending}
      onClick={() => save.mutate()}
    >
      <BookmarkPlus /> Save as example
    </Button>
  );
}

function History({ tryIt }: { tryIt: TryIt }) {
  return (
    <Section title="History">
      <ul aria-label="History" className={cn(cardClass, 'divide-y divide-line')}>
        {tryIt.runs.map((run) => (
          <HistoryRow key={run.number} run={run} onUse={() => tryIt.use(run)} />
        ))}
      </ul>
    </Section>
  );
}

function HistoryRow({ run, onUse }: { run: Run; onUse: () => void }) {
  const id = useId();
  return (
    <li className="flex min-w-0 items-center gap-3 px-4 py-2">
      <StatusBadge status={run.result ? 'succeeded' : 'failed'} />
      <code id={id} className="min-w-0 flex-1 truncate text-muted text-xs">
        {JSON.stringify(run.args)}
      </code>
      <span className="hidden text-faint text-xs sm:inline">{run.member ?? 'project'}</span>
      <span className="hidden text-faint text-xs sm:inline">
        <Time value={run.at} />
      </span>
      <Button size="sm" aria-describedby={id} onClick={onUse}>
        <RotateCcw /> Use again
      </Button>
    </li>
  );
}
