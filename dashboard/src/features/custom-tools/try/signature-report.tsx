// What the signature doctor found: what to change, what was checked, and the lines that are signed beside those that were received.

import type { SignatureCheck } from '@toolgate/sdk';
import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../../ui/class-names.ts';

type Props = { report: SignatureCheck };

export function SignatureReport({ report }: Props) {
  return (
    <div className="grid grid-cols-1 gap-3 border-line border-t pt-4">
      <p
        className={cn(
          'rounded-md px-3 py-2',
          report.is_valid ? 'bg-success-soft text-success' : 'bg-danger-soft text-danger',
        )}
      >
        <span className="block font-medium">
          {report.is_valid ? 'A receiver accepts this request.' : 'A receiver refuses this request.'}
        </span>
        <span className="text-ink">{report.advice}</span>
      </p>
      <Checks report={report} />
      <Lines report={report} />
    </div>
  );
}

const matches: Record<SignatureCheck['signature'], string> = {
  current: "It was made with this tool's current secret.",
  previous: "It was made with this tool's previous secret, which expires soon.",
  different: "None of this tool's secrets signed this request.",
  missing: 'The request has no signature.',
};

function Checks({ report }: Props) {
  const { headers_present, missing_headers, signature_matches, signature, timestamp, first_difference } = report;
  return (
    <ul aria-label="Checks" className="divide-y divide-line rounded-md border border-line">
      <Check isGood={headers_present} name="Headers">
        {headers_present ? 'All headers of a signed request are present.' : `Missing: ${missing_headers.join(', ')}`}
      </Check>
      <Check isGood={signature_matches} name="Signature">
        {matches[signature]}
      </Check>
      <Check isGood={timestamp.is_within_window} name="Time">
        {ageOf(timestamp)} Receivers allow 300 seconds.
      </Check>
      <Check isGood={first_difference === null} name="Lines">
        {first_difference === null
          ? 'None of the given lines differs.'
          : `Line ${first_difference.line}, ${first_difference.name}, is the first that differs.`}
      </Check>
    </ul>
  );
}

function ageOf({ age_seconds }: SignatureCheck['timestamp']): string {
  if (age_seconds === null) return 'X-Toolgate-Timestamp is missing or is not a number.';
  return age_seconds < 0 ? `${-age_seconds} seconds ahead of toolgate's clock.` : `Signed ${age_seconds} seconds ago.`;
}

function Check({ isGood, name, children }: { isGood: boolean; name: string; children: ReactNode }) {
  return (
    <li className="flex gap-2.5 px-3 py-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
      {isGood ? (
        <CircleCheck aria-label="Passed" className="text-success" />
      ) : (
        <CircleX aria-label="Failed" className="text-danger" />
      )}
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="break-words text-muted text-xs">{children}</p>
      </div>
    </li>
  );
}

function Lines({ report: { lines, first_difference } }: Props) {
  const cell = 'break-all px-3 py-1.5 text-left align-top font-mono text-xs font-normal';
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <table aria-label="Lines" className="w-full table-fixed">
        <thead>
          <tr className="border-line border-b text-left text-muted text-xs">
            <th scope="col" className="w-28 px-3 py-1.5 font-medium">
              Line
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Signed by toolgate
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Yours
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, ours, yours }, index) => {
            const isFirst = first_difference?.line === index + 1;
            return (
              <tr key={name} className={cn('border-line not-last:border-b', isFirst && 'bg-danger-soft')}>
                <th scope="row" className={cn(cell, isFirst ? 'text-danger' : 'text-muted')}>
                  {name}
                </th>
                <td className={cell}>{ours || <Empty />}</td>
                <td className={cell}>{yours === null ? <NotGiven /> : yours || <Empty />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const Empty = () => <span className="font-sans text-faint">empty</span>;
const NotGiven = () => <span className="font-sans text-faint">not given</span>;
