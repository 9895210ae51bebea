// /mcp/session-token: exchanges an assertion for a session of a member.

import type { Api, CallOptions } from '../api.ts';
import type { Schema } from './schema.ts';

export type MemberSession = Schema<'SessionToken'>;

/** An assertion, or, outside of production, your own id of the person. */
export type NewMemberSession =
  | { memberAssertion: string; memberExternalId?: never }
  | { memberExternalId: string; memberAssertion?: never };

export type MemberSessions = {
  /** Needs a key created from an integration. `session_token` is the bearer token for MCP. */
  create(session: NewMemberSession, options?: CallOptions): Promise<MemberSession>;
};

export function memberSessions(api: Api): MemberSessions {
  return {
    async create({ memberAssertion, memberExternalId }, options) {
      const body = { member_assertion: memberAssertion, member_external_id: memberExternalId };
      return api.send({ method: 'POST', path: '/mcp/session-token', body, options, repetition: 'once' });
    },
  };
}
