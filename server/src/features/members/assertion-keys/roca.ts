// ROCA (CVE-2017-15361): RSA keys of Infineon chips that can be factored. Their primes are powers of 65537 modulo many
// small primes. The published test: so is the modulus, modulo each of them. A good key passes by chance once in 2^27.

const primes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
  127, 131, 137, 139, 149, 151, 157, 163, 167,
];

const powersOf65537 = primes.map((prime) => [BigInt(prime), powersModulo(prime)] as const);

export function isRocaModulus(n: bigint): boolean {
  return powersOf65537.every(([prime, powers]) => powers.has(Number(n % prime)));
}

function powersModulo(prime: number): Set<number> {
  const powers = new Set<number>();
  for (let power = 1; !powers.has(power); power = (power * 65_537) % prime) powers.add(power);
  return powers;
}
