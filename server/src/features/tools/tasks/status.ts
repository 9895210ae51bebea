// Whether a task may go on, as SQL: it ends with its tool, or when the tool calls another API, and with the credential that started it. A
// session that only expires does not end it. Nothing has to be written for that; settle.ts writes it down.

import { type RawBuilder, sql } from 'kysely';
import { isUnrevokedSession } from '../../members/member-sessions/live-session.ts';
import { isUnrevokedClientSession } from '../../oauth/client-sessions/live-session.ts';
import { isLiveKey } from '../../projects/api-keys/live-key.ts';
import { timeText } from '../approvals/status.ts';

export const OPEN = `tasks.status in ('starting', 'working', 'input_required')`;

const liveText = (now: number) => `(
  exists (
    select from custom_tools t
    where t.project_id = tasks.project_id and t.id = tasks.tool_id and t.is_enabled and t.polling is not null
      and t.base_url = tasks.origin
  ) and case
    when tasks.account_id is not null then exists (select from accounts a where a.id = tasks.account_id)
    when tasks.session_id is not null and tasks.member_id is null then exists (
      select from client_sessions cs
      where cs.project_id = tasks.project_id and cs.id = tasks.session_id and ${isUnrevokedClientSession}
    )
    when tasks.session_id is not null then exists (
      select from member_sessions s
      where s.project_id = tasks.project_id and s.id = tasks.session_id and ${isUnrevokedSession(timeText(now))}
    )
    else exists (
      select from api_keys k
      where k.project_id = tasks.project_id and k.id = tasks.api_key_id and ${isLiveKey(timeText(now))}
        and k.session_epoch = tasks.key_epoch
    )
  end
)`;

export const isLive = (now: number): RawBuilder<boolean> => sql<boolean>`${sql.raw(liveText(now))}`;
