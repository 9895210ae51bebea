// Which guide of this server explains which page.

/** The guide of a page and of the pages below it, on this server. */
const guides: Record<string, string> = {
  '': 'connect-a-model',
  'api-keys': 'start#your-first-project-and-key',
  integrations: 'member-sessions',
  oauth: 'oauth',
  'assertion-keys': 'member-sessions#3-sign-an-assertion',
  members: 'member-sessions',
  'custom-tools': 'first-tool',
  toolsets: 'toolsets',
  'mcp-servers': 'mcp-servers',
  certificates: 'certificates',
  limits: 'limits-and-errors#limits-of-tools',
  publish: 'publish',
  hooks: 'policy-hooks',
  'log-streams': 'log-streams',
  webhooks: 'webhooks',
  analytics: 'analytics',
  logs: 'see-what-happened',
  approvals: 'approvals',
  settings: 'limits-and-errors',
  'audit-log': 'keys#verify-the-audit-log',
};

/** For a path of the dashboard. The pages outside of a project share the page that tells how to start. */
export function guideOf(path: string): string {
  const [, isProject, name = ''] = /^\/(projects\/[^/]+)?\/?([^/]*)/.exec(path) ?? [];
  const guide = isProject ? guides[name] : name === 'people' ? 'install#create-the-first-account' : 'start';
  return `/docs/guides/${guide ?? 'start'}`;
}
