/**
 * How often damage is thrown at the readers, and from which seed. The ordinary run is short and always the same;
 * for a long one set `VIRTUAL_DISK_FUZZ_RUNS` to the number of runs of each property, and `VIRTUAL_DISK_FUZZ_SEED`
 * to repeat one that failed (the failure names its seed and path).
 */
const SEED = 20_260_101

export function fuzzRuns(ordinary: number): { readonly numRuns: number; readonly seed: number } {
  const { VIRTUAL_DISK_FUZZ_RUNS: runs, VIRTUAL_DISK_FUZZ_SEED: seed } = process.env
  if (runs === undefined) return { numRuns: ordinary, seed: SEED }
  return { numRuns: Number(runs), seed: seed === undefined ? Date.now() % 2 ** 31 : Number(seed) }
}
