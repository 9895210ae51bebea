// The page where a person uploads the file that a call needs. A script shows the progress; without it the form is a plain one.

import { hash } from 'node:crypto';
import { MAX_FILE_BYTES } from '@toolgate/contract/files/rules.ts';
import type { Project } from '../../../access/caller.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/page.ts';
import type { StoredFile } from '../../files/files/file.ts';
import type { UploadTicketRow } from '../../files/uploads/ticket.ts';

const page = (title: string, content: Html): Page => ({ status: 200, title, form_targets: [], content });

const MB = 1_000_000;

/** Before anybody has signed in: nothing of the call is shown to who only holds the link. */
export function signInToUpload(
  { name }: Project,
  link: string,
  providers: readonly { id: string; name: string }[],
): Page {
  return page(
    `Sign in to ${name}`,
    html`<h1>Sign in to <bdi>${name}</bdi></h1>
<p class="muted">A call needs a file from you. Sign in to see which one, and to upload it.</p>
${
  providers.length === 0
    ? html`<p class="notice">You cannot sign in here. Open the app that you use, and give it the file there.</p>`
    : html`<form method="post" action="/upload/${link}">
${providers.map(
  (provider) =>
    html`<button name="provider" value="${provider.id}"${providers.length === 1 ? html` class="primary"` : null}>Continue with <bdi>${provider.name}</bdi></button>
`,
)}</form>`
}`,
  );
}

type Asked = { project: Project; ticket: UploadTicketRow; link: string; external_id: string | null };

/** `problem`: why the last attempt failed. `confirmation` binds the form to the browser. */
export function uploadPage(
  { project, ticket, link, external_id }: Asked,
  confirmation: string,
  problem: { status: number; text: string } | null = null,
): Page {
  const until = `${ticket.expires_at.slice(11, 16)} UTC`;
  const row = (term: string, value: Html | null) => (value ? html`<dt>${term}</dt><dd>${value}</dd>\n` : null);
  const content = html`<h1>Upload a file for <bdi>${ticket.tool_name}</bdi></h1>
<p class="muted">An app is about to call this tool and needs a file. It reaches the API behind the tool only when the call is made.</p>
${problem ? html`<p class="notice" role="alert">${problem.text}</p>\n` : null}<dl>
${row('Project', html`<bdi>${project.name}</bdi>`)}${row('Tool', html`<code><bdi>${ticket.tool_name}</bdi></code>`)}${row('Argument', html`<code><bdi>${ticket.argument}</bdi></code>`)}${row('User', external_id === null ? null : html`<bdi>${external_id}</bdi>`)}</dl>
<form method="post" action="/upload/${link}" enctype="multipart/form-data" data-max="${String(MAX_FILE_BYTES)}">
<input type="hidden" name="confirmation" value="${confirmation}">
<label for="file">File</label>
<input type="file" id="file" name="file" required aria-describedby="limit">
<p id="limit" class="muted small">At most ${String(MAX_FILE_BYTES / MB)} MB. This link works once, until ${until}.</p>
<button class="primary">Upload</button>
<progress max="1" value="0" aria-label="Progress of the upload" hidden></progress>
<p role="status" class="muted small"></p>
</form>
<footer class="muted small"><p>If you did not start this, close this page: your file would be used for this user or app.</p></footer>`;
  return { ...page(`Upload a file for ${ticket.tool_name}`, content), status: problem?.status ?? 200, script };
}

export function uploadedPage(file: StoredFile | null): Page {
  const content = html`<h1 tabindex="-1">The file was uploaded</h1>
${file ? html`<p><bdi>${file.name}</bdi></p>\n` : null}<p class="muted">You can close this page and return to your app. If it does not continue by itself, ask it to call the tool again.</p>`;
  return page('The file was uploaded', content);
}

const text = `
const form = document.querySelector('form[data-max]');
const [input, button, progress, status] = ['input[type=file]', 'button', 'progress', '[role=status]'].map((part) => form.querySelector(part));
form.addEventListener('submit', (event) => {
  const file = input.files[0];
  if (!file) return;
  event.preventDefault();
  const max = Number(form.dataset.max);
  if (file.size > max) {
    status.textContent = 'This file is too large: at most ' + max / 1e6 + ' MB.';
    return;
  }
  const stop = (text) => {
    button.disabled = false;
    progress.hidden = true;
    status.textContent = text;
  };
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.responseType = 'document';
  request.upload.onprogress = ({ loaded, total }) => {
    progress.value = loaded / total;
    status.textContent = Math.floor((loaded / total) * 100) + ' %';
  };
  request.onload = () => {
    const main = request.response && request.response.querySelector('main');
    if (!main) return stop('The upload failed. Try again.');
    if (main.querySelector('form[data-max]')) return stop(main.querySelector('[role=alert]').textContent);
    document.title = request.response.title;
    document.querySelector('main').replaceWith(main);
    const heading = main.querySelector('h1');
    heading.tabIndex = -1;
    heading.focus();
  };
  request.onerror = () => stop('The connection was lost. Try again.');
  button.disabled = true;
  progress.hidden = false;
  request.send(new FormData(form));
});
`;

const script = { text, source: `'sha256-${hash('sha256', text, 'base64')}'` };
