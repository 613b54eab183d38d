import type { SnapshotBots } from './bots.ts'
import type { SnapshotCaptcha } from './captcha.ts'
import type { ForbiddenAddresses } from './forbidden-addresses.ts'
import type { SnapshotCommentSpam, SnapshotFormSpam } from './forms.ts'
import type { SnapshotJsonProfile } from './json-profiles.ts'
import type { SnapshotLearning } from './learning.ts'
import type {
  SnapshotAttackTypes,
  SnapshotInputChecks,
  SnapshotPattern,
  SnapshotPlace,
  SnapshotUrlAcl,
  SnapshotUrlProtection,
  SnapshotValueChecks,
} from './policy.ts'
import type { SnapshotRuleException, SnapshotSecondOpinion } from './rule-exceptions.ts'
import type {
  SnapshotAccessCounting,
  SnapshotAccessMaxima,
  SnapshotBlocklistSource,
  SnapshotCredentialSettings,
  SnapshotHeaderAclSettings,
  SnapshotInspectionDetails,
  SnapshotParameterProfileSettings,
  SnapshotPlaceSettings,
  SnapshotPoolLimits,
  SnapshotPreferredClient,
  SnapshotSessionIdentifier,
  SnapshotSessionTracking,
  SnapshotUrlPolicySettings,
  SnapshotUrlProfileSettings,
  SnapshotWebsiteProfile,
} from './settings.generated.ts'
import type { SnapshotTokenProfile } from './token-profiles.ts'
import type { SnapshotWebSocketPolicy } from './websockets.ts'

/** A list of clients that each proxy downloads, and downloads again every hour. */
export interface SnapshotDownloadedBlocklist extends SnapshotBlocklistSource {
  /** Certificates in PEM that the server of the list is believed by, in the place of the usual authorities; empty for these. */
  readonly authorities: readonly string[]
  readonly forbidden?: ForbiddenAddresses
}

/** What a service itself says about the checks of its requests, beside its policy. */
export interface SnapshotChecks extends SnapshotInspectionDetails {
  /** The header in which a proxy before us tells the client's address, in lower case. */
  readonly clientAddressHeader?: string
  readonly trusted?: {
    /** `allow` passes all checks over, `passive` logs only. */
    readonly does: 'allow' | 'passive'
    /** Addresses and networks with "/". */
    readonly clients: readonly string[]
  }
  /** Clients that are refused: addresses, ranges with "-" and networks with "/". */
  readonly blockedClients: readonly string[]
  /** Present when the clients of a list are refused that each proxy downloads. */
  readonly downloadedBlocklist?: SnapshotDownloadedBlocklist
  /** Present when clients are refused for what proxies know of their addresses. */
  readonly ipReputation?: SnapshotIpReputation
  /** Most specific first, in the order in which they are tried. */
  readonly urlAcls: readonly SnapshotUrlAcl[]
  readonly headerAcls: readonly SnapshotHeaderAcl[]
  /** Present when profiles are used. */
  readonly profiles?: SnapshotProfiles
  /** Present when profiles are learnt. */
  readonly learning?: SnapshotLearning
  /** Present when JSON is checked; most specific first. */
  readonly jsonProfiles?: readonly SnapshotJsonProfile[]
  /** Present when requests need JSON Web Tokens; most specific first. */
  readonly tokenProfiles?: readonly SnapshotTokenProfile[]
  /** Present when rules are left out somewhere; all that fit a request count. */
  readonly ruleExceptions?: readonly SnapshotRuleException[]
  /** Present when refused requests are looked at a second time for some parameters; all that fit a request count. */
  readonly secondOpinions?: readonly SnapshotSecondOpinion[]
  /** Most specific first. */
  readonly urlPolicies: readonly SnapshotUrlPolicy[]
  /** Present when the sessions of clients are counted. */
  readonly sessions?: SnapshotSessionLimits
  /** Present when requests are refused that claim to come from pages of advertisers. */
  readonly refererSpam?: {
    readonly patterns: readonly SnapshotPattern[]
    /** Pages that they may come from all the same; `*` stands for any characters. */
    readonly exceptions: readonly string[]
  }
  /** Present when WebSockets are looked at; most specific first. */
  readonly webSocketPolicies?: readonly SnapshotWebSocketPolicy[]
  /** Present when programs are kept from filling in forms. */
  readonly formSpam?: SnapshotFormSpam
  /** Present when comments are searched for what advertisers write. */
  readonly commentSpam?: SnapshotCommentSpam
  /** Present when only so many requests are served at once. */
  readonly requestPool?: SnapshotRequestPool
  /** Present when something is done about programs that read the site. */
  readonly bots?: SnapshotBots
  /** Present when clients may have to solve a challenge. */
  readonly captcha?: SnapshotCaptcha
}

/** Which clients are refused for where they are, or for what their addresses are known for. */
export interface SnapshotIpReputation extends SnapshotPlaceSettings {
  /** Present when countries or continents are blocked, or alone let in. */
  readonly pool?: {
    readonly does: 'allow' | 'block'
    /** Codes of ISO 3166, and those of continents; upper case. */
    readonly countries: readonly string[]
    readonly continents: readonly string[]
  }
  /** Those whose addresses are refused. */
  readonly categories: readonly SnapshotAddressCategory[]
  /** Networks of which it does not count where they are, and networks that are refused wherever they are. */
  readonly allowedNetworks: readonly string[]
  readonly blockedNetworks: readonly string[]
}

/** What addresses may be known for; proxies have a list of each. */
export type SnapshotAddressCategory =
  | 'barracuda-reputation-blocklist'
  | 'anonymous-proxy'
  | 'satellite-provider'
  | 'tor-nodes'
  | 'public-proxy'
  | 'datacenter-ip'
  | 'fake-crawler'
  | 'known-http-attack-sources'
  | 'known-ssh-attack-sources'

/** A budget of requests served at once, which all services share that name it. */
export interface SnapshotRequestPool extends SnapshotPoolLimits {
  readonly name: string
  readonly preferred: readonly SnapshotPreferredClient[]
}

/** What a header must not contain. */
export interface SnapshotHeaderAcl extends SnapshotHeaderAclSettings {
  readonly name: string
  readonly attackTypes: SnapshotAttackTypes
}

/** What requests may look like, URL by URL. */
export interface SnapshotProfiles extends SnapshotWebsiteProfile {
  /** Most specific first. */
  readonly urls: readonly SnapshotUrlProfile[]
}

/** Stands in for the URL protection of the policy. */
export interface SnapshotUrlProfile extends SnapshotPlace, SnapshotUrlProtection, SnapshotUrlProfileSettings {
  readonly name: string
  readonly parameterProfiles: readonly SnapshotParameterProfile[]
}

/** Stands in for the parameter protection of the policy. */
export interface SnapshotParameterProfile
  extends SnapshotValueChecks,
    SnapshotInputChecks,
    SnapshotParameterProfileSettings {
  readonly name: string
  readonly isFile: boolean
  /** The values that may be chosen; any when absent. */
  readonly values?: readonly string[]
  /** Values of which form the rules need not look at where the profile blocks; none when absent. */
  readonly decides?: readonly SnapshotDecidedShape[]
}

/** Forms of whole values that can be no attack, as `harmlessShapes` of seclang says them. */
export type SnapshotDecidedShape = 'number' | 'numbers' | 'hex' | 'uuid' | 'date' | 'email' | 'code' | 'token'

/** What is done for some URLs beyond what the policy says. */
export interface SnapshotUrlPolicy extends SnapshotPlace, SnapshotUrlPolicySettings {
  readonly name: string
  /** Present when accesses are counted. */
  readonly accessLimits?: SnapshotAccessLimits
  /** Present when log-ins are looked at. */
  readonly credentials?: SnapshotCredentialChecks
}

/** Which log-ins are refused: with stolen passwords, or with one that is tried for many user names. */
export interface SnapshotCredentialChecks extends SnapshotCredentialSettings {
  readonly against: 'stuffing' | 'spraying'
}

/** How often a URL may be asked for, and how often a log-in may fail there, in the window; 0 for any number. */
export interface SnapshotAccessLimits extends SnapshotAccessMaxima, SnapshotAccessCounting {
  /** A failed log-in is told by this text in the answer; by the status 401 or 403 when absent. */
  readonly failureText?: string
}

/** How many sessions one client may begin. */
export interface SnapshotSessionLimits extends SnapshotSessionTracking {
  /** New sessions of one address in the window. */
  readonly sessions: number
  readonly tokens: readonly SnapshotSessionToken[]
}

/** Where a session's token stands. */
export interface SnapshotSessionToken extends SnapshotSessionIdentifier {
  readonly in: 'cookie' | 'parameter' | 'path'
  /** Whether `name` is the whole name, or how it begins or ends. */
  readonly by: 'whole' | 'prefix' | 'suffix'
}
