// A part of a definition: the approved lines and those of now side by side, or those of a new tool alone. Warnings are below the line
// that they are about.

import type { PendingTool } from '@toolgate/sdk';
import { TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { cn } from '../../../ui/class-names.ts';
import { useIsNarrow } from '../../../ui/narrow.ts';
import { codePoint, count } from '../../../ui/words.ts';
import { align, type Pair } from './align.ts';
import { type DefinitionPart, type Line, lineKey } from './lines.ts';
import { type Span, spansOf } from './spans.ts';
import { warningText } from './warnings.tsx';

type Warning = PendingTool['warnings'][number];
type Row = Pair<Line> | { skipped: number };

/** The HTML of a view may have a hundred thousand lines. */
const MOST_ROWS = 1_000;

/** Lines that stayed, and are further than this from a change or a warning, are left out. */
const CONTEXT = 3;

/** `isNew`: there is nothing that it is compared with. */
type Props = { part: DefinitionPart; tool: string; warnings: Warning[]; isNew: boolean };

export function DefinitionPartView({ part, tool, warnings, isNew }: Props) {
  const isNarrow = useIsNarrow();
  const all: Row[] = isNew
    ? (part.now ?? []).map((now) => ({ old: null, now, isSame: true }))
    : withoutDistant(align(part.old ?? [], part.now ?? [], lineKey), warnings);
  const rows = all.slice(0, MOST_ROWS);
  return (
    <section className="min-w-0">
      <h3 className="mb-1.5 font-medium text-xs">{part.label}</h3>
      <Scrolled label={`${part.label} of ${tool}`}>
        {isNew || isNarrow ? (
          <OneColumn rows={rows} warnings={warnings} />
        ) : (
          <TwoColumns rows={rows} warnings={warnings} label={`${part.label} of ${tool}`} />
        )}
      </Scrolled>
      {all.length > rows.length && (
        <p className="mt-1 text-warning text-xs">{count(all.length - rows.length, 'more line')} not shown here</p>
      )}
    </section>
  );
}

function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
    <section tabIndex={0} aria-label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-sunken">
      {children}
    </section>
  );
}

type RowsProps = { rows: Row[]; warnings: Warning[] };

function OneColumn({ rows, warnings }: RowsProps) {
  return (
    <div className="py-2 font-mono text-xs leading-5">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <Fragment key={index}>
          {'skipped' in row ? (
            <Skipped number={row.skipped} />
          ) : (
            <>
              {!row.isSame && <Side line={row.old} other={row.now} kind="old" warnings={[]} />}
              <Side line={row.now} other={row.old} kind={row.isSame ? 'same' : 'now'} warnings={warnings} />
            </>
          )}
        </Fragment>
      ))}
    </div>
  );
}

function TwoColumns({ rows, warnings, label }: RowsProps & { label: string }) {
  return (
    <table aria-label={`${label}, approved and now`} className="w-full table-fixed font-mono text-xs leading-5">
      <thead>
        <tr className="border-line border-b text-left font-sans text-muted">
          <th scope="col" className="px-3 py-1 font-medium">
            Approved
          </th>
          <th scope="col" className="border-line border-l px-3 py-1 font-medium">
            Now
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <tr key={index} className="align-top">
            {'skipped' in row ? (
              <td colSpan={2}>
                <Skipped number={row.skipped} />
              </td>
            ) : (
              <>
                <td>
                  <Side line={row.old} other={row.now} kind={row.isSame ? 'same' : 'old'} warnings={[]} />
                </td>
                <td className="border-line border-l">
                  <Side line={row.now} other={row.old} kind={row.isSame ? 'same' : 'now'} warnings={warnings} />
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Skipped = ({ number }: { number: number }) => (
  <div className="px-3 font-sans text-muted italic">{count(number, 'line')} as approved</div>
);

const looks = { same: '', old: 'bg-danger-soft', now: 'bg-success-soft' };
const signs = { same: '', old: '−', now: '+' };

type SideProps = { line: Line | null; other: Line | null; kind: keyof typeof looks; warnings: Warning[] };

function Side({ line, other, kind, warnings }: SideProps) {
  if (line === null) return null;
  const isCompared = kind !== 'same' && other !== null;
  const content = spansOf(line.text, isCompared ? other.text : null).map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    <SpanView key={index} span={span} kind={kind} />
  ));
  const about = line.path === '' ? [] : warnings.filter(({ path }) => path === line.path);
  const Element = kind === 'old' ? 'del' : kind === 'now' ? 'ins' : 'span';
  return (
    <div className={cn('flex min-w-0 gap-1 px-2', looks[kind])}>
      <span aria-hidden className="w-2 shrink-0 select-none text-muted">
        {signs[kind]}
      </span>
      <div className="min-w-0 flex-1" style={{ paddingLeft: `${line.indent}ch` }}>
        <Element className="whitespace-pre-wrap break-words no-underline [unicode-bidi:isolate]">
          {content}
          {!line.isLast && ','}
        </Element>
        {about.map((warning) => (
          <p key={warning.code} className="flex gap-1.5 font-sans text-warning">
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            {warningText(warning)}
          </p>
        ))}
      </div>
    </div>
  );
}

const changedLooks = { same: '', old: 'rounded-sm bg-danger/20', now: 'rounded-sm bg-success/20' };

function SpanView({ span: { text, isChanged, look }, kind }: { span: Span; kind: keyof typeof looks }) {
  const changed = isChanged ? changedLooks[kind] : '';
  if (look === 'invisible')
    return [...text].map((character, index) => (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the characters of a text have no other identity
        key={index}
        title="An invisible character"
        className="mx-px rounded bg-warning-soft px-0.5 text-2xs text-warning ring-1 ring-warning"
      >
        {codePoint(character)}
      </span>
    ));
  if (look === 'suspicious')
    return <mark className="rounded-sm bg-warning-soft text-warning ring-1 ring-warning">{text}</mark>;
  return changed ? <span className={changed}>{text}</span> : text;
}

function withoutDistant(pairs: Pair<Line>[], warnings: Warning[]): Row[] {
  const warned = new Set(warnings.map(({ path }) => path));
  const isShown = pairs.map(({ now, isSame }) => !isSame || (now !== null && now.path !== '' && warned.has(now.path)));
  const isNear = pairs.map((_, index) =>
    isShown.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).includes(true),
  );
  const rows: Row[] = [];
  pairs.forEach((pair, index) => {
    const last = rows.at(-1);
    if (isNear[index]) rows.push(pair);
    else if (last && 'skipped' in last) last.skipped += 1;
    else rows.push({ skipped: 1 });
  });
  return rows;
}
