// One rule of a directory with what violates it: what was found, what to do, and a button to the place.

import type { CheckStatus } from '@toolgate/contract/directories/rules.ts';
import { CircleCheck, CircleX, Hand, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, inlineLinkClass } from '../../ui/button.tsx';
import { cn } from '../../ui/class-names.ts';
import { Name } from '../../ui/name.tsx';
import { cardClass } from '../../ui/section.tsx';
import { count } from '../../ui/words.ts';
import { PlaceButton } from './places.tsx';
import { type Check, type RuleEntries, remedyOf } from './report.ts';

const looks: Record<CheckStatus, { word: string; icon: LucideIcon; color: string }> = {
  fail: { word: 'To fix', icon: CircleX, color: 'text-danger' },
  warning: { word: 'Warning', icon: TriangleAlert, color: 'text-warning' },
  manual: { word: 'By hand', icon: Hand, color: 'text-accent' },
  pass: { word: 'Passed', icon: CircleCheck, color: 'text-success' },
};

const FEW = 5;

type CardProps = {
  status: CheckStatus;
  rule: RuleEntries;
  onListing: (field: string) => void;
  /** Beside the title: what puts all of it right at once. */
  action?: ReactNode;
};

export function RuleCard({ status, rule, onListing, action }: CardProps) {
  const [isWhole, setWhole] = useState(false);
  const { title, checks } = rule;
  const { word, icon: Icon, color } = looks[status];
  const shown = isWhole ? checks : checks.slice(0, FEW);
  return (
    <li className={cn(cardClass, 'min-w-0')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <h3 className="flex min-w-0 items-center gap-2 font-medium">
          <Icon aria-hidden className={cn('size-4 shrink-0', color)} /> {title}
        </h3>
        <span className={cn('text-xs', color)}>{word}</span>
        <SourceLink rule={rule} />
        {action && <div className="ml-auto">{action}</div>}
      </div>
      <ul aria-label={title} className="mt-2 divide-y divide-line border-line border-t">
        {shown.map((check) => (
          <Entry key={`${check.tool_id} ${check.message}`} check={check} onListing={onListing} />
        ))}
      </ul>
      {checks.length > FEW && (
        <div className="border-line border-t px-3 py-1.5">
          <Button look="ghost" size="sm" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${count(checks.length, 'entry', 'entries')}`}
          </Button>
        </div>
      )}
    </li>
  );
}

function Entry({ check, onListing }: { check: Check; onListing: (field: string) => void }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="break-words">
          <Name text={check.message} />
        </p>
        <p className="break-words text-muted text-xs">{remedyOf(check)}</p>
      </div>
      <PlaceButton check={check} onListing={onListing} />
    </li>
  );
}

/** Where the directory states the rule. */
function SourceLink({ rule: { title, source } }: { rule: RuleEntries }) {
  return (
    <a
      href={source}
      target="_blank"
      rel="noreferrer"
      aria-label={`Source of the rule: ${title}`}
      className={cn(inlineLinkClass, 'text-xs')}
    >
      Source
    </a>
  );
}

/** The rules that nothing violates, each in one line. */
export function PassedRules({ rules }: { rules: RuleEntries[] }) {
  const { icon: Icon, color } = looks.pass;
  return (
    <ul aria-label="Passed" className={cn(cardClass, 'divide-y divide-line')}>
      {rules.map((rule) => (
        <li key={rule.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
          <Icon aria-hidden className={cn('size-4 shrink-0', color)} />
          <span className="min-w-0 flex-1 basis-52 break-words">{rule.checks[0]?.message}</span>
          <SourceLink rule={rule} />
        </li>
      ))}
    </ul>
  );
}
