// The report of a directory as the page shows it: by status, and by rule within one.

import { type CheckStatus, type Directory, directoryRules, type RuleId } from '@toolgate/contract/directories/rules.ts';
import type { DirectoryReport } from '@toolgate/sdk';
import { useProjectQuery } from '../../api/client.ts';

export type Check = DirectoryReport['checks'][number];

/** The entries of one rule with one status. */
export type RuleEntries = { id: RuleId; title: string; source: string; checks: Check[] };

/** What other pages change is read again whenever the page is opened. */
export const useReport = (directory: Directory) =>
  useProjectQuery(['directory-report', directory], (api) => api.directories.report.get({ for: directory }), {
    staleTime: 0,
  });

const SOURCE = / See (https:\/\/\S+)$/;

/** Without the URL at its end, which is a link of its own. */
export const remedyOf = ({ remedy }: Check) => remedy.replace(SOURCE, '');

export function entriesOf(checks: readonly Check[], status: CheckStatus): RuleEntries[] {
  const found = new Map<RuleId, RuleEntries>();
  for (const check of checks.filter((each) => each.status === status)) {
    const { title } = directoryRules[check.id];
    const entries = found.get(check.id) ?? {
      id: check.id,
      title,
      source: SOURCE.exec(check.remedy)?.[1] ?? '',
      checks: [],
    };
    found.set(check.id, entries);
    entries.checks.push(check);
  }
  return [...found.values()];
}

export const countOf = (checks: readonly Check[] | undefined, status: CheckStatus): string | undefined =>
  checks?.filter((check) => check.status === status).length.toLocaleString('en');
