-- breaking before 0013
-- Hints that nobody set are derived from the method, so a tool that only reads is read-only without having been marked. Servers that
-- know the column read it as before. The expression is that of listedAnnotations() in the contract.

alter table custom_tools drop column is_read_only;
alter table custom_tools add column is_read_only boolean not null generated always as (
  coalesce(
    (annotations ->> 'readOnlyHint') = 'true',
    method = 'GET' and coalesce((annotations ->> 'destructiveHint') <> 'true', true)
  )
) stored;

-- Tools that are read-only by this are in the toolsets that take only such tools, and change nothing in the others.
insert into toolset_tools (toolset_id, tool_id, project_id, joined_at)
select s.id, t.id, s.project_id, clock_timestamp()
from toolsets s join custom_tools t
  on t.project_id = s.project_id and (t.id = any (s.tool_ids) or t.tags && s.tags)
where s."only" = 'read_only' and t.is_read_only
on conflict do nothing;

update toolset_tools m set writable_since = null
from custom_tools t
where t.id = m.tool_id and t.project_id = m.project_id and t.is_read_only and m.writable_since is not null;
