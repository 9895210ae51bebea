-- breaking
-- Names of the jobs table. No row is lost and no lease ends early.

-- Raised by each claim. A worker must name the token of its claim to finish the job.
alter table jobs rename column takes to fencing_token;
-- Jobs with the same key share a limit, such as the deliveries of one webhook.
alter table jobs rename column lane to concurrency_key;

-- ready: may be claimed now. waiting: not before run_at. claimed: leased until run_at.
alter table jobs drop constraint jobs_state_check;
drop index jobs_taken;
update jobs set state = 'claimed' where state = 'taken';
alter table jobs add constraint jobs_state_check check (state in ('ready', 'waiting', 'claimed'));
create index jobs_claimed on jobs (kind, fairness_key, concurrency_key) where state = 'claimed';
