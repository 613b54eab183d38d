/**
 * Where proxies come, on the listener of the firewall's management. Each request carries the proxies' credential as
 * `Authorization: Bearer …`; over plain HTTP it is taken from the same machine only, since snapshots hold private keys.
 */
export const proxyAddresses = {
  /**
   * GET: the snapshot. With `?except={digest}` it is held back as long as the newest one has this digest, and answered
   * with 204 after {@link snapshotWaitMs}. `?format={number}` is the newest format that the proxy reads; 406 says why it gets none.
   * With `?differences=1` the answer may be a `SnapshotDifference` to the snapshot with that digest.
   */
  snapshot: '/proxies/v1/snapshot',
  /** POST of a `ProxyReport`: 204. */
  report: '/proxies/v1/report',
  /** POST of a `ProxyReportDifference`: 204, or 409 where the report before is not known here, so that a whole one is to follow. */
  reportDifference: '/proxies/v1/report-difference',
  /** POST of `ProxyLogs`: 204 when the entries are durable. */
  logs: '/proxies/v1/logs',
  /** POST of `ProxyCounts`: 204 when they are durable. */
  counts: '/proxies/v1/counts',
  /** POST of `ProxyLearnt`: 204 when it is durable. */
  learnt: '/proxies/v1/learnt',
  /** POST of `ProxyStoredRequests`: 204 when they are durable. */
  storedRequests: '/proxies/v1/stored-requests',
  /**
   * POST of a `SharedMemoryMessage`: 204. GET: `SharedMemoryNews`, as soon as there is something after `?after={next}` of the answer before;
   * 204 after {@link snapshotWaitMs}. Without `after`, everything that is kept for latecomers.
   */
  sharedMemory: '/proxies/v1/shared-memory',
  /** GET: a `Trial` that this proxy is to make; 204 after {@link snapshotWaitMs} when there is none. */
  trial: '/proxies/v1/trial',
  /** POST of a `TrialResult`: 204. */
  trialResult: '/proxies/v1/trial-result',
} as const

/**
 * Headers of an answer with a snapshot: the id of the request that changed the configuration last, and its span in the form of W3C Trace
 * Context where that is recorded. Left out where neither is known; proxies of earlier releases pass over them.
 */
export const originHeaders = {
  requestId: 'palisade-change-request-id',
  traceparent: 'palisade-change-traceparent',
} as const

/** How long a request for a snapshot is held when there is no other one. */
export const snapshotWaitMs = 25_000
