const mebibyte = 2 ** 20
const gibibyte = 2 ** 30

/** How much the benchmarks do. Each takes from it what is its own. */
export interface Extent {
  /** How often everything is measured, at least once. */
  readonly rounds: number
  /** Rounds before those, which do not count: programs get warm in them. */
  readonly warmUpRounds: 0 | 1
  /** How long the load of one measurement lasts, in whole seconds, since wrk takes no others. */
  readonly loadSeconds: number
  /** The same for a firewall, and for one that gets warm. */
  readonly traffic: { readonly measuredSeconds: number; readonly warmUpSeconds: number }
  /** How long the rules alone judge requests of one kind, in milliseconds. */
  readonly rulesMs: number
  /** The lengths of the lists of services. */
  readonly listedServices: readonly number[]
  /** A small and a large configuration, in services, and how often each is changed in a round. */
  readonly configurations: { readonly few: number; readonly many: number; readonly changes: number }
  /** The image that is archived, and the volume of data of a machine; a multiple of 4 MiB. */
  readonly imageBytes: number
  /** The image that is backed up and restored, and the one that shows that memory does not grow; multiples of 4 MiB. */
  readonly restored: { readonly imageBytes: number; readonly largeImageBytes: number }
  /** An image full of data, and one of holes with so many pieces of data. */
  readonly memory: { readonly dataBytes: number; readonly holesBytes: number; readonly pieces: number }
}

/** What is measured, unless the command line says otherwise. */
export const ordinaryExtent: Extent = {
  rounds: 5,
  warmUpRounds: 1,
  loadSeconds: 4,
  traffic: { measuredSeconds: 5, warmUpSeconds: 15 },
  rulesMs: 2000,
  listedServices: [1, 1000],
  configurations: { few: 10, many: 10_000, changes: 20 },
  imageBytes: 2 * gibibyte,
  restored: { imageBytes: 2 * gibibyte, largeImageBytes: 4 * gibibyte },
  memory: { dataBytes: 2 * gibibyte, holesBytes: 100 * gibibyte, pieces: 500 },
}

/** As little as shows that a benchmark and its peers run. What it prints says nothing about speed. */
export const shortExtent: Extent = {
  rounds: 1,
  warmUpRounds: 0,
  loadSeconds: 1,
  traffic: { measuredSeconds: 1, warmUpSeconds: 1 },
  rulesMs: 100,
  listedServices: [1, 10],
  configurations: { few: 10, many: 20, changes: 2 },
  imageBytes: 16 * mebibyte,
  restored: { imageBytes: 16 * mebibyte, largeImageBytes: 32 * mebibyte },
  memory: { dataBytes: 16 * mebibyte, holesBytes: gibibyte, pieces: 5 },
}

/** A size as titles say it: `2 GiB`, `16 MiB`. */
export function sizeText(bytes: number): string {
  return bytes < gibibyte ? `${bytes / mebibyte} MiB` : `${bytes / gibibyte} GiB`
}
