// The status of an approval at this moment, as SQL. An open one ends with its time, with the definition of its tool, with a change of
// the tool's MCP server, and with the credential of who asked; nothing has to be written for that, so that no process can use one that
// has ended. settle.ts writes it down, so that it stays ended.

import type { ApprovalStatus } from '@toolgate/contract/approvals/rules.ts';
import { type RawBuilder, sql } from 'kysely';
import { isUnrevokedSession } from '../../members/member-sessions/live-session.ts';
import { isUnrevokedClientSession } from '../../oauth/client-sessions/live-session.ts';
import { isLiveKey } from '../../projects/api-keys/live-key.ts';

/** As SQL text. */
export const timeText = (now: number) => `'${new Date(now).toISOString()}'::timestamptz`;

export const OPEN = `approvals.status in ('pending', 'approved')`;

/** Whether tool and credential are as they were when it was asked for. */
export const isLive = (now: number) => `(
  exists (
    select from custom_tools t
    where t.project_id = approvals.project_id and t.id = approvals.tool_id and t.definition_hash = approvals.definition_hash
      and approvals.mcp_server_version is not distinct from (
        select m.version from mcp_servers m
        where m.project_id = t.project_id and m.id = t.source ->> 'mcp_server_id'
      )
  ) and case
    when approvals.session_id is not null and approvals.member_id is null then exists (
      select from client_sessions cs
      where cs.project_id = approvals.project_id and cs.id = approvals.session_id and ${isUnrevokedClientSession}
    )
    when approvals.session_id is not null then exists (
      select from member_sessions s
      where s.project_id = approvals.project_id and s.id = approvals.session_id and ${isUnrevokedSession(timeText(now))}
    )
    when approvals.api_key_id is not null then exists (
      select from api_keys k
      where k.project_id = approvals.project_id and k.id = approvals.api_key_id and ${isLiveKey(timeText(now))}
        and k.session_epoch = approvals.key_epoch
    )
    else exists (select from accounts a where a.id = approvals.account_id)
  end
)`;

const statusText = (now: number) => `case
  when not (${OPEN}) then approvals.status
  when approvals.expires_at <= ${timeText(now)} then 'expired'
  when not ${isLive(now)} then 'cancelled'
  else approvals.status
end`;

export const statusAt = (now: number): RawBuilder<ApprovalStatus> => sql<ApprovalStatus>`${sql.raw(statusText(now))}`;

/** Whether what is stored is no longer its status. */
export const hasEnded = (now: number): RawBuilder<boolean> =>
  sql<boolean>`${sql.raw(`${OPEN} and (approvals.expires_at <= ${timeText(now)} or not ${isLive(now)})`)}`;
