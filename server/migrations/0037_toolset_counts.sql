-- How many tools a toolset has, for pages that anyone can open: counting them at each visit costs the more, the more tools there are.

-- Written with toolset_tools, under the lock of the project. Not in toolsets: whoever changes a toolset locks its row before the project.
create table toolset_counts (
  toolset_id text primary key references toolsets (id) on delete cascade,
  project_id text not null,
  tool_count integer not null,
  -- Those that can change something.
  writing_count integer not null
);

insert into toolset_counts (toolset_id, project_id, tool_count, writing_count)
select s.id, s.project_id, count(t.id), count(m.writable_since) filter (where t.id is not null)
from toolsets s
  left join toolset_tools m on m.project_id = s.project_id and m.toolset_id = s.id
  left join custom_tools t on t.id = m.tool_id
group by s.id;

-- The consent page shows some tools of each toolset: those that can change something first, the newest of them first.
create index toolset_tools_newest on toolset_tools (project_id, toolset_id, writable_since desc nulls last);
