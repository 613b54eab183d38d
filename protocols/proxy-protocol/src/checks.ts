import type { SnapshotJsonProfile } from './json-profiles.ts'
import type { SnapshotLearning } from './learning.ts'
import type {
  SnapshotAttackTypes,
  SnapshotInputPattern,
  SnapshotPattern,
  SnapshotPlace,
  SnapshotUrlAcl,
  SnapshotUrlProtection,
  SnapshotValueChecks,
} from './policy.ts'
import type { SnapshotRuleException, SnapshotSecondOpinion } from './rule-exceptions.ts'

/** What a service itself says about the checks of its requests, beside its policy. */
export interface SnapshotChecks {
  /** Whether URLs and names of parameters fit rules in any case. */
  readonly ignoresCase: boolean
  /** The least grave severity that is logged, as syslog numbers them: 0 to 7. */
  readonly logLevel: number
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
  /** Most specific first, in the order in which they are tried. */
  readonly urlAcls: readonly SnapshotUrlAcl[]
  readonly headerAcls: readonly SnapshotHeaderAcl[]
  /** Present when profiles are used. */
  readonly profiles?: SnapshotProfiles
  /** Present when profiles are learnt. */
  readonly learning?: SnapshotLearning
  /** Present when JSON is checked; most specific first. */
  readonly jsonProfiles?: readonly SnapshotJsonProfile[]
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
  /** Present when only so many requests are served at once. */
  readonly requestPool?: SnapshotRequestPool
}

/** A budget of requests served at once, which all services share that name it. */
export interface SnapshotRequestPool {
  readonly name: string
  readonly activeMax: number
  /** Requests of one client that wait. */
  readonly backlogMax: number
  /** Clients whose requests wait, but for preferred ones. */
  readonly clientsMax: number
  /** Addresses, ranges with "-" and networks with "/", with how often their turn comes: 1 to 100 times that of others. */
  readonly preferred: readonly { readonly clients: readonly string[]; readonly weight: number }[]
}

/** What a header must not contain. */
export interface SnapshotHeaderAcl {
  readonly name: string
  /** In lower case; `*` for every header that has no rule of its own. */
  readonly header: string
  readonly isPassive: boolean
  /** Absent when the limits of the policy count alone. */
  readonly valueBytes?: number
  /** Byte string. */
  readonly deniedCharacters: string
  readonly attackTypes: SnapshotAttackTypes
}

/** What requests may look like, URL by URL. */
export interface SnapshotProfiles {
  readonly isPassive: boolean
  /** Whether requests are violations for which there is no profile. */
  readonly isStrict: boolean
  /** Hosts, in which `*` stands for any characters; any when empty. */
  readonly hosts: readonly string[]
  /** URLs that profiles are not for, and those that they are for all the same; `*` stands for any characters. */
  readonly exceptUrls: readonly string[]
  readonly urlsAllTheSame: readonly string[]
  /** Most specific first. */
  readonly urls: readonly SnapshotUrlProfile[]
}

/** Stands in for the URL protection of the policy. */
export interface SnapshotUrlProfile extends SnapshotPlace, SnapshotUrlProtection {
  readonly name: string
  readonly isPassive: boolean
  /** Pages from which the URL may be reached; any when empty. `*` stands for any characters. */
  readonly referrers: readonly string[]
  readonly parameterProfiles: readonly SnapshotParameterProfile[]
}

/** Stands in for the parameter protection of the policy. */
export interface SnapshotParameterProfile extends SnapshotValueChecks {
  readonly name: string
  /** The name of the parameter; `*` stands for any characters. */
  readonly parameter: string
  readonly isIgnored: boolean
  readonly isRequired: boolean
  readonly isFile: boolean
  /** The values that may be chosen; any when absent. */
  readonly values?: readonly string[]
  /** What the whole value has to look like: one of these regular expressions; anything when empty. */
  readonly shapes: readonly string[]
  /** The same, and what else is asked of what an expression fits; proxies that know this go by it alone. */
  readonly inputPatterns?: readonly SnapshotInputPattern[]
  /** Values of which form the rules need not look at where the profile blocks; none when absent. */
  readonly decides?: readonly SnapshotDecidedShape[]
}

/** Forms of whole values that can be no attack, as `harmlessShapes` of seclang says them. */
export type SnapshotDecidedShape = 'number' | 'numbers' | 'hex' | 'uuid' | 'date' | 'email' | 'code' | 'token'

/** What is done for some URLs beyond what the policy says. */
export interface SnapshotUrlPolicy extends SnapshotPlace {
  readonly name: string
  readonly isPassive: boolean
  readonly protectsData: boolean
  /** Present when accesses are counted. */
  readonly accessLimits?: SnapshotAccessLimits
}

/** How often a URL may be asked for, and how often a log-in may fail there, in the window; 0 for any number. */
export interface SnapshotAccessLimits {
  readonly windowSeconds: number
  readonly counts: 'each-client' | 'all-clients'
  readonly accesses: number
  readonly failures: number
  /** In bytes of answers. */
  readonly bandwidthBytes: number
  /** A failed log-in is told by this text in the answer; by the status 401 or 403 when absent. */
  readonly failureText?: string
  /** Clients that are not counted. */
  readonly exceptions: readonly string[]
}

/** How many sessions one client may begin. */
export interface SnapshotSessionLimits {
  readonly windowSeconds: number
  /** New sessions of one address in the window. */
  readonly sessions: number
  readonly tokens: readonly SnapshotSessionToken[]
  /** Clients that are not counted. */
  readonly exceptions: readonly string[]
}

/** Where a session's token stands. */
export interface SnapshotSessionToken {
  readonly in: 'cookie' | 'parameter' | 'path'
  /** Whether `name` is the whole name, or how it begins or ends. */
  readonly by: 'whole' | 'prefix' | 'suffix'
  readonly name: string
  readonly startDelimiter: string
  readonly endDelimiter: string
}
