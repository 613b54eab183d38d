import { Resolver } from 'node:dns/promises'
import type { DnsRecord } from '../dns/records.ts'
import type { CheckResult } from './check-result.ts'

/** Within this all questions about a domain are answered or given up. */
const answerMaxMs = 5000
/** A datagram that was lost is sent again after this long, once. */
const tryMs = 2000

/** So many records that are there instead are named, and so much of each. */
const shownMax = 3
const shownLengthMax = 80

/**
 * Asks DNS whether one of the records is there. Never throws.
 *
 * @param records of one domain; DNS can have no name for it when there are none
 * @param nameServers addresses with ports or without; the servers of the system when empty
 * @param signal ends the check early, with a result that says nothing
 */
export async function findRecord(
  records: readonly DnsRecord[],
  nameServers: readonly string[],
  signal: AbortSignal,
): Promise<CheckResult> {
  if (records.length === 0) return { kind: 'absent', reason: 'DNS can have no domain of this name.' }
  const resolver = new Resolver({ timeout: tryMs, tries: 2 })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  const limit = setTimeout(cancel, answerMaxMs)
  signal.addEventListener('abort', cancel)
  try {
    return together(await Promise.all(records.map((record) => ask(resolver, record))))
  } finally {
    clearTimeout(limit)
    signal.removeEventListener('abort', cancel)
  }
}

/** One record is enough; none is there only when every question was answered. */
function together(results: readonly CheckResult[]): CheckResult {
  const telling =
    results.find(({ kind }) => kind === 'found') ?? results.find(({ kind }) => kind === 'unanswered')
  if (telling) return telling
  const reasons = results.flatMap((result) => (result.kind === 'absent' ? [result.reason] : []))
  return { kind: 'absent', reason: [...new Set(reasons)].join(' ') }
}

async function ask(resolver: Resolver, record: DnsRecord): Promise<CheckResult> {
  try {
    const values = await valuesAt(resolver, record)
    if (values.includes(record.value)) return { kind: 'found' }
    const foundSentence = `There is: ${values.slice(0, shownMax).map(shown).join(', ')}.`
    return {
      kind: 'absent',
      reason: `No ${record.type} record at ${record.name} has the value. ${foundSentence}`,
    }
  } catch (error) {
    return resultOf(error, record)
  }
}

/** A value that others have set, in a sentence: printable, and not long. */
function shown(value: string): string {
  const printable = value.replace(/[^ -~]/g, '?')
  return printable.length <= shownLengthMax ? `"${printable}"` : `"${printable.slice(0, shownLengthMax)}…"`
}

async function valuesAt(resolver: Resolver, { type, name }: DnsRecord): Promise<string[]> {
  if (type === 'TXT') return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
  return (await resolver.resolveMx(name)).map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
}

/** What the codes of Node's resolver mean for the owner of a domain. */
const whyUnanswered: Readonly<Record<string, string>> = {
  ETIMEOUT: 'no name server answered in time',
  ECANCELLED: 'no name server answered in time',
  ECONNREFUSED: 'no name server can be reached',
  ESERVFAIL: 'the name servers failed (SERVFAIL)',
  EREFUSED: 'the name server refused to answer (REFUSED)',
}

function resultOf(error: unknown, { type, name }: DnsRecord): CheckResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'ENOTFOUND') return { kind: 'absent', reason: `DNS has no domain ${name}.` }
  if (code === 'ENODATA') return { kind: 'absent', reason: `There is no ${type} record at ${name}.` }
  const why = whyUnanswered[code] ?? `DNS gave no answer that can be read (${code})`
  return { kind: 'unanswered', reason: `The ${type} records at ${name} are not known: ${why}.` }
}
