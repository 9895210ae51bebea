-- Jobs are taken fairly: each fairness key has a number of slots, and free slots go round the keys.

-- Whose job it is: the quota group of a delivery; empty for the service's own work. (The default is for replicas that do not
-- know the column yet.)
alter table jobs add column fairness_key text not null default '';

update jobs set fairness_key = projects.quota_group_id
from deliveries join projects on projects.id = deliveries.project_id
where jobs.kind = 'delivery' and deliveries.id = jobs.subject;

-- From key to key and from lane to lane in one look each, however many jobs wait in between.
drop index jobs_ready;
create index jobs_ready on jobs (kind, fairness_key, lane, run_at) where state = 'ready';
drop index jobs_taken;
create index jobs_taken on jobs (kind, fairness_key, lane) where state = 'taken';
