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
  /** After how many requests a load sends no more, also of a firewall; infinite where only its time ends it. */
  readonly loadRequests: number
  /** The same for a firewall, and for one that gets warm; and how long nobody asks it for anything before its memory is looked at again. */
  readonly traffic: {
    readonly measuredSeconds: number
    readonly warmUpSeconds: number
    readonly restSeconds: number
  }
  /** How long the rules alone judge requests of one kind, in milliseconds. */
  readonly rulesMs: number
  /** Whether everything that the machine has to write is on the disk before a measurement begins. */
  readonly quietensDisk: boolean
  /** The lengths of the lists of services. */
  readonly listedServices: readonly number[]
  /** A small and a large configuration, in services, and how often each is changed in a round. */
  readonly configurations: { readonly few: number; readonly many: number; readonly changes: number }
  /** A small and a large configuration that a proxy carries, in services, and how often each is changed in a round: an even number. */
  readonly carried: { readonly few: number; readonly many: number; readonly changes: number }
  /** Servers on one PostgreSQL: their services, how long they are read in a round, how often each makes a change in turn, and how many requests show what they carry. */
  readonly severalServers: {
    readonly services: number
    readonly seconds: number
    readonly changes: number
    readonly requests: number
  }
  /** How much operators administer; conditions are those that have passed. Of so many calls the median is taken in each round. */
  readonly administered: {
    readonly auditEntries: number
    readonly operators: number
    readonly computers: number
    readonly conditions: number
    readonly calls: number
  }
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
  loadRequests: Number.POSITIVE_INFINITY,
  traffic: { measuredSeconds: 5, warmUpSeconds: 15, restSeconds: 60 },
  rulesMs: 2000,
  quietensDisk: true,
  listedServices: [1, 1000],
  configurations: { few: 10, many: 10_000, changes: 20 },
  carried: { few: 10, many: 1_000, changes: 20 },
  severalServers: { services: 2_000, seconds: 10, changes: 20, requests: 12_000 },
  administered: {
    auditEntries: 1_000_000,
    operators: 10_000,
    computers: 100_000,
    conditions: 100_000,
    calls: 9,
  },
  imageBytes: 2 * gibibyte,
  restored: { imageBytes: 2 * gibibyte, largeImageBytes: 4 * gibibyte },
  memory: { dataBytes: 2 * gibibyte, holesBytes: 100 * gibibyte, pieces: 500 },
}

/** As little as shows that a benchmark and its peers run. What it prints says nothing about speed. */
export const shortExtent: Extent = {
  rounds: 1,
  warmUpRounds: 0,
  loadSeconds: 1,
  loadRequests: 100,
  traffic: { measuredSeconds: 1, warmUpSeconds: 1, restSeconds: 1 },
  rulesMs: 100,
  quietensDisk: false,
  listedServices: [1, 10],
  configurations: { few: 10, many: 20, changes: 2 },
  carried: { few: 10, many: 20, changes: 2 },
  severalServers: { services: 20, seconds: 2, changes: 2, requests: 400 },
  administered: { auditEntries: 4_000, operators: 300, computers: 300, conditions: 300, calls: 1 },
  imageBytes: 16 * mebibyte,
  restored: { imageBytes: 16 * mebibyte, largeImageBytes: 32 * mebibyte },
  memory: { dataBytes: 16 * mebibyte, holesBytes: gibibyte, pieces: 5 },
}

/** A size as titles say it: `2 GiB`, `16 MiB`. */
export function sizeText(bytes: number): string {
  return bytes < gibibyte ? `${bytes / mebibyte} MiB` : `${bytes / gibibyte} GiB`
}
