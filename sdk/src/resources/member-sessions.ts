// /mcp/session-token: exchanges an assertion for a session of a member.

import type { Api, CallOptions } from '../api.ts';
import type { SessionToken, SessionTokenRequest } from '../types.ts';

/** An assertion, or, outside of production, your own id of the person. */
export type NewMemberSession =
  | { memberAssertion: string; memberExternalId?: never }
  | { memberExternalId: string; memberAssertion?: never };

export function memberSessions(api: Api) {
  return {
    /** Needs a key created from an integration. `session_token` is the bearer token for MCP. */
    create({ memberAssertion, memberExternalId }: NewMemberSession, options?: CallOptions): Promise<SessionToken> {
      const body: SessionTokenRequest = {};
      if (memberAssertion !== undefined) body.member_assertion = memberAssertion;
      if (memberExternalId !== undefined) body.member_external_id = memberExternalId;
      return api.send('POST /mcp/session-token', {}, { body, options });
    },
  };
}
