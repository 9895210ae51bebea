-- Arguments that a tool sets itself.

alter table custom_tools add column fixed_arguments json not null default '{}';
