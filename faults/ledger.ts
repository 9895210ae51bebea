// The ledger of a scenario: every operation of the client with all its attempts, every fault with its times, and what was found
// when everything was read back. toRow() counts one line of the table from it.

/** One HTTP request. Times are those of performance.now(). */
export type Attempt = {
  replica: string;
  started_at: number;
  ended_at: number;
  /** Null: no complete response. */
  status: number | null;
  code: string | null;
  /** For the error's details, or for the connection. */
  reason: string | null;
  /** The connection was refused: nothing was sent. */
  is_refused: boolean;
  /** The header of the response. */
  retry_after: string | null;
};

/** done: acknowledged with 2xx. failed: finally refused. unknown: it may or may not have had its effect. */
export type Outcome = 'done' | 'failed' | 'unknown';

export type Operation = { kind: string; name: string; outcome: Outcome; attempts: Attempt[]; body: any };

export type Fault = { began_at: number; ended_at: number };

/** A failover of PostgreSQL. */
export type Failover = {
  /** From the fault to the first write that the new primary accepted. */
  without_primary_ms: number;
  /** The longest time that a request waited for its 503 meanwhile. */
  slowest_ms: number;
  /** From that first write to the first one of a client that succeeded. */
  first_success_ms: number;
};

export type Ledger = {
  operations: Operation[];
  faults: Fault[];
  lost: number;
  /** Ids of what only the server had that failed: it was acknowledged, and PostgreSQL did not copy it. */
  lost_with_server: Set<string>;
  /** Acknowledged operations whose effect was lost so. */
  lost_by_postgres: number;
  failover: Failover | null;
  duplicated: number;
  wrongly_accepted: number;
  /** The longest time after the acknowledgement of a revocation at which a request was sent that was still accepted. */
  revoke_ms: number | null;
  /** Times to recover that were measured otherwise than by the attempts. */
  recoveries_ms: number[];
  /** 5xx codes that are right answers in this scenario. */
  expected_codes: Set<string>;
  /** Guarantees that did not hold, in words. */
  problems: string[];
  notes: string[];
};

export type Row = {
  acknowledged: number;
  failed: number;
  unknown: number;
  lost: number;
  lost_by_postgres: number;
  failover: Failover | null;
  duplicated: number;
  wrongly_accepted: number;
  unexplained_5xx: number;
  recovery_ms: number | null;
  revoke_ms: number | null;
  problems: string[];
  notes: string[];
};

export const RECOVERY_WITHIN_MS = 5_000;
export const REVOKE_WITHIN_MS = 1_000;

export const createLedger = (): Ledger => ({
  operations: [],
  faults: [],
  lost: 0,
  lost_with_server: new Set(),
  lost_by_postgres: 0,
  failover: null,
  duplicated: 0,
  wrongly_accepted: 0,
  revoke_ms: null,
  recoveries_ms: [],
  expected_codes: new Set(),
  problems: [],
  notes: [],
});

/** Records the times of a fault around what causes and ends it. */
export async function duringFault<T>(ledger: Ledger, work: () => Promise<T>): Promise<T> {
  const fault = { began_at: performance.now(), ended_at: Number.POSITIVE_INFINITY };
  ledger.faults.push(fault);
  const result = await work();
  fault.ended_at = performance.now();
  return result;
}

export function toRow(ledger: Ledger): Row {
  const { operations, lost, lost_by_postgres, failover, duplicated, wrongly_accepted, revoke_ms, notes } = ledger;
  const count = (outcome: Outcome) => operations.filter((operation) => operation.outcome === outcome).length;
  const row = {
    acknowledged: count('done'),
    failed: count('failed'),
    unknown: count('unknown'),
    lost,
    lost_by_postgres,
    failover,
    duplicated,
    wrongly_accepted,
    unexplained_5xx: unexplained(ledger).length,
    recovery_ms: recoveryTime(ledger),
    revoke_ms,
    notes,
  };
  return { ...row, problems: [...ledger.problems, ...broken(row, ledger), ...describe(unexplained(ledger))] };
}

function broken(row: Omit<Row, 'problems'>, ledger: Ledger): string[] {
  const problems: string[] = [];
  if (row.lost > 0) problems.push(`${row.lost} acknowledged operations are lost`);
  if (row.duplicated > 0) problems.push(`${row.duplicated} operations took effect twice`);
  if (row.wrongly_accepted > 0) problems.push(`${row.wrongly_accepted} requests were accepted wrongly`);
  if ((row.recovery_ms ?? 0) > RECOVERY_WITHIN_MS)
    problems.push(`recovered only after ${row.recovery_ms} ms; ${describeLastFailed(ledger)}`);
  if ((row.revoke_ms ?? 0) > REVOKE_WITHIN_MS) problems.push(`revoked only after ${row.revoke_ms} ms`);
  return problems;
}

function describe(attempts: Attempt[]): string[] {
  const counts = new Map<string, number>();
  for (const { replica, status, code, reason } of attempts) {
    const text = `replica ${replica}, ${status} ${code} (${reason})`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, times]) => `unexplained: ${text}, ${times} times`);
}

export const attemptsOf = ({ operations }: Pick<Ledger, 'operations'>) =>
  operations.flatMap(({ attempts }) => attempts);

/** A 503 is explained while a fault lasts and as long as recovery may take. Every other 5xx has to be expected. */
function unexplained(ledger: Ledger): Attempt[] {
  return attemptsOf(ledger).filter(({ status, code, started_at, ended_at }) => {
    if (status === null || status < 500 || ledger.expected_codes.has(code ?? '')) return false;
    const isDuringFault = ledger.faults.some(
      (fault) => ended_at >= fault.began_at && started_at <= fault.ended_at + RECOVERY_WITHIN_MS,
    );
    return !(status === 503 && code === 'SERVICE_UNAVAILABLE' && isDuringFault);
  });
}

const failedAttempts = (ledger: Ledger) =>
  attemptsOf(ledger).filter(
    ({ status, code, is_refused }) =>
      !is_refused && (status === null || status >= 500) && !ledger.expected_codes.has(code ?? ''),
  );

/** The last request that failed, to find out why recovery took so long. */
function describeLastFailed(ledger: Ledger): string {
  const last = failedAttempts(ledger)
    .sort((a, b) => a.ended_at - b.ended_at)
    .at(-1);
  if (!last) return 'no request failed';
  const { replica, status, code, reason, started_at, ended_at } = last;
  return `the last request that failed: replica ${replica}, ${status} ${code} (${reason}), after ${Math.round(ended_at - started_at)} ms`;
}

/**
 * The fault that a failed request belongs to: the last one that began before the request ended. A request that had waited longer
 * than recovery may take when that one began belongs to an earlier one.
 */
function causeOf({ started_at, ended_at }: Attempt, faults: Fault[]): Fault | undefined {
  return faults.findLast(({ began_at }) => began_at <= ended_at && began_at - started_at <= RECOVERY_WITHIN_MS);
}

/** From the end of a fault to the end of the last request that failed because of it; the longest of all faults. */
function recoveryTime(ledger: Ledger): number | null {
  const { faults, recoveries_ms } = ledger;
  if (faults.length === 0 && recoveries_ms.length === 0) return null;
  const times = failedAttempts(ledger).map((attempt) => {
    const fault = causeOf(attempt, faults);
    return fault === undefined ? 0 : attempt.ended_at - fault.ended_at;
  });
  return Math.round(Math.max(0, ...times, ...recoveries_ms));
}
