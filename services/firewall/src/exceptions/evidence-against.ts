import { isIPv4 } from 'node:net'
import type { JudgedRequest } from './judged-requests.ts'
import { everyUrl, type Proposal } from './proposal.ts'

/** Rules that ask libinjection, which goes by the grammar of a language and not by words. */
const rulesByGrammar = [941_100, 941_101, 942_100, 942_101]

/** A score that ordinary requests seldom have: three rules of the gravest sort. */
const attackLikeScore = 15

/** Whoever breaks as many different rules looks for weaknesses rather than for a page. */
const rulesOfAttackers = 10

const dayMs = 24 * 60 * 60 * 1000

type Seen = Pick<Proposal, 'url' | 'rule' | 'target' | 'requests' | 'clients'>

/** How many different rules each client broke. */
export type BrokenRules = ReadonlyMap<string, number>

/** How many different rules the clients of these requests broke. */
export function brokenRules(requests: readonly JudgedRequest[]): BrokenRules {
  const byClient = Map.groupBy(requests, ({ client }) => client)
  return new Map(
    Array.from(byClient, ([client, own]) => [
      client,
      new Set(own.flatMap(({ findings }) => findings.map(({ rule }) => rule))).size,
    ]),
  )
}

/**
 * Why somebody should think twice before accepting an exception: in sentences.
 *
 * @param broken what its clients did otherwise
 */
export function evidenceAgainst(part: Seen, broken: BrokenRules): string[] {
  return [
    ...fewClients(part),
    ...shortTime(part),
    ...otherRules(part),
    ...highScore(part),
    ...attackers(part, broken),
    ...grammar(part),
    ...wholeRule(part),
    ...everywhere(part),
  ]
}

function fewClients({ clients }: Seen): string[] {
  if (clients.length === 1) return ['Only one client sent such requests.']
  const networks = new Set(clients.map(networkOf))
  return networks.size === 1 ? [`All ${clients.length} clients are in one network.`] : []
}

/** The first three numbers of an IPv4 address, the first four groups of an IPv6 one. */
function networkOf(client: string): string {
  return isIPv4(client)
    ? client.split('.').slice(0, 3).join('.')
    : (client.split('::', 1)[0] ?? '').split(':').slice(0, 4).join(':')
}

function shortTime({ requests }: Seen): string[] {
  const times = requests.map(({ request }) => request.time)
  return Math.max(...times) - Math.min(...times) < dayMs
    ? ['All of them came within a day, perhaps for one reason.']
    : []
}

function otherRules({ rule, requests }: Seen): string[] {
  const more = requests.filter(({ passesAlone }) => !passesAlone)
  if (more.length === 0) return []
  const others = more.flatMap(({ request }) => request.findings.map((finding) => finding.rule))
  const named = [...new Set(others)].filter((other) => other !== rule).sort()
  const shown = named.slice(0, 10).join(', ')
  return [
    `${more.length} of ${requests.length} would have been blocked all the same${shown === '' ? '' : `, for the rules ${shown}`}.`,
  ]
}

function highScore({ requests }: Seen): string[] {
  const score = Math.max(...requests.map(({ request }) => request.score))
  return score < attackLikeScore ? [] : [`One of them scored ${score} points, as attacks do.`]
}

function attackers({ clients }: Seen, broken: BrokenRules): string[] {
  const suspicious = clients.filter((client) => (broken.get(client) ?? 0) >= rulesOfAttackers)
  return suspicious.length === 0
    ? []
    : [`${suspicious.length} of ${clients.length} clients broke ${rulesOfAttackers} or more different rules.`]
}

function grammar({ rule }: Seen): string[] {
  return rulesByGrammar.includes(rule)
    ? ['The rule goes by the grammar of SQL or HTML, not by words, and is seldom mistaken.']
    : []
}

function wholeRule({ target }: Seen): string[] {
  return target === undefined
    ? [
        'The rule would not run at all for this URL, since what it found is no part of a request that has a name.',
      ]
    : []
}

function everywhere({ url }: Seen): string[] {
  if (url === everyUrl) return ['It would count for every URL of the service.']
  return url.includes('*') ? [`It would count for every URL like ${url}, whether it was seen or not.`] : []
}
