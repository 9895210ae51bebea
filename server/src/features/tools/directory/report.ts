// Collects what checks found, and makes the report of it: one entry for a rule that nothing violates, one for each tool that does, and
// one that counts the tools beyond the first fifty.

import type { DirectoryCheck, DirectoryReport } from '@toolgate/contract/directories/directory.ts';
import {
  type Directory,
  MAX_NAMED_TOOLS,
  type RuleId,
  rulesDate,
  rulesOf,
} from '@toolgate/contract/directories/rules.ts';
import type { Finding } from './finding.ts';

export type Findings = {
  /** `more`: of the same rule, without an entry of their own. */
  add(findings: readonly Finding[], more?: number): void;
  toReport(directory: Directory): DirectoryReport;
};

type Collected = { named: Finding[]; more: number };

export function collectFindings(): Findings {
  const collected = new Map<RuleId, Collected>();
  return {
    add(findings, more = 0) {
      for (const finding of findings) {
        const of_rule = collected.get(finding.rule) ?? { named: [], more: 0 };
        collected.set(finding.rule, of_rule);
        if (of_rule.named.length < MAX_NAMED_TOOLS) of_rule.named.push(finding);
        else of_rule.more += 1;
      }
      const last = findings.at(-1);
      if (last && more > 0) (collected.get(last.rule) as Collected).more += more;
    },
    toReport: (directory) => ({
      object: 'directory_report',
      for: directory,
      rules_date: rulesDate(directory),
      checks: rulesOf(directory).flatMap(({ id, rule, applied }) => {
        const entry = (found: Omit<DirectoryCheck, 'id'>): DirectoryCheck => ({
          id,
          ...found,
          remedy: `${found.remedy} See ${applied.source.url}`,
        });
        const { named, more } = collected.get(id) ?? { named: [], more: 0 };
        if (named.length === 0)
          return [entry({ status: 'pass', tool_id: null, message: rule.pass, remedy: 'Nothing to do.' })];
        const entries = named.map(({ status = applied.level, tool_id, message, remedy }) =>
          entry({ status, tool_id, message, remedy }),
        );
        const [first] = named;
        if (!first || more === 0) return entries;
        const { status = applied.level, remedy } = first;
        const message = more === 1 ? '1 more tool.' : `${more.toLocaleString('en-US')} more tools.`;
        return [...entries, entry({ status, tool_id: null, message, remedy })];
      }),
    }),
  };
}
