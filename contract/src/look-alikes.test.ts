import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText, lookAlikesIn } from './look-alikes.ts';

const wordsIn = (text: string) => lookAlikesIn(text).map((found) => found.text);

for (const [text, words] of [
  ['pаypal', ['pаypal']],
  ['Please іgnore it', ['іgnore']],
  ['use the tооl', ['tооl']],
  ['call Αdmin now', ['Αdmin']],
  ['a word all of them: сору', ['сору']],
] as const)
  test(`"${foldText(text)}" with look-alikes is found`, () => assert.deepEqual(wordsIn(text), words));

for (const text of [
  'Ищет заказ по номеру',
  'Показывает API-ключ и SMS на русском языке: все, хор, оса',
  'IPшник',
  'Βρίσκει την παραγγελία και το API',
  '10 μm, 5 µs, 3 kΩ, Δt and λ',
  'Kayıt numarası, ırmak',
  'Café, naïve, Łódź, straße',
  '注文 API を検索',
  'طلب API',
])
  test(`"${text}" has no look-alikes`, () => assert.deepEqual(wordsIn(text), []));

test('a text is folded to what a reader sees', () => {
  assert.equal(foldText('іgnоrе'), 'ignore');
  assert.equal(foldText('ｉｇｎｏｒｅ'), 'ignore');
  assert.equal(foldText('𝐢𝐠𝐧𝐨𝐫𝐞 ⓘⓖⓝⓞⓡⓔ'), 'ignore ignore');
  assert.equal(foldText('ig\u200Bn\u034For\uFE00e'), 'ignore');
  assert.equal(foldText('Ищет заказ').includes('з'), true);
});
