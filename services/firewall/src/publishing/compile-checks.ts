import type { SnapshotChecks, SnapshotParameterProtection } from '@palisade/proxy-protocol'
import { compileCommentSpam, compileFormSpam } from '../features/form-spam/compile.ts'
import { compileHeaderAcls } from '../features/header-acls/compile.ts'
import { blockedClients, downloadedBlocklist } from '../features/ip-reputation/compile.ts'
import { compileIpReputation } from '../features/ip-reputation/places.ts'
import { compileJsonProfiles } from '../features/json-profiles/compile.ts'
import { compileTokenProfiles } from '../features/json-web-tokens/compile.ts'
import { compileRequestPool } from '../features/rate-control/compile.ts'
import { compileRefererSpam } from '../features/referer-spam/compile.ts'
import { compileRuleExceptions } from '../features/rule-exceptions/compile.ts'
import { compileSecondOpinions } from '../features/second-opinions/compile.ts'
import { clientAddressHeader } from '../features/services/clients.ts'
import { inspectionDetails } from '../features/services/inspection.ts'
import { compileSessionLimits } from '../features/session-tracking/compile.ts'
import { compileTrustedHosts } from '../features/trusted-hosts/compile.ts'
import { compileUrlAcls } from '../features/url-acls/compile.ts'
import { compileUrlPolicies } from '../features/url-policies/compile.ts'
import { compileProfiles } from '../features/website-profiles/compile.ts'
import { compileWebSocketPolicies } from '../features/websockets/compile.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { optional } from '../objects/reading.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** What the rest of the configuration gives to the checks of a service. */
export interface CheckSources {
  readonly snapshot: Snapshot
  /** That of the service's policy. */
  readonly protection: SnapshotParameterProtection | undefined
  /** The only object of its kind; undefined while nobody has changed it. */
  readonly blocklist: ConfigurationObject | undefined
  /** Whether the address of a client may come from a header at all, as the system says. */
  readonly believesClientHeaders: boolean
}

/** What a service says itself about the checks of its requests. */
export function compileChecks(service: ConfigurationObject, sources: CheckSources): SnapshotChecks {
  const { snapshot, protection } = sources
  const exceptions = compileRuleExceptions(service)
  return {
    ...inspectionDetails.of(service),
    ...(sources.believesClientHeaders ? clientAddressHeader.of(service) : {}),
    ...optional('trusted', compileTrustedHosts(service, snapshot)),
    blockedClients: blockedClients(service, sources.blocklist),
    ...optional('downloadedBlocklist', downloadedBlocklist(service, sources.blocklist, snapshot)),
    ...optional('ipReputation', compileIpReputation(service, snapshot)),
    urlAcls: compileUrlAcls(service, snapshot),
    headerAcls: compileHeaderAcls(service, snapshot),
    ...optional('profiles', compileProfiles(service, protection, snapshot)),
    ...optional('jsonProfiles', compileJsonProfiles(service, protection, snapshot)),
    ...optional('tokenProfiles', compileTokenProfiles(service, snapshot)),
    ...optional('ruleExceptions', exceptions),
    ...optional('secondOpinions', compileSecondOpinions(service, exceptions)),
    urlPolicies: compileUrlPolicies(service),
    ...optional('sessions', compileSessionLimits(service, snapshot)),
    ...optional('refererSpam', compileRefererSpam(service, snapshot)),
    ...optional('webSocketPolicies', compileWebSocketPolicies(service)),
    ...optional('formSpam', compileFormSpam(service)),
    ...optional('commentSpam', compileCommentSpam(service, snapshot)),
    ...optional('requestPool', compileRequestPool(service, snapshot)),
  }
}
