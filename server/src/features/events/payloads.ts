// What events tell where the resource itself is too much, or is no resource.

import { z } from 'zod';
import { timestamp } from '../../api/fields.ts';

export const toolSummary = z
  .strictObject({
    id: z.string(),
    object: z.literal('custom_tool'),
    project_id: z.string(),
    name: z.string(),
    is_enabled: z.boolean(),
    require_member: z.boolean(),
    version: z.int(),
    definition_hash: z.string().meta({ description: 'Changes with whatever makes the tool behave differently' }),
  })
  .meta({ id: 'CustomToolSummary' });

export const memberSession = z
  .strictObject({
    id: z.string(),
    member_id: z.string(),
    external_id: z.string().meta({ description: "The customer's own name for the person" }),
    integration_id: z.string(),
    expires_at: timestamp,
  })
  .meta({ id: 'MemberSessionSummary' });

export const revokedSessions = z
  .strictObject({ member_id: z.string(), external_id: z.string(), revoked_count: z.int() })
  .meta({ id: 'RevokedSessions' });

export const oauthProvider = z
  .strictObject({ id: z.string(), provider: z.string(), is_enabled: z.boolean() })
  .meta({ id: 'OAuthProviderSummary' });

export const oauthConnection = z
  .strictObject({ id: z.string(), provider_id: z.string(), member_id: z.string() })
  .meta({ id: 'OAuthConnectionSummary' });

export const toolCall = z
  .strictObject({
    id: z.string(),
    tool_id: z.string(),
    tool_name: z.string(),
    status: z.int().nullable().meta({ description: "Of the customer's API; null where it gave none" }),
    error_code: z.string().nullable().meta({ description: 'The code of the error the caller got' }),
    duration_ms: z.int(),
    api_key_id: z.string().nullable(),
    integration_id: z.string().nullable(),
    member_id: z.string().nullable(),
  })
  .meta({ id: 'ToolCallSummary' });

export const rateLimit = z
  .strictObject({ requests_per_hour: z.int(), plan: z.string() })
  .meta({ id: 'RateLimitSummary' });

export const ping = z.strictObject({ webhook_id: z.string() }).meta({ id: 'Ping' });
