// The seed of a property test file. It is printed at the start, so that a failure on another machine can be repeated with
// TEST_SEED=<seed> npm test -- <file>.

import fc from 'fast-check';

/** TEST_SEED, or a random one. All properties of the process use it. */
export function useSeed(): void {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 0x7fffffff));
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
  console.log(`property tests: TEST_SEED=${seed}`);
}
