// `multipleOf` on the decimals that were written: 19.99 is a multiple of 0.01, though not of the binary fraction next to it,
// and a quotient may be larger than any double.

import { spend } from './work-meter.ts';

export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  // Numbers of up to 650 digits, made and divided in a few microseconds.
  spend(200);
  const [a, b] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

type Decimal = { digits: bigint; exponent: number };

/** The shortest decimal that reads as this number, which is the one that was written. */
function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = value.toString().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to);
