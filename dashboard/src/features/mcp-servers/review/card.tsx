// One tool that waits for approval: its warnings, the name that it gets, and its definition beside the approved one.

import { blocksApproval } from '@toolgate/contract/mcp-servers/rules.ts';
import type { PendingTool } from '@toolgate/sdk';
import { memo, useEffect, useId, useRef } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { cn } from '../../../ui/class-names.ts';
import { Checkbox, controlClass, Field } from '../../../ui/forms/field.tsx';
import { JsonView } from '../../../ui/forms/json.tsx';
import { Name } from '../../../ui/name.tsx';
import { cardClass } from '../../../ui/section.tsx';
import { count, showHidden } from '../../../ui/words.ts';
import { DefinitionPartView } from './difference.tsx';
import { lineKey, partsOf } from './lines.ts';
import { ViewReview } from './view.tsx';
import { Warnings } from './warnings.tsx';

export const isBlocked = ({ warnings }: PendingTool) => warnings.some(({ code }) => blocksApproval(code));

type Props = {
  serverId: string;
  tool: PendingTool;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  /** The name that it gets; undefined: as proposed. */
  rename: string | undefined;
  onRename: (name: string) => void;
  /** Why the API refused this tool, and with it all of the selected ones. */
  problem: string | undefined;
};

export function PendingToolCard({ serverId, tool, isSelected, onSelect, rename, onRename, problem }: Props) {
  const id = useId();
  const { upstream_name, kind, warnings } = tool;
  return (
    <li aria-labelledby={id} className={cn(cardClass, 'min-w-0 p-4', isSelected && 'border-accent')}>
      <div className="grid grid-cols-1 gap-4">
        <header className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <Checkbox
            aria-label={`Select ${showHidden(upstream_name)}`}
            checked={isSelected}
            onChange={(event) => onSelect(event.target.checked)}
          />
          <h2 id={id} className="min-w-0 break-all font-medium font-mono">
            <Name text={upstream_name} />
          </h2>
          <Badge tone={kind === 'new' ? 'accent' : 'warning'}>{kind}</Badge>
          {warnings.length > 0 && <Badge tone="warning">{count(warnings.length, 'warning')}</Badge>}
          {isBlocked(tool) && <Badge tone="danger">cannot be approved</Badge>}
        </header>
        {problem !== undefined && kind === 'changed' && <Problem text={problem} />}
        <Warnings warnings={warnings} />
        {kind === 'new' ? (
          <NameField tool={tool} value={rename ?? tool.name} onChange={onRename} problem={problem} />
        ) : (
          <p className="text-muted text-xs">
            In this project it is <code className="text-ink">{tool.name}</code>. Until you approve the change, models
            get the approved definition.
          </p>
        )}
        <ViewReview serverId={serverId} tool={tool} />
        <Definition tool={tool} />
      </div>
    </li>
  );
}

function Problem({ text }: { text: string }) {
  const ref = useRef<HTMLParagraphElement>(null);
  // In braces: what browsers return from it is no clean-up.
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <p ref={ref} className="rounded-md bg-danger-soft px-3 py-2 text-danger">
      {text}
    </p>
  );
}

type NameProps = { tool: PendingTool; value: string; onChange: (name: string) => void; problem: string | undefined };

function NameField({ tool, value, onChange, problem }: NameProps) {
  const input = useRef<HTMLInputElement>(null);
  // Where the person has to look: the button that was pressed is at the end of a long page.
  useEffect(() => {
    if (problem !== undefined) input.current?.focus();
  }, [problem]);
  return (
    <Field
      label="Name in this project"
      hint={value === tool.name ? undefined : `Proposed: ${tool.name}`}
      error={problem}
      className="max-w-md"
    >
      {(attributes) => (
        <input
          {...attributes}
          ref={input}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cn(controlClass, 'h-8 font-mono text-xs')}
        />
      )}
    </Field>
  );
}

/** Kept while somebody types a name: it may be long. */
const Definition = memo(({ tool }: { tool: PendingTool }) => {
  const { definition, approved, warnings, kind, upstream_name } = tool;
  const parts = partsOf(definition, approved).filter(
    ({ path, old, now }) =>
      kind === 'new' ||
      JSON.stringify(old?.map(lineKey)) !== JSON.stringify(now?.map(lineKey)) ||
      warnings.some((warning) => `${warning.path}/`.startsWith(`${path}/`)),
  );
  return (
    <div className="grid grid-cols-1 gap-4">
      {parts.map((part) => (
        <DefinitionPartView
          key={part.path}
          part={part}
          tool={showHidden(upstream_name)}
          warnings={warnings}
          isNew={kind === 'new'}
        />
      ))}
      {kind === 'changed' && (
        <details className="min-w-0">
          <summary className="w-fit cursor-pointer rounded text-muted text-xs">The whole current definition</summary>
          <div className="mt-2">
            <JsonView value={definition} label={`Definition of ${showHidden(upstream_name)}`} />
          </div>
        </details>
      )}
    </div>
  );
});
