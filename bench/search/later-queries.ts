// Queries for other tools, drawn and written in the same way after the ranking was finished: they were never used to choose it.

import type { Query } from './queries.ts';

/** By the name of the source. */
export const laterQueries: Record<string, Query[]> = {
  github: [
    ['copilot usage of our users on one day', 'copilot_copilot-organization-users-one-day-usage-metrics'],
    ['who may use self-hosted runners in the organization', 'actions_get-self-hosted-runners-permissions-organization'],
    ['remove a GitHub-hosted runner', 'actions_delete-hosted-runner-for-org'],
    ['take the pin off a comment', 'issues_unpin-comment'],
    ['turn off dependabot security updates', 'repos_disable-automated-security-fixes'],
    ['submit my pending pull request review', 'pulls_submit-review'],
    ['which machine types can a codespace of this repository have', 'codespaces_repo-machines-for-authenticated-user'],
    ['delete a team', 'teams_delete-legacy', 'teams_delete-in-org'],
    ['publish a repository as a GitHub Pages site', 'repos_create-pages-site'],
  ],
  jira: [
    ['is this JQL valid', 'parseJqlQueries'],
    ['version of the Jira instance', 'getServerInfo'],
    ['choose the workflow of an issue type', 'setWorkflowSchemeIssueType', 'setWorkflowSchemeDraftIssueType'],
    ['make a field required in a field configuration', 'updateFieldConfigurationItems'],
    ['new workflow scheme', 'createWorkflowScheme'],
  ],
  zoom: [
    ['block a phone number', 'addAnumberToBlockedList'],
    ['details of a chat channel', 'getChannel'],
    ['change the registration questions of a recording', 'recordingRegistrantQuestionUpdate'],
  ],
  digitalocean: [
    [
      'logs of an app deployment',
      'apps_get_logs_aggregate',
      'apps_get_logs',
      'apps_get_logs_active_deployment',
      'apps_get_logs_active_deployment_aggregate',
    ],
    ['delete a postgres connection pool', 'databases_delete_connectionPool'],
    ['look up a tag', 'tags_get'],
    ['past garbage collections of my registry', 'registry_list_garbageCollections'],
  ],
  box: [
    ['no longer allow collaboration with a domain', 'delete_collaboration_whitelist_entries_id'],
    ['information barriers of the enterprise', 'get_shield_information_barriers'],
    ['read a retention policy', 'get_retention_policies_id'],
  ],
  square: [
    ['which loyalty programs do we have', 'ListLoyaltyPrograms'],
    ['what happened with gift cards', 'ListGiftCardActivities'],
    ['summary of a cash drawer shift', 'RetrieveCashDrawerShift'],
    ['online store order with its history', 'RetrieveOrder'],
  ],
};
