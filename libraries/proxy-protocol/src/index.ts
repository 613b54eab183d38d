export { proxyAddresses, snapshotWaitMs } from './addresses.ts'
export { problemOfExpression } from './expression.ts'
export {
  type ElementMatch,
  type ExtendedMatch,
  type MatchedElement,
  type MatchOperator,
  parseExtendedMatch,
} from './extended-match.ts'
export {
  type LoggedEntry,
  loggedEntriesMax,
  type ProxyLogs,
  type ProxyReport,
  type ReportedServer,
  type ReportedService,
  reportIntervalMs,
} from './report.ts'
export type {
  ProxySnapshot,
  SlowClientLimits,
  SlowClientTimeouts,
  SnapshotInspection,
  SnapshotServer,
  SnapshotService,
  SnapshotTls,
  TlsVersion,
} from './snapshot.ts'
