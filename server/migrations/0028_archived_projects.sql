-- People put projects away that they do not work on. Nothing else changes for such a project.

alter table projects add column is_archived boolean not null default false;
