import { setTimeout } from 'node:timers/promises'
import { Argument } from '@commander-js/extra-typings'
import type { FirewallLog } from '@palisade/sdk'
import { stringify } from 'yaml'
import { examples, wholeNumber } from '../api-command.ts'
import { UsageError } from '../connection.ts'
import { exitStatus } from '../exit-status.ts'
import { cell, type OutputOptions, printThing } from '../output.ts'
import { type Management, managementCommand, objectOf, objectsOf, withManagement } from './management.ts'
import type { Members } from './members.ts'
import { findWord } from './nearest.ts'

const logNames = ['access', 'web-firewall', 'audit', 'system', 'network'] as const

const followEveryMs = 1000

/** The most that the management gives at once. */
const pageMax = 10_000

/** What people look at first; the others are in `--output json`. */
const columns: Readonly<Record<(typeof logNames)[number], readonly string[]>> = {
  access: ['client-ip', 'method', 'host', 'url', 'http-status', 'service-name', 'time-taken'],
  'web-firewall': ['action', 'client-ip', 'url', 'rule', 'attack', 'rule-target', 'request-id'],
  audit: [
    'admin',
    'login-ip',
    'transaction-type',
    'change-type',
    'object-type',
    'object-name',
    'variable',
    'old-value',
    'new-value',
  ],
  system: ['severity', 'module', 'message'],
  network: ['source-ip', 'destination-ip', 'destination-port', 'protocol', 'acl-name', 'acl-policy'],
}

interface Filter {
  readonly field: string
  readonly operators: string
  readonly values: readonly string[]
}

/** `palisade firewall logs [LOG]`. */
export function logsCommand() {
  return managementCommand(
    'logs',
    'listAccessLogs',
    'getAccessLogEntry',
    'listWebFirewallLogs',
    'getWebFirewallLogEntry',
    'listAuditLogs',
    'getAuditLogEntry',
    'listSystemLogs',
    'getSystemLogEntry',
    'listNetworkFirewallLogs',
    'getNetworkFirewallLogEntry',
  )
    .description('show entries of a log, the oldest first')
    .addArgument(new Argument('[log]', 'which log').choices(logNames).default('web-firewall' as const))
    .option('--follow', 'go on with what is written from now on')
    .option('--since <time>', 'only entries since then: 30m, 2h, 7d, or a time such as 2030-01-08T10:00Z')
    .option('--until <time>', 'only entries until then, as of --since')
    .option(
      '--filter <filter...>',
      'FIELD=VALUE, FIELD!=VALUE, or FIELD~EXPRESSION; all of them have to hold',
    )
    .option('--id <id>', 'one entry, with all its fields')
    .option('--limit <number>', 'the newest so many', wholeNumber({ min: 1, max: pageMax }), 20)
    .addHelpText(
      'after',
      examples(
        'palisade firewall logs web-firewall --follow',
        'palisade firewall logs web-firewall --since 2030-01-08T10:00Z --until 2030-01-08T10:20Z',
        'palisade firewall logs access --since 1h --filter client-ip=192.0.2.7 --filter url~^/admin',
      ),
    )
    .action(async (logName, _options, command) => {
      const options = command.opts()
      const log = await readLog(logName)
      const filters = (options.filter ?? []).map((text) => filterIn(text, log))
      const since = options.since === undefined ? undefined : timeIn(options.since)
      const until = options.until === undefined ? undefined : timeIn(options.until)
      if (until !== undefined && options.follow)
        throw new UsageError(
          '--follow goes on without an end: leave --until out.',
          exitStatus.wrongCommandLine,
        )
      await withManagement(options, async (management) => {
        if (options.id !== undefined) {
          const entry = await management.call('GET', `${log.path}/${encodeURIComponent(options.id)}`)
          printThing(objectOf(entry), options)
          return
        }
        const print = (entries: readonly Members[]) => printEntries(entries, columns[logName], options)
        const newest = await entriesOf(management, log, { filters, since, until, limit: options.limit })
        print(newest)
        if (options.follow) await follow(management, log, { filters, newest, since }, print)
      })
    })
}

interface LogQuery {
  readonly filters: readonly Filter[]
  /** Milliseconds since 1970. */
  readonly since: number | undefined
  /** As `since`. */
  readonly until?: number | undefined
  readonly limit: number
}

/** The newest entries, the oldest of them first. */
async function entriesOf(management: Management, { path }: FirewallLog, query: LogQuery): Promise<Members[]> {
  const { since, until } = query
  const times = [String(since ?? ''), String(until ?? '')]
  const range = { field: 'time', operators: 'Time Range', values: times }
  const filters = since === undefined && until === undefined ? query.filters : [...query.filters, range]
  const reply = await management.call('GET', path, {
    query: { limit: query.limit, ...(filters.length > 0 ? { filters: JSON.stringify(filters) } : {}) },
  })
  return objectsOf(reply)
    .map(([, entry]) => entry)
    .reverse()
}

/** Entries come in batches from proxies, and some with an earlier time than others that are here: a minute back is asked for. */
const lateByMs = 60_000

async function follow(
  management: Management,
  log: FirewallLog,
  {
    filters,
    newest,
    since,
  }: { filters: readonly Filter[]; newest: readonly Members[]; since: number | undefined },
  print: (entries: readonly Members[]) => void,
): Promise<never> {
  const started = since ?? Date.now()
  let printed = new Set(newest.map(({ id }) => id))
  for (;;) {
    await setTimeout(followEveryMs)
    const from = Math.max(started, Date.now() - lateByMs)
    const entries = await entriesOf(management, log, { filters, since: from, limit: pageMax })
    print(entries.filter(({ id }) => !printed.has(id)))
    printed = new Set([...entries, ...newest].map(({ id }) => id))
  }
}

async function readLog(name: (typeof logNames)[number]): Promise<FirewallLog> {
  const { logs } = await import('./kinds.generated.ts')
  const log = logs.find(({ path }) => path.startsWith(name))
  if (log === undefined) throw new UsageError(`There is no log ${name}.`)
  return log
}

function filterIn(text: string, log: FirewallLog): Filter {
  const [, word, sign, value] = /^([A-Za-z0-9_-]+)(!=|=|~)(.*)$/s.exec(text) ?? []
  if (word === undefined || sign === undefined || value === undefined) {
    throw new UsageError(`${text} is no FIELD=VALUE, FIELD!=VALUE or FIELD~EXPRESSION.`)
  }
  const field = findWord(word, Object.keys(log.filters), 'field', ' to filter by')
  const query = {
    '=': ['is equal to', 'in (comma-separated)'],
    '!=': ['not equal to', 'not in (comma-separated)'],
    '~': ['regexp'],
  }[sign]
  const operators = log.filters[field]?.find((one) => query?.includes(one))
  if (operators === undefined)
    throw new UsageError(`${field} takes no ${sign}. It takes: ${log.filters[field]?.join('; ')}.`)
  return { field, operators, values: [value] }
}

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds since 1970. */
function timeIn(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const time = count === undefined ? Date.parse(text) : Date.now() - Number(count) * (unitMs[unit] ?? 0)
  if (Number.isFinite(time)) return time
  throw new UsageError(`${text} is no time: 30m, 2h, 7d, or one such as 2030-01-08T10:00Z.`)
}

/** A line for each entry, as whoever watches a log takes them: fields, JSON, or the id alone. */
function printEntries(
  entries: readonly Members[],
  fields: readonly string[],
  { output = 'table', quiet }: OutputOptions,
): void {
  for (const entry of entries) {
    if (quiet) console.log(entry.id)
    else if (output === 'yaml') console.log(stringify([entry]).trimEnd())
    else if (output === 'json') console.log(JSON.stringify(entry))
    else
      console.log(cell([when(entry), ...fields.map((field) => String(entry[field] ?? '') || '-')].join('  ')))
  }
}

function when({ time }: Members): string {
  const milliseconds = Number(time)
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : String(time)
}
