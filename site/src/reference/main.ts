// /docs/api: the API reference, drawn by Scalar from the server's own document. No font, no telemetry, nothing from elsewhere.

import './styles.css';
import { Toolgate } from '@toolgate/sdk';
import { find } from '../frame/find.ts';
import { type ApiDocument, fillIn, readDocument } from './document.ts';
import { followUrl } from './url.ts';

type Configuration = Record<string, unknown>;
type Scalar = {
  createApiReference(element: string, configuration: Configuration): { updateConfiguration(next: Configuration): void };
};

/** Light or dark: the button of the frame changes it. */
const isDark = () => document.documentElement.dataset.theme === 'dark';

function configure(content: ApiDocument, token: string): Configuration {
  return {
    content,
    // The beginning of the anchors; generate/reference-page.ts makes links to them.
    slug: 'api',
    generateOperationSlug: ({ operationId }: { operationId: string }) => operationId,
    forceDarkModeState: isDark() ? 'dark' : 'light',
    hideDarkModeToggle: true,
    // The frame has a list of all operations, and a search.
    showSidebar: false,
    hideSearch: true,
    documentDownloadType: 'none',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    proxyUrl: '',
    persistAuth: false,
    defaultOpenAllTags: false,
    authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } },
  };
}

function showReference(content: ApiDocument): void {
  const { Scalar } = window as unknown as { Scalar: Scalar };
  const filled = { content, token: '' };
  const reference = Scalar.createApiReference('#reference', configure(content, ''));
  const update = () => reference.updateConfiguration(configure(filled.content, filled.token));
  find('waiting').textContent = '';
  followUrl();
  find('change-theme').addEventListener('click', update);
  listenToForm((project, key) => {
    filled.content = fillIn(content, project);
    filled.token = key;
    update();
  });
}

/** "Fill in my project and key". Nothing of it is stored or in the URL. */
function listenToForm(fill: (project: string, key: string) => void): void {
  const dialog = find<HTMLDialogElement>('fill-in');
  find('open-fill-in').addEventListener('click', () => {
    dialog.showModal();
    suggestProjects();
  });
  find('cancel').addEventListener('click', () => dialog.close());
  dialog.querySelector('form')?.addEventListener('submit', () => {
    fill(find<HTMLInputElement>('project').value.trim(), find<HTMLInputElement>('key').value.trim());
  });
}

/** The projects of the person who is signed in; without a session the id is typed. */
function suggestProjects(): void {
  const list = find('projects');
  if (list.childElementCount > 0) return;
  new Toolgate({ apiKey: null, baseUrl: location.origin }).projects
    .list({ limit: 100 })
    .then(({ data }) => list.replaceChildren(...data.map(({ id, name }) => new Option(name, id))))
    .catch(() => {});
}

function showFailure(): void {
  find('waiting').setAttribute('role', 'alert');
  find('waiting').textContent = 'The API reference could not be loaded. Reload the page to try again.';
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', reject);
    document.head.append(script);
  });
}

Promise.all([readDocument(), loadScript('/docs/scalar.js')])
  .then(([content]) => showReference(content))
  .catch(showFailure);
