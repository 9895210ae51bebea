-- A worker claims some dozens of jobs of a webhook that answers quickly, and runs a few of them at a time.

-- Which worker holds the lease: nobody else claims jobs of the same concurrency key while it holds more than it may run at once.
alter table jobs add column worker text;
