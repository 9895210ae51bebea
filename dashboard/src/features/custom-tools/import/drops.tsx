// What an import proposes to leave out of the results of a tool, with the tokens that each part saves, to accept or not.

import type { ToolImport } from '@toolgate/sdk';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/forms/field.tsx';
import { count } from '../../../ui/words.ts';
import type { Operation } from './choice.ts';

/** The accepted paths by the names of tools. */
export type Drops = ReadonlyMap<string, ReadonlySet<string>>;

type Proposal = ToolImport['created'][number]['proposed_drop'][number];

const reasons: Record<Proposal['reason'], string> = {
  link: 'link',
  avatar: 'picture',
  null: 'always null',
  audit: 'audit field',
};

const tokensOf = (proposals: Proposal[]) => proposals.reduce((sum, { tokens }) => sum + tokens, 0);

/** For the request: only tools that are imported. */
export function dropOf(operations: Operation[], drops: Drops): { drop?: Record<string, string[]> } {
  const accepted = operations.flatMap(({ name, proposed_drop }) => {
    const paths = proposed_drop.map(({ path }) => path).filter((path) => drops.get(name)?.has(path));
    return paths.length > 0 ? [[name, paths] as const] : [];
  });
  return accepted.length > 0 ? { drop: Object.fromEntries(accepted) } : {};
}

function withAll(drops: Drops, operations: Operation[], isOn: boolean): Drops {
  const paths = ({ proposed_drop }: Operation) => (isOn ? proposed_drop.map(({ path }) => path) : []);
  return new Map([...drops, ...operations.map((each) => [each.name, new Set(paths(each))] as const)]);
}

type AllProps = { operations: Operation[]; drops: Drops; onChange: (drops: Drops) => void };

/** For the chosen operations. */
export function AllDrops({ operations, drops, onChange }: AllProps) {
  const proposing = operations.filter(({ proposed_drop }) => proposed_drop.length > 0);
  if (proposing.length === 0) return null;
  const all = proposing.flatMap(({ proposed_drop }) => proposed_drop);
  const accepted = Object.values(dropOf(proposing, drops).drop ?? {}).flat().length;
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
      <p className="min-w-0 flex-1 basis-60 text-muted text-xs">
        Models rarely need {count(all.length, 'part')} of the results: links, pictures, nulls and audit fields in{' '}
        {count(proposing.length, 'tool')}. {accepted.toLocaleString('en')} are dropped.
      </p>
      <Button size="sm" onClick={() => onChange(withAll(drops, proposing, true))}>
        Drop all
      </Button>
      <Button size="sm" look="ghost" onClick={() => onChange(withAll(drops, proposing, false))}>
        Drop none
      </Button>
    </div>
  );
}

type ToolProps = { row: Operation; accepted: ReadonlySet<string>; onChange: (paths: ReadonlySet<string>) => void };

export function ToolDrops({ row: { name, proposed_drop }, accepted, onChange }: ToolProps) {
  if (proposed_drop.length === 0) return null;
  const toggle = (path: string, isOn: boolean) => {
    const next = new Set(accepted);
    if (isOn) next.add(path);
    else next.delete(path);
    onChange(next);
  };
  const chosen = proposed_drop.filter(({ path }) => accepted.has(path));
  return (
    <details className="mt-1.5 pl-7 text-xs">
      <summary className="w-fit cursor-pointer rounded text-muted">
        {count(proposed_drop.length, 'part')} to drop, {tokensOf(proposed_drop).toLocaleString('en')} tokens for 10
        items
        {chosen.length > 0 && ` · ${chosen.length} accepted`}
      </summary>
      <fieldset className="mt-1.5 grid gap-1">
        <legend className="sr-only">What to drop from the results of {name}</legend>
        {proposed_drop.map((proposal) => (
          <ProposalRow
            key={proposal.path}
            proposal={proposal}
            isOn={accepted.has(proposal.path)}
            onChange={(isOn) => toggle(proposal.path, isOn)}
          />
        ))}
      </fieldset>
    </details>
  );
}

type ProposalProps = { proposal: Proposal; isOn: boolean; onChange: (isOn: boolean) => void };

function ProposalRow({ proposal: { path, reason, tokens }, isOn, onChange }: ProposalProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Checkbox id={id} checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <label htmlFor={id} className="min-w-0 truncate">
        <code>{path}</code>
      </label>
      <span className="ml-auto shrink-0 text-muted">
        {reasons[reason]}, {tokens.toLocaleString('en')} tokens
      </span>
    </div>
  );
}
