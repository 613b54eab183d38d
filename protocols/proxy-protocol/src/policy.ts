import type {
  SnapshotDataProtection,
  SnapshotInputPattern,
  SnapshotNormalization,
  SnapshotRequestLimits,
  SnapshotSecondStage,
  SnapshotTarpit,
  SnapshotUrlProtectionSettings,
  SnapshotValueSettings,
} from './settings.generated.ts'

/**
 * What requests and answers of services are checked against. Several services share one, see `ProxySnapshot.policies`. Numbers
 * of bytes and characters are limits that may be reached and not exceeded.
 */
export interface SnapshotPolicy {
  readonly name: string
  /** What follows an attack, by the attack's name. An attack that is not here is refused with the first denial, and logged. */
  readonly actions: Readonly<Record<string, SnapshotAction>>
  /** How refused clients are answered; actions name their places. Never empty. */
  readonly denials: readonly SnapshotDenial[]
  /** Present when the sizes of requests are limited. */
  readonly requestLimits?: SnapshotRequestLimits
  readonly normalization: SnapshotNormalization
  /** Most specific first, in the order in which they are tried. */
  readonly globalAcls: readonly SnapshotUrlAcl[]
  /** Present when requests are checked for which there is no profile. */
  readonly urlProtection?: SnapshotUrlProtection
  /** Present when parameters are checked for which there is no profile. */
  readonly parameterProtection?: SnapshotParameterProtection
  /** Present when what rules found is analysed before they refuse a request. */
  readonly secondStage?: SnapshotSecondStage
  /** Names of headers that are taken out of answers, in lower case. */
  readonly hiddenHeaders: readonly string[]
  /** Present when answers of the statuses 400 to 599 are replaced; 401 and 407 never are. */
  readonly hiddenErrors?: { readonly exceptStatuses: readonly number[]; readonly page: SnapshotPage }
  readonly tarpit: SnapshotTarpit
  /** What URL policies that protect data look for in answers. */
  readonly protectedData: readonly SnapshotProtectedData[]
}

/** What follows one sort of attack. */
export interface SnapshotAction {
  /** As the log groups attacks. */
  readonly category: string
  readonly denies: boolean
  readonly logs: boolean
  /** The place of its denial in `SnapshotPolicy.denials`. */
  readonly denial: number
  /** What becomes of the client's further requests; absent when nothing does. */
  readonly followUp?: SnapshotFollowUp
  /** For how long the client has to solve a challenge first; absent when it has not. */
  readonly captchaSeconds?: number
}

/** What becomes of further requests: `block` refuses all of them without a word, `tarpit` lets each wait. */
export interface SnapshotFollowUp {
  readonly does: 'block' | 'tarpit'
  readonly seconds: number
}

/** How a refused client is answered. */
export type SnapshotDenial =
  | { readonly kind: 'close' }
  | { readonly kind: 'page'; readonly page: SnapshotPage }
  | SnapshotRedirect

/** `location` is a URL, a path, `%s` for the address that was asked for, or `%b` for its host's root. */
export interface SnapshotRedirect {
  readonly kind: 'redirect'
  readonly status: 301 | 302
  readonly location: string
}

/**
 * An answer of the firewall's own. In its body `%action-id`, `%attack-name`, `%attack-time`, `%client-ip`, `%host`, `%log-id`
 * and `%s` (the URL) stand for what is known of the request.
 */
export interface SnapshotPage {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Where a rule for addresses counts. */
export interface SnapshotPlace {
  /** A host, in which `*` stands for any characters. */
  readonly host: string
  /** A path as text, percent-encoded or not, in which `*` stands for any characters. */
  readonly url: string
  /** What else has to be true, in the language of extended matches; `*` for nothing. */
  readonly extendedMatch: string
  /** Of rules for one host and URL, that with the lowest number is tried first. */
  readonly sequence: number
}

/** What becomes of requests to some URLs. */
export interface SnapshotUrlAcl extends SnapshotPlace {
  readonly name: string
  /** `process` goes on with the other checks, `allow` passes them over; `answer` sends the denial in every mode. */
  readonly does: 'process' | 'allow' | 'deny' | 'redirect' | 'answer'
  readonly logs: boolean
  readonly denial: SnapshotDenial
  readonly followUp?: SnapshotFollowUp
  /** For how long a client that is refused has to solve a challenge first; absent when it has not. */
  readonly captchaSeconds?: number
}

/** What is looked for in one sort of text. */
export interface SnapshotAttackTypes {
  /** Those whose rules are part of the rule set, by name; rules of sorts that are not here are left out. */
  readonly ofRules: readonly string[]
  readonly patterns: readonly SnapshotPattern[]
  /** Rules that are left out, by number. */
  readonly exceptRules: readonly number[]
}

/** A pattern that an administrator can see and change, found anywhere in a text. */
export interface SnapshotPattern extends SnapshotInputPattern {
  readonly name: string
  /** What it is looked for as: "SQL Injection strict". */
  readonly type: string
  /** Whether what it finds is only logged. */
  readonly isPassive: boolean
}

/** What a whole value has to look like. */
export interface SnapshotInputChecks {
  /** One of these regular expressions; anything when empty. */
  readonly shapes: readonly string[]
  /** The same, and what else is asked of what an expression fits; proxies that know this go by it alone. */
  readonly inputPatterns?: readonly SnapshotInputPattern[]
}

/** What URLs and their queries may be. */
export interface SnapshotUrlProtection extends SnapshotUrlProtectionSettings {
  readonly allowsQuery: boolean
  readonly attackTypes: SnapshotAttackTypes
}

/** What values may be. */
export interface SnapshotParameterProtection extends SnapshotValueChecks {
  /** Names that are not checked; `*` stands for any characters. */
  readonly ignored: readonly string[]
}

/** Limits on values, uploads, and the attacks that are looked for in them. */
export interface SnapshotValueChecks extends SnapshotValueSettings {
  readonly uploads: SnapshotUploads
  readonly attackTypes: SnapshotAttackTypes
}

/** Which files may be uploaded. */
export interface SnapshotUploads {
  readonly by: 'extension' | 'type'
  /** Lower case; `*` stands for any characters. */
  readonly allowed: readonly string[]
  /** Refused although they are allowed, as `allowed`. */
  readonly refused?: readonly string[]
  /** Of one file, in bytes. */
  readonly fileBytes?: number
}

/** A type of data that answers must not give away. */
export interface SnapshotProtectedData extends SnapshotDataProtection {
  readonly name: string
  readonly patterns: readonly SnapshotPattern[]
}
