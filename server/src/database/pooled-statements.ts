// Statements behind a pooler in transaction mode: the next transaction may get another connection of PostgreSQL. So no statement is
// prepared under a name, and each transaction sets what other connections keep for their session.

import type pg from 'pg';
import { type SettingsOptions, settingForTransaction } from './session-settings.ts';

export type Statement = { text: string; values?: unknown[] | undefined; name?: string | undefined };

export type PooledStatements = {
  /** In a transaction that is open, or begins or ends with it. */
  inTransaction(client: pg.ClientBase, text: string, values: unknown[]): Promise<pg.QueryResult>;
  /** Outside of a transaction. */
  single(client: pg.ClientBase, statement: Statement): Promise<pg.QueryResult>;
};

const BEGIN = /^(?:begin|start transaction)\b/;
export const beginsTransaction = (text: string) => BEGIN.test(text);
export const endsTransaction = (text: string) => text === 'commit' || text === 'rollback';

export function createPooledStatements(options: SettingsOptions): PooledStatements {
  const settings = settingForTransaction(options);
  const beginning = (text: string) =>
    // The default of the session is whatever the server is set to.
    `${text}${text.includes('isolation level') ? '' : ' isolation level read committed'}${settings}`;
  const begin = beginning('begin');
  return {
    inTransaction: (client, text, values) =>
      beginsTransaction(text) ? client.query(beginning(text)) : client.query(text, values),
    async single(client, { text, values = [], name }) {
      // The statements of hot paths depend on no setting but those that poolers follow, and are worth less than two more.
      if (name !== undefined && !options.is_commit_asynchronous) return client.query(text, values);
      // Sent together: the connection is in pipeline mode. After an error the commit rolls back.
      const [begun, result, committed] = await Promise.allSettled([
        client.query(begin),
        client.query(text, values),
        client.query('commit'),
      ]);
      for (const step of [begun, result, committed]) if (step.status === 'rejected') throw step.reason;
      return (result as PromiseFulfilledResult<pg.QueryResult>).value;
    },
  };
}
