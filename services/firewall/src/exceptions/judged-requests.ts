/** One rule that fired at one part of a request. */
export interface Finding {
  readonly rule: number
  /** As rules name it, such as `ARGS:comment`; empty where it is no part of a request. */
  readonly target: string
  /** What it added to the request's score. */
  readonly points: number
  /** The entry of the log, and what it says, masked. */
  readonly entry: string
  readonly detail: string
}

/** A request that the rules refused, or would have in Active mode, as the log of violations tells it. */
export interface JudgedRequest {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly time: number
  readonly client: string
  readonly method: string
  /** As it was asked for, without its query. */
  readonly url: string
  readonly score: number
  /** Below this score it would have passed. */
  readonly threshold: number
  readonly findings: readonly Finding[]
}

/** The fields of an entry, as the log shows them. */
type Entry = Readonly<Record<string, string>>

/** Rules that compare the score of a request, or of its answer, with what is allowed: as the Core Rule Set comes, 5 and 4 points. */
const thresholds: Readonly<Record<string, number>> = { 949110: 5, 949111: 5, 959100: 4, 959101: 4 }

/** What a rule adds by its severity, as the Core Rule Set comes. */
const pointsBySeverity: Readonly<Record<string, number>> = {
  Emergency: 5,
  Alert: 5,
  Critical: 5,
  Error: 4,
  Warning: 3,
  Notice: 2,
}

/** Rules of the Core Rule Set that only compare scores or sum up. */
const bookkeeping = /^(?:901|949|959|980)\d{3}$/

/**
 * Puts entries of the web firewall log together again to requests. Those are left out that were not refused for their score, and
 * entries that do not say to which request they belong.
 */
export function judgedRequests(entries: Iterable<Entry>): JudgedRequest[] {
  const ofRules = Array.from(entries).filter(
    (entry) => entry['rule-type'] === 'Core Rule Set' && entry['request-id'] !== '',
  )
  const byRequest = Map.groupBy(ofRules, (entry) => entry['request-id'] ?? '')
  return [...byRequest].flatMap(([id, entries]) => judgedRequest(id, entries) ?? [])
}

function judgedRequest(id: string, entries: readonly Entry[]): JudgedRequest | undefined {
  const verdict = entries.find(({ rule = '' }) => rule in thresholds)
  if (verdict === undefined) return undefined
  const findings = entries.filter(({ rule = '' }) => !bookkeeping.test(rule)).map(findingOf)
  const score = /Score: (\d{1,6})\)/.exec(`${verdict.attack} ${verdict['attack-detail']}`)?.[1]
  return {
    id,
    time: Number(verdict.time),
    client: verdict['client-ip'] ?? '',
    method: verdict.method ?? '',
    url: verdict.url ?? '',
    score: score === undefined ? findings.reduce((sum, { points }) => sum + points, 0) : Number(score),
    threshold: thresholds[verdict.rule ?? ''] ?? 0,
    findings,
  }
}

function findingOf(entry: Entry): Finding {
  return {
    rule: Number(entry.rule),
    target: entry['rule-target'] ?? '',
    points: pointsBySeverity[entry.severity ?? ''] ?? 0,
    entry: entry.id ?? '',
    detail: entry['attack-detail'] ?? '',
  }
}
