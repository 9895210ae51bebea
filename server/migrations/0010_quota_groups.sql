-- breaking
-- A quota group is a project and the siblings that its keys made. The group shares one hour of requests and every other fair share.

-- The id of the first project of the group. No reference: the group outlives its first project.
alter table projects add column quota_group_id text;

-- Siblings from before: the audit log knows which key made a project. One that the operator gave a plan is a group of its own.
with recursive made as (
  select e.target_id as project_id, k.project_id as maker_id
  from audit_entries e
  join api_keys k on k.id = e.actor_id
  where e.action = 'project.created'
    and e.actor_kind = 'api_key'
    and not exists (
      select from audit_entries u
      where u.target_id = e.target_id
        and u.action = 'project.updated'
        and u.actor_kind = 'root'
        and u.after::jsonb ?| array['plan', 'requests_per_hour']
    )
), lineage (project_id, quota_group_id) as (
  select id, id from projects where id not in (select project_id from made)
  union all
  select made.project_id, lineage.quota_group_id from made join lineage on lineage.project_id = made.maker_id
)
update projects
set quota_group_id = lineage.quota_group_id, plan = first.plan, requests_per_hour = first.requests_per_hour
from lineage join projects first on first.id = lineage.quota_group_id
where projects.id = lineage.project_id;

update projects set quota_group_id = id where quota_group_id is null;

alter table projects alter column quota_group_id set not null;

create index projects_of_quota_group on projects (quota_group_id) where deleted_at is null;
