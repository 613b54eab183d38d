/** What a proxy tells about itself: when something has changed, and every {@link reportIntervalMs}. */
export interface ProxyReport {
  /** Stays the same for one proxy, also when it is started again. */
  readonly proxy: string
  /** The version of the snapshot that is obeyed; -1 for none. */
  readonly version: number
  /** Of the same snapshot; empty for none. */
  readonly digest: string
  /** Why a newer snapshot could not be taken; empty when it could. A sentence. */
  readonly problem: string
  /** Why no rules can be run; empty when they can. A sentence. */
  readonly rulesProblem: string
  /** By which rules requests are judged. Older proxies do not say. */
  readonly rules?: ReportedRules
  /** The names of the rule sets that stored requests can be tried against there. Older proxies do not say. */
  readonly ruleSets?: readonly string[]
  readonly services: readonly ReportedService[]
  /** Present as the proxy ends: it carries nothing any more, and its fares and problems are those of nobody. */
  readonly isLast?: true
}

/** What a proxy tells after a report that the management took: the same without the services of which nothing has changed. */
export interface ProxyReportDifference {
  /** What the management called that report, by the header {@link reportIdHeader}. */
  readonly base: string
  /** Its services are those that are new or fare otherwise than in that report. */
  readonly report: ProxyReport
  /** The names of services of that report which are there no more. */
  readonly gone: readonly string[]
}

/** A header of the answer to a report: what the management calls it. Managements of earlier releases take no differences, and do not say. */
export const reportIdHeader = 'palisade-report-id'

/** After so long a proxy reports all services anew, in milliseconds. */
export const wholeReportEveryMs = 300_000

/** The rules that a proxy has loaded, or why it has none. */
export interface ReportedRules {
  /** Why no rules can be run; empty when they can. Sentences. */
  readonly problem: string
  /** What the owner should know of the rules that run. Sentences; may be empty. */
  readonly notice: string
  /** Where they lie; empty for none. */
  readonly folder: string
  /** As the rules call their release, such as `OWASP_CRS/3.3.4`; may be empty. */
  readonly release: string
  readonly ruleCount: number
}

/** How a service fares at one proxy. */
export interface ReportedService {
  readonly name: string
  /** Whether clients are answered. */
  readonly isUp: boolean
  /** Why not, or what else there is to know. Sentences; may be empty. */
  readonly reason: string
  /** Those of which something is known, from the traffic that they had. */
  readonly servers: readonly ReportedServer[]
}

/** How a server fares, as one proxy sees it. */
export interface ReportedServer {
  readonly name: string
  /** The content rule that it belongs to; absent for a server of the service. */
  readonly rule?: string
  readonly isUp: boolean
  readonly reason: string
}

/** A proxy reports so often, and at once when something changes. */
export const reportIntervalMs = 10_000

/** The entries of the logs that a proxy has collected: fields as the logs have them. */
export interface ProxyLogs {
  readonly access: readonly LoggedEntry[]
  readonly webFirewall: readonly LoggedEntry[]
}

/** `time` is in milliseconds since 1970; everything else as the type of the log has it, secrets masked. */
export type LoggedEntry = { readonly time: number } & { readonly [field: string]: string | number }

/** How many entries one message holds at most, both logs together. */
export const loggedEntriesMax = 500
