// Letters of other scripts that look like those of English: with them a text says something else to a person than to a program that
// searches it. The letters are the ones of Unicode's confusables (UTS 39) that no reader tells apart. Without zod.

import { isPlain, withoutHidden } from './hidden-characters.ts';

/** Pairs: the letter, and what it looks like. */
const pairs = [
  'аaсcԁdеeһhіiјjкkӏlоoрpԛqѕsѵvԝwхxуyАAВBСCЕEԌGНHІIЈJКKМMОOРPԚQЅSТTѴVԜWХXУYҮY', // Cyrillic
  'αaϲcηnιiϳjκkνvοoρpτtυuωwχxγyΑAΒBϹCΕEΗHΙIͿJΚKΜMΝNΟOΡPΤTΧXΥYΖZ', // Greek
  'ցgհhյjոnօoզqսuԼLՕOՏSՍU', // Armenian
  'ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎫJᏦKᏞLᎷMᏢPᎡRᏚSᎢTᏙVᎳWᏃZ', // Cherokee
];
/** Letters of the Latin script: words of some languages have them. */
const latin = 'ɑaᴄcɡgıiɩiȷjᴋkᴏoꜱsʋvᴠvᴡwᴢz';

const toMap = (text: string) => new Map(text.match(/../gu)?.map((pair) => [...pair] as [string, string]));
const foreign = toMap(pairs.join(''));
const folded = new Map([...foreign, ...toMap(latin)]);

/** As a reader sees it, in plain letters where there are some: compatibility forms, look-alikes, and nothing hidden. */
export function foldText(text: string): string {
  if (isPlain(text)) return text;
  return withoutHidden(text.normalize('NFKC')).replace(/\P{ASCII}/gu, (letter) => folded.get(letter) ?? letter);
}

const WORD = /[\p{L}\p{M}\p{N}]{3,}/gu;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;
const ENGLISH = /[a-z]/i;

/**
 * The words that are written with look-alikes: those that mix them with letters of English, and, in a text that is otherwise English, those
 * that consist of them. Words of languages that are written so have other letters, too.
 */
export function lookAlikesIn(text: string): { index: number; text: string }[] {
  if (isPlain(text) || !ENGLISH.test(text)) return [];
  const letters = text.match(FOREIGN);
  if (letters === null) return [];
  const isEnglish = letters.every((letter) => foreign.has(letter));
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ index, text: word })).filter(({ text: word }) => {
    const inWord = word.match(FOREIGN);
    return inWord?.every((letter) => foreign.has(letter)) && (isEnglish || ENGLISH.test(word));
  });
}
