export { originHeaders, proxyAddresses, snapshotWaitMs } from './addresses.ts'
export type {
  SnapshotAccessRule,
  SnapshotAuthentication,
  SnapshotAuthorizationPolicy,
  SnapshotLdapDirectory,
  SnapshotLocalUser,
  SnapshotOpenIdProvider,
  SnapshotRadiusServer,
  SnapshotSignInPages,
} from './authentication.ts'
export type {
  SnapshotBalancing,
  SnapshotContentRule,
  SnapshotHealth,
  SnapshotPersistence,
  SnapshotProbe,
  SnapshotServer,
  SnapshotServerTls,
} from './balancing.ts'
export type { SnapshotBot, SnapshotBots, SnapshotScrapingPolicy } from './bots.ts'
export type { SnapshotCaptcha, SnapshotDdosPolicy } from './captcha.ts'
export type { SnapshotChallenges, SnapshotHttpChallenge, SnapshotTlsChallenge } from './challenges.ts'
export type {
  SnapshotAccessLimits,
  SnapshotAddressCategory,
  SnapshotChecks,
  SnapshotCredentialChecks,
  SnapshotDecidedShape,
  SnapshotDownloadedBlocklist,
  SnapshotHeaderAcl,
  SnapshotIpReputation,
  SnapshotParameterProfile,
  SnapshotProfiles,
  SnapshotRequestPool,
  SnapshotSessionLimits,
  SnapshotSessionToken,
  SnapshotUrlPolicy,
  SnapshotUrlProfile,
} from './checks.ts'
export type { SnapshotCookieSecurity } from './cookies.ts'
export {
  isExpressionPattern,
  problemOfExpression,
  problemOfOldValue,
  problemOfRepetitions,
} from './expression.ts'
export {
  type ElementMatch,
  type ExtendedMatch,
  type MatchedElement,
  type MatchOperator,
  parseExtendedMatch,
} from './extended-match.ts'
export {
  AddressForbidden,
  AddressGuard,
  type ForbiddenAddresses,
  isNetwork,
  metadataNetworks,
} from './forbidden-addresses.ts'
export type { SnapshotCommentSpam, SnapshotFormSpam, SnapshotForms, SnapshotListedForm } from './forms.ts'
export type {
  SnapshotJsonKeyProfile,
  SnapshotJsonLimits,
  SnapshotJsonProfile,
} from './json-profiles.ts'
export {
  type LearntClass,
  type LearntParameter,
  type LearntUrl,
  type LearntValue,
  learntClasses,
  learntKey,
  learntMax,
  mergedUrl,
  type ProxyLearnt,
  type SnapshotLearning,
} from './learning.ts'
export { linearForm, NoLinearForm } from './linear-form.ts'
export type {
  SnapshotAction,
  SnapshotAttackTypes,
  SnapshotDenial,
  SnapshotFollowUp,
  SnapshotInputChecks,
  SnapshotPage,
  SnapshotParameterProtection,
  SnapshotPattern,
  SnapshotPlace,
  SnapshotPolicy,
  SnapshotProtectedData,
  SnapshotRedirect,
  SnapshotUploads,
  SnapshotUrlAcl,
  SnapshotUrlProtection,
  SnapshotValueChecks,
} from './policy.ts'
export { readSnapshot, SnapshotUnreadable, snapshotFormat, snapshotFormatMin } from './read-snapshot.ts'
export {
  type LoggedEntry,
  loggedEntriesMax,
  type ProxyLogs,
  type ProxyReport,
  type ProxyReportDifference,
  type ReportedRules,
  type ReportedServer,
  type ReportedService,
  reportIdHeader,
  reportIntervalMs,
  wholeReportEveryMs,
} from './report.ts'
export type {
  SnapshotContentSecurityRule,
  SnapshotFrames,
  SnapshotHeaderChange,
  SnapshotKey,
  SnapshotRequestRewrite,
  SnapshotResponseRewrite,
  SnapshotRewriting,
  SnapshotTranslation,
  SnapshotUrlChange,
  SnapshotUrlEncryption,
  SnapshotUrlEncryptionRule,
} from './rewriting.ts'
export type { SnapshotOwnPolicy, SnapshotRuleChecks } from './rule-checks.ts'
export type { SnapshotRuleException, SnapshotSecondOpinion } from './rule-exceptions.ts'
export type * from './settings.generated.ts'
export {
  type SharedChange,
  type SharedMemoryMessage,
  type SharedMemoryNews,
  sharedMemoryMax,
  sharedStorages,
} from './shared-memory.ts'
export type {
  ProxySnapshot,
  SlowClientLimits,
  SlowClientTimeouts,
  SnapshotInspection,
  SnapshotService,
} from './snapshot.ts'
export { differenceBetween, type SnapshotDifference, wholeSnapshot } from './snapshot-difference.ts'
export {
  type ProxyStoredRequests,
  ruleSetName,
  ruleSetNamesMax,
  type StoredRequest,
  storedTrafficMax,
  type Trial,
  type TrialResult,
  type TriedFinding,
  type TriedRequest,
  type TriedVerdict,
} from './stored-traffic.ts'
export type {
  SnapshotCertificate,
  SnapshotCertificateRule,
  SnapshotClientCertificates,
  SnapshotDomain,
  SnapshotRevocationList,
  SnapshotStatusResponder,
  SnapshotTls,
  TlsVersion,
} from './tls.ts'
export type { SnapshotIntrospection, SnapshotTokenKey, SnapshotTokenProfile } from './token-profiles.ts'
export {
  type CountedStatistics,
  type CounterName,
  countedMax,
  counterNames,
  countersByStatistics,
  deniedCounter,
  type ProxyCounts,
  type TrafficCounts,
} from './traffic-counts.ts'
export type { SnapshotWebSocketPolicy } from './websockets.ts'
