// The toolsets on the page of a sign-in: a check box for each, and what its tools can do. It works without scripts: "read only" is a
// button that asks the server for the page with other boxes ticked.

import { toolsetScope } from '@toolgate/contract/toolsets/rules.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { Asked, AskedToolset, ShownTool } from '../asked-toolsets.ts';

/** Which boxes are ticked when the page appears. */
export type Preset = 'all' | 'read_only';

/** More tools than this are folded at first, unless there are new ones. */
const MAX_OPEN = 5;

/** Belongs to a form of its own: the Enter key in a check box must not press its buttons. */
const PRESETS = 'presets';

export function toolsetChoices({ toolsets, more_count }: Asked, preset: Preset): Html | null {
  if (toolsets.length === 0) return null;
  const is_only_new = toolsets.every(({ is_approved }) => is_approved);
  return html`<fieldset>
<legend>${is_only_new ? 'New tools that it requests' : 'Tools that it can use for you'}</legend>
${presetButtons(toolsets)}<ul role="list">
${toolsets.map((toolset, at) => choice(toolset, `toolset-${at}`, isTicked(toolset, preset)))}</ul>
${more_count > 0 ? html`<p class="muted small">It requested ${count(more_count, 'more toolset')}, not listed here. It can request the rest later.</p>\n` : null}</fieldset>
`;
}

/** The form of the preset buttons. */
export const presetForm = (request: string): Html => html`
<form method="post" action="/api/v1/oauth/consent" id="${PRESETS}" hidden>
<input type="hidden" name="request" value="${request}">
</form>`;

const isTicked = ({ writing_count }: AskedToolset, preset: Preset) => preset === 'all' || writing_count === 0;

/** Offered if it makes a difference. */
function presetButtons(toolsets: readonly AskedToolset[]): Html | null {
  if (!toolsets.some(({ writing_count }) => writing_count > 0)) return null;
  return html`<p class="presets"><span class="muted">Select</span>
<button form="${PRESETS}" name="preset" value="all">All</button>
<button form="${PRESETS}" name="preset" value="read_only">Read only</button></p>
`;
}

function choice(toolset: AskedToolset, id: string, is_ticked: boolean): Html {
  const { slug, name, description, tools } = toolset;
  const new_count = tools.filter(({ is_new }) => is_new).length;
  const is_open = tools.length <= MAX_OPEN || new_count > 0;
  return html`<li>
<label><input type="checkbox" name="${toolsetScope(slug)}" value="on" aria-describedby="${id}"${is_ticked ? html` checked` : null}>
<span><bdi>${name}</bdi>${new_count > 0 ? html` <b class="new">${count(new_count, 'new tool')}</b>` : null}</span></label>
<div class="small" id="${id}">
${description ? html`<p><bdi>${description}</bdi></p>\n` : null}<p class="muted">${summary(toolset)}</p>
</div>
${tools.length > 0 ? details(toolset, is_open) : null}</li>
`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

function summary({ tool_count, writing_count }: AskedToolset): string {
  if (tool_count === 0) return 'It has no tools yet.';
  if (writing_count === 0) return `${count(tool_count, 'tool')}, read only`;
  return `${count(tool_count, 'tool')}, ${writing_count} of them can change something`;
}

function details({ name, tools, tool_count }: AskedToolset, is_open: boolean): Html {
  const more = tool_count - tools.length;
  return html`<details${is_open ? html` open` : null}>
<summary>Tools<span class="hidden"> of <bdi>${name}</bdi></span></summary>
<ul role="list" class="tools small">
${tools.map(shownTool)}${more > 0 ? html`<li class="muted">and ${String(more)} more</li>\n` : null}</ul>
</details>
`;
}

function shownTool(tool: ShownTool): Html {
  const { is_new, listed } = tool;
  return html`<li>${is_new ? html`<b class="new">New</b> ` : null}<bdi>${listed.title}</bdi> <span class="muted">${hintText(tool)}</span></li>
`;
}

function hintText({ listed: { readOnlyHint, destructiveHint, openWorldHint } }: ShownTool): string {
  const effect = readOnlyHint ? 'only reads' : destructiveHint ? 'can change or delete data' : 'can add data';
  return openWorldHint ? `${effect}, reaches other services` : effect;
}
