// The calculator on the page about scaling: below the heading that says so, where scripts run.

import { type Load, type Size, sizeFor } from './sizing-model.ts';

const ANCHOR = 'calculate-your-own';
const fields: [name: keyof Load, label: string, value: number][] = [
  ['calls', 'Tool calls per second', 100],
  ['sessions', 'Member sessions per second', 5],
  ['deliveries', 'Webhook deliveries per second', 5],
];
const MOST = 1_000_000;

export function addCalculator(): void {
  const heading = document.getElementById(ANCHOR);
  if (!heading) return;
  const form = document.createElement('form');
  form.className = 'calculator';
  form.setAttribute('aria-labelledby', ANCHOR);
  const inputs = fields.map(([name, label, value]) => addField(form, name, label, value));
  const output = form.appendChild(document.createElement('output'));
  const show = () => output.replaceChildren(listOf(sizeFor(readLoad(inputs))));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', show);
  show();
  heading.after(form);
}

function addField(form: HTMLFormElement, name: string, text: string, value: number): HTMLInputElement {
  const label = form.appendChild(document.createElement('label'));
  label.append(text);
  const input = label.appendChild(document.createElement('input'));
  Object.assign(input, { name, type: 'number', min: '0', max: String(MOST), step: 'any', value: String(value) });
  return input;
}

/** What is not a number counts as none. */
function readLoad(inputs: HTMLInputElement[]): Load {
  const load: Load = { calls: 0, sessions: 0, deliveries: 0 };
  for (const { name, valueAsNumber } of inputs)
    load[name as keyof Load] = Math.min(MOST, Math.max(0, valueAsNumber || 0));
  return load;
}

function listOf(size: Size): HTMLElement {
  const rows: [string, string][] = [
    ['Workers (one core each)', number(size.workers)],
    ['Replicas of up to four workers', number(size.replicas)],
    ['Cores of PostgreSQL', number(size.postgres_cores)],
    ['Connections to PostgreSQL', number(size.connections)],
    ['Call log per day', `${number(size.log_gb_per_day)} GB`],
    ['What to add', size.additions.join('; ') || 'nothing'],
  ];
  const list = document.createElement('dl');
  for (const [term, text] of rows) {
    list.appendChild(document.createElement('dt')).textContent = term;
    list.appendChild(document.createElement('dd')).textContent = text;
  }
  return list;
}

const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
