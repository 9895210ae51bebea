// A member session: what is sent to create one, its token, and what events tell about it.

import { z } from 'zod';
import { timestamp } from '../fields.ts';

export const SESSION_LIFETIME_SECONDS = 15 * 60;

export const sessionTokenRequest = z
  .strictObject({
    // Any type: a value that is no JWT is refused as a malformed assertion, not as a validation error.
    member_assertion: z.unknown().meta({
      description: 'A JWT signed with the private key of an assertion key',
      override: { type: 'string' },
    }),
    member_external_id: z.string().meta({ description: 'Your own id for the user; refused in production' }),
  })
  .partial()
  .meta({ id: 'SessionTokenRequest' });

export type SessionTokenRequest = z.infer<typeof sessionTokenRequest>;

export const sessionToken = z
  .strictObject({
    session_token: z.string().meta({ description: 'The secret. Shown only once', example: 'svc_mst_…' }),
    token_type: z
      .literal('Bearer')
      .meta({ description: 'How to send the token: `Authorization: Bearer <session_token>`' }),
    expires_in: z.literal(SESSION_LIFETIME_SECONDS).meta({ description: 'Seconds until the session expires' }),
    expires_at: timestamp.meta({ description: 'When the session expires' }),
    member: z
      .strictObject({
        id: z.string(),
        external_id: z.string().meta({ description: 'Your own id for the user: `sub` of the assertion' }),
      })
      .meta({ description: 'The member that the token acts for' }),
    toolsets: z.array(z.string()).nullable().meta({
      description: 'Slugs of the toolsets that the member can use in this session; null: every tool',
      example: null,
    }),
  })
  .meta({ id: 'SessionToken' });

export type SessionToken = z.infer<typeof sessionToken>;

const ofMember = {
  member_id: z.string().meta({ description: 'Id of the member' }),
  external_id: z.string().meta({ description: 'Your own id for the user' }),
};

/** The data of `member_session.created`. */
export const memberSessionSummary = z
  .strictObject({
    id: z.string(),
    ...ofMember,
    integration_id: z
      .string()
      .nullable()
      .meta({ description: "Id of the session's integration; null if its OAuth client has none" }),
    expires_at: timestamp.meta({ description: 'When the session expires' }),
  })
  .meta({ id: 'MemberSessionSummary' });

/** The data of `member_session.revoked`. */
export const revokedSessions = z
  .strictObject({ ...ofMember, revoked_count: z.int().meta({ description: 'How many sessions were signed out' }) })
  .meta({ id: 'RevokedSessions' });
