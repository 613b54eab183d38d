import type {
  LearntUrl,
  LoggedEntry,
  ProxySnapshot,
  ReportedRules,
  SnapshotDifference,
  StoredRequest,
  TrafficCounts,
} from '@palisade/proxy-protocol'
import type { CollectionChange } from '@palisade/seclang'
import type { ServiceChanges } from '../management/service-changes.ts'
import type { TrafficStorages } from '../policy/traffic-memory.ts'

/** What the primary process tells a worker. Messages arrive in the order in which they were sent. */
export type ToWorker =
  /**
   * Serve this, and say `taken` with the same number, or `refused`. A spare makes everything ready, opens no listener, and says the
   * same.
   */
  | {
      readonly type: 'snapshot'
      readonly number: number
      /** A difference is one to the snapshot that was sent before, whether that was taken or not. */
      readonly snapshot: ProxySnapshot | SnapshotDifference
      readonly isSpare: boolean
    }
  /** Comes with the socket on which a worker that has ended listened at this place. */
  | { readonly type: 'socket'; readonly place: string }
  /** A spare is one no more: open the listeners, and say `taken` with this number. */
  | { readonly type: 'serve'; readonly number: number }
  /** Other rules were chosen: load them, and say `rules`. */
  | { readonly type: 'load-rules' }
  /** Other files about addresses were brought: read them. */
  | { readonly type: 'load-address-data' }
  /** Other lists of revoked certificates are there: obey them. */
  | { readonly type: 'load-revocation-lists' }
  /** What rules in other workers have written. */
  | { readonly type: 'collections'; readonly changes: readonly StoredChanges[] }
  /** Take no more clients, let running requests end, and go. */
  | { readonly type: 'stop' }

/** What a worker tells the primary process. */
export type FromWorker =
  /** It can take snapshots. */
  | { readonly type: 'ready'; readonly rules: ReportedRules }
  /** It has loaded the rules that are chosen now, or goes on with those that it had. */
  | { readonly type: 'rules'; readonly rules: ReportedRules }
  /** It serves the snapshot of this number. */
  | { readonly type: 'taken'; readonly number: number }
  /** It goes on with the snapshot before, because of this. */
  | { readonly type: 'refused'; readonly number: number; readonly reason: string }
  /** Comes with the socket on which it listens at this place. */
  | { readonly type: 'listening'; readonly place: string }
  /** It listens there no more. */
  | { readonly type: 'closed'; readonly place: string }
  /** Of which services something is new since it said so last; at first, of all. */
  | ({ readonly type: 'services' } & ServiceChanges)
  | {
      readonly type: 'logs'
      readonly access: readonly LoggedEntry[]
      readonly webFirewall: readonly LoggedEntry[]
    }
  | { readonly type: 'collections'; readonly changes: readonly StoredChanges[] }
  | { readonly type: 'figures'; readonly figures: WorkerFigures }
  | { readonly type: 'counted'; readonly counted: readonly TrafficCounts[] }
  | { readonly type: 'learnt'; readonly urls: readonly LearntUrl[] }
  | { readonly type: 'stored'; readonly requests: readonly StoredRequest[] }

/** What rules did to one instance of a stored collection, in order. */
export interface StoredChanges {
  /** Whose: services that block and services that only log keep theirs apart, and so does what is remembered without rules. */
  readonly storage: StorageName
  readonly collection: string
  readonly instance: string
  readonly changes: readonly CollectionChange[]
}

/** The storages that workers share. */
export type StorageName = 'active' | 'passive' | keyof TrafficStorages

/** What a worker has counted since it began. */
export interface WorkerFigures {
  readonly services: Readonly<Record<string, ServiceFigures>>
  readonly residentMemoryBytes: number
  readonly cpuSeconds: number
  /** How much later than asked for timers ran, in the second before. */
  readonly eventLoopDelaySeconds: { readonly mean: number; readonly p99: number; readonly max: number }
}

/** What a worker counted of one service, for the metrics. */
export interface ServiceFigures {
  /** By the first digit of the answer's status: `2xx`; `none` where the client had gone. */
  readonly requests: Record<string, number>
  /** Requests that were refused because of what was found in them or in their answers. */
  blocked: number
  bytesReceived: number
  bytesSent: number
  /** Requests that no server answered, or not in time. */
  upstreamFailures: number
  /** Requests under way. */
  underWay: number
  /** Connections of clients that are open. */
  connections: number
  /** How long requests took: as many as took no longer than each of `durationBoundsSeconds`, and at the end those that did. */
  readonly durations: number[]
  durationSumSeconds: number
}

/** Upper bounds of the histogram of durations. */
export const durationBoundsSeconds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]
