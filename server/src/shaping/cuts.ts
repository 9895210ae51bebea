// What is missing in a shaped response: for each path, how much of its lists and texts is there.

import { escapeName, ROOT_PATH } from '@toolgate/contract/custom-tools/response-paths.ts';
import { decodeString, findEscapedEnd } from '../engines/json-text/scan.ts';

/** A list, or a text, of which not everything is there. `total` is null if it is not known. */
export type Cut = { path: string; kept: number; total: number | null; is_list: boolean };

export type CutMap = Map<string, Cut>;

/** A place may have a list in one item and a text in another. */
export const keyOfCut = ({ path, is_list }: Cut) => `${is_list} ${path}`;

/** Adds to what is known: lists at the same path are counted together. */
export function addCut(cuts: CutMap, cut: Cut): void {
  const known = cuts.get(keyOfCut(cut));
  if (known === undefined) cuts.set(keyOfCut(cut), { ...cut });
  else {
    known.kept += cut.kept;
    known.total = known.total === null || cut.total === null ? null : known.total + cut.total;
  }
}

/** In a place: an item of a list. */
export const ITEM = -1;

/** `place`: where the names of the members begin in the JSON text. */
export function pathOf(text: string, place: readonly number[]): string {
  let path = '';
  for (const at of place) path += at === ITEM ? '[]' : `${path === '' ? '' : '.'}${escapeName(nameAt(text, at))}`;
  return path || ROOT_PATH;
}

const nameAt = (text: string, at: number) => decodeString(text.slice(at, findEscapedEnd(text, at + 1)));
