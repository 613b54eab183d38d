export { proxyAddresses, snapshotWaitMs } from './addresses.ts'
export type {
  SnapshotBalancing,
  SnapshotContentRule,
  SnapshotHealth,
  SnapshotPersistence,
  SnapshotProbe,
  SnapshotServer,
  SnapshotServerTls,
} from './balancing.ts'
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
  SnapshotService,
} from './snapshot.ts'
export type {
  SnapshotCertificate,
  SnapshotClientCertificates,
  SnapshotDomain,
  SnapshotTls,
  TlsVersion,
} from './tls.ts'
