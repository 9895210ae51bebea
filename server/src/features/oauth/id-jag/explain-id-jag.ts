// The debug report: every check of verify-id-jag.ts with pass, fail or skipped. It has no rules of its own: it runs the same checks and
// does not stop at the first failure.

import type { IdJagReport } from '@toolgate/contract/oauth-providers/id-jag.ts';
import { type IdJagCheck, idJagRequirements } from '@toolgate/contract/oauth-providers/rules.ts';
import { checks, type IdJagInput, SKIPPED, type TrustedProvider, unread } from './verify-id-jag.ts';

export async function explainIdJag<P extends TrustedProvider>(input: IdJagInput<P>): Promise<IdJagReport> {
  const idJag = unread(input);
  const reports: IdJagReport['checks'] = [];
  for (const check of Object.keys(checks) as IdJagCheck[]) {
    const outcome = await checks[check](idJag);
    const requires = idJagRequirements[check];
    if (outcome === SKIPPED) reports.push({ check, status: 'skipped', requires, found: null });
    else reports.push({ check, status: outcome === null ? 'pass' : 'fail', requires, found: outcome as string | null });
  }
  const failed = reports.find(({ status }) => status !== 'pass');
  return {
    object: 'id_jag_report',
    is_valid: failed === undefined,
    failed_check: failed?.check ?? null,
    server_time: new Date(input.now).toISOString(),
    checks: reports,
  };
}
