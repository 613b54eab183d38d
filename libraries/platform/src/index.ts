export { createLog, currentRequestId, type Log, withRequestId } from '@palisade/log'
export { currentOrigin, inSpan, inTrace, traceOf, type WorkOrigin } from '@palisade/tracing'
export { type Attention, type Severity, severities } from './administration/attention.ts'
export { type GrantHolders, lossOfGrants, type ServiceAccount } from './administration/grant-holders.ts'
export { pluralize } from './administration/pluralize.ts'
export type {
  AdministeredItem,
  AdministeredResource,
  Creation,
  ListedItem,
  PathParameters,
  ResourceAction,
  Write,
} from './administration/resource.ts'
export {
  beginsWith,
  createListingIndex,
  type OrderColumn,
  type PagePlace,
  type PageRequest,
  selectPage,
} from './administration/select-page.ts'
export { AgingClock, type AgingState } from './aging-clock.ts'
export {
  type Actor,
  type AuditEntry,
  type AuditRow,
  type AuditTables,
  auditMigrations,
  auditRow,
  writeAuditEntry,
} from './audit/audit-log.ts'
export { type Clock, clocksDifferMs, systemClock } from './clock.ts'
export {
  ConfigurationProblems,
  type Problem,
  type Provisioning,
  problemAt,
  refuseProblems,
} from './configuration-problems.ts'
export { takeDataDirectory } from './data-directory.ts'
export type { Claim } from './database/claim.ts'
export { DatabaseCheck, databaseFile } from './database/database-check.ts'
export { type Migrations, migrate, NewerTables } from './database/migrate.ts'
export { type Notifications, notification } from './database/notifications.ts'
export { oneServerAtATime } from './database/one-server-at-a-time.ts'
export { insertedIf, oneStatement } from './database/one-statement.ts'
export { problemOfServers } from './database/postgres-servers.ts'
export { placeOf, requireStore, storeAnswers, storeRefusal } from './database/require-store.ts'
export { rowBatches } from './database/row-batches.ts'
export { isDuplicate, openStore, type Store, type TransactionTables } from './database/store.ts'
export { StoreUnavailable } from './database/store-unavailable.ts'
export { isOneOf, isStorableText, readList, writeList } from './database/stored-texts.ts'
export { type AuditWriter, type Change, noteChange } from './http/audited-requests.ts'
export {
  certificateNoticeMs,
  expiryOf,
  readServerCertificate,
  type ServerCertificate,
  serverCertificate,
} from './http/certificate.ts'
export { clientAddress, networkName } from './http/client-address.ts'
export { parseJson, parseJsonText } from './http/json-body.ts'
export { type ListenAddresses, Listener, type Scheme } from './http/listener.ts'
export type { ListenerOptions } from './http/listener-options.ts'
export {
  type HttpService,
  mountService,
  type OpenApiDocument,
  type ServiceWarning,
  sendRefusal,
} from './http/mount-service.ts'
export type { CallingOperator, OperatorAuthority } from './http/operator-authority.ts'
export { ProblemDetails, problemDetails } from './http/problem-details.ts'
export { refusalOfError } from './http/refusal-of-error.ts'
export { type Caller, callerOf, markAuthenticated } from './http/unknown-callers.ts'
export {
  type JobFigures,
  JobPostponed,
  type JobQueue,
  JobRunner,
  type Lease,
  type WatchedQueue,
} from './job-runner.ts'
export { LazyValidator } from './lazy-validator.ts'
export { createMetrics, type Figure, type RequestMetrics, type ServiceMetrics } from './metrics.ts'
export { AccountAuthorisation, type AccountPath } from './oauth/account-authorisation.ts'
export { type ApiClientResourceOptions, apiClientResource } from './oauth/api-client-resource.ts'
export {
  type ApiClient,
  ClientCredentials,
  type Grant,
  type IssuedToken,
  problemsOfClients,
  type TokenFailure,
} from './oauth/client-credentials.ts'
export { clientsWithAccount, withdrawAccount } from './oauth/deleted-accounts.ts'
export { oauthMigrations } from './oauth/tables.ts'
export { tokenSecuritySchemes, tokenTags } from './oauth/token-contract.ts'
export { type TokenEndpointOptions, tokenEndpoint } from './oauth/token-endpoint.ts'
export { warnOfUnknownAccounts } from './oauth/unknown-accounts.ts'
export { exampleOf, withExample } from './openapi/example.ts'
export { operatorSecurity, operatorSecuritySchemes, sessionCookie } from './openapi/operator-security.ts'
export type { ServiceContract } from './openapi/service-contract.ts'
export {
  type ErrorEnvelope,
  type Refusal,
  type RefusalCode,
  RequestRefused,
  statusOfRefusal,
  tooManyRequests,
} from './refusal.ts'
export { repeatedIndexes } from './repeated-indexes.ts'
export { FailedLogins, failuresMax, failureWindowMs } from './secrets/failed-logins.ts'
export { credentialsSizeMax, HashingQueue } from './secrets/hashing-queue.ts'
export { keyFile } from './secrets/key-file.ts'
export { newSecretLengthMin, Passwords } from './secrets/passwords.ts'
export { TextSeal } from './secrets/text-seal.ts'
export { digestOf, equalInConstantTime, newSecret } from './secrets/tokens.ts'
export type { ServiceFoundation } from './service-foundation.ts'
export { SlidingWindow } from './sliding-window.ts'
export { type SyslogFacts, syslogMessage, withLengthPrefix } from './syslog-message.ts'
