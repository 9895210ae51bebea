import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { colors } from './colors.ts';

const css = readFileSync(join(import.meta.dirname, '../../../dashboard/src/app/colors.css'), 'utf8');
const [light = '', dark = ''] = css.split('[data-theme="dark"]');

for (const [name, values] of Object.entries(colors))
  test(`--${name} has the same two colors on the server's own pages and in the dashboard`, () => {
    const valueIn = (part: string) => new RegExp(`--${name}: (#\\w+);`).exec(part)?.[1];
    assert.deepEqual([valueIn(light), valueIn(dark)], [...values]);
  });
