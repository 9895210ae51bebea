// A caller of each replica exchanges an assertion for a session, again and again: a session that was acknowledged works, and the clock,
// which the end of a session shows, never goes back.

import { setTimeout as sleep } from 'node:timers/promises';
import { makeSigner, signAssertion } from '../../server/test/support/make/sign-assertion.ts';
import type { Client } from '../client.ts';
import type { Ledger } from '../ledger.ts';
import type { Replica } from '../replica.ts';
import type { Stage } from '../stage.ts';
import { asRoot, type Tenant } from '../tenant.ts';

const EVERY_MS = 150;

type Callers = {
  stop(): Promise<void>;
  /** How many of the sessions that were acknowledged are refused. */
  countRefused(): Promise<number>;
};

export async function startCallers(
  stage: Stage,
  client: Client,
  ledger: Ledger,
  { project_id }: Tenant,
): Promise<Callers> {
  const signer = makeSigner();
  const { kid, algorithm, pem: public_key } = signer;
  const project = `/projects/${project_id}`;
  const { id } = await asRoot(stage, 'POST', `${project}/integrations`, { body: { name: 'callers' } });
  const { key } = await asRoot(stage, 'POST', `${project}/integrations/${id}/api-keys`, {
    body: { name: 'callers', permissions: ['read'] },
  });
  await asRoot(stage, 'POST', '/assertion-keys', { body: { kid, algorithm, public_key }, project: project_id });
  const tokens: string[] = [];
  let is_over = false;

  async function call(replica: Replica): Promise<void> {
    let latest = 0;
    for (let i = 0; !is_over; i += 1) {
      const name = `session-${replica.name}-${i}`;
      const member_assertion = signAssertion(signer, project_id, Date.now(), { claims: { sub: name } });
      const { outcome, body } = await client.sendOnce(replica, {
        kind: 'session',
        name,
        path: '/mcp/session-token',
        key,
        body: { member_assertion },
      });
      if (outcome === 'failed') ledger.problems.push(`replica ${replica.name} refused an assertion`);
      if (outcome === 'done') {
        tokens.push(body.session_token);
        const ends_at = Date.parse(body.expires_at);
        if (ends_at < latest) ledger.problems.push(`the clock of replica ${replica.name} went back`);
        latest = ends_at;
      }
      await sleep(EVERY_MS);
    }
  }

  const calling = stage.replicas.map(call);
  return {
    async stop() {
      is_over = true;
      await Promise.all(calling);
    },
    async countRefused() {
      let refused = 0;
      for (const [i, token] of tokens.entries()) {
        const replica = stage.replicas[i % stage.replicas.length] as Replica;
        const { status } = await client.send(replica, { path: project, key: token });
        if (status === 401) refused += 1;
      }
      return refused;
    },
  };
}
