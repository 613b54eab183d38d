import { restoreFoldersMax } from '@palisade/agent-protocol/wire'
import {
  createLog,
  type Log,
  type LogFormat,
  type LogLevel,
  logFormats,
  logLevels,
  standardOutput,
} from '@palisade/log'
import {
  describe,
  FileFailure,
  ownVersion,
  readCertificates,
  readNamedFile,
  readOptions,
} from '@palisade/start-up'
import { startTracing, type TracingSettings, tracingFromEnvironment } from '@palisade/tracing'
import { type AgentOptions, runAgent } from './agent/agent.ts'
import { backupFlags, backupSettingsOf, backupUsage } from './backup/flags.ts'
import { AllowedDestinations } from './destinations/allowed-destinations.ts'
import { diskFoldersOf, hostFlags, hostsOf, hostUsage } from './hosts/flags.ts'
import { parseServerUrls } from './server/connection.ts'
import { retryPolicy } from './server/retry-request.ts'
import { removeCopies } from './tracking/remove-copies.ts'
import { ChunkWorkers } from './workers/chunk-workers.ts'
import { exactly, limitsFor, thisComputer, type WorkerLimits } from './workers/worker-limits.ts'

const usage = `Usage: palisade agent --server URL --account A --computer C [--key-file FILE] [--state DIR]
       palisade agent --remove-copies [--state DIR]

Runs the backup agent of this machine until it is told to stop.

  --server URL       the backup service, such as https://backup.example.org:8444/backup; may be repeated, to name the
                     servers of one installation: when the one in use is gone, the agent uses the next
  --account A        the account that the computer belongs to
  --computer C       the computer's id
  --key-file FILE    a file that holds the enrolment key; needed until the computer is enrolled
  --key K            the enrolment key itself, which others on this machine can then see
  --state DIR        where the agent keeps its credential and its journal (./agent-state)
  --end-to-end-key-file FILE  seal this computer's backups with a key of its own, which the server never gets;
                     made when it is not there. WHO LOSES THIS FILE LOSES EVERY BACKUP: keep a copy elsewhere
  --end-to-end-shares  let restores write to network shares what is sealed so; else to folders of this computer only
  --ca FILE          certificates in PEM to trust instead of the system's, one after another for several servers
  --insecure         accept any certificate
${backupUsage}  --remove-copies    remove the copies that --track-changes has kept, and end; for a computer without an agent from now on
  --restore-to PLACE  a folder, or //server/share with or without a folder, that restores may write to, with all that is
                     below; may be repeated. Without it they go to "restores" in the state directory alone
  --verify-from-disk  compare what a restore has written with what the disk gives back, instead of the system's memory;
                     takes a restore half as long again
${hostUsage}  --threads N        how many threads read, seal, fetch and write chunks, from 1 to 64; unless given one for each processor,
                     from 2 to 16, as far as an eighth of the memory has room for them
  --share-port PORT  where servers of network shares listen instead of at 445; for tests
  --log-level LEVEL  trace, debug, info, warn, error, fatal or silent (info)
  --log-format FORMAT  text for people, json for programs, or auto: text on a terminal only (auto)

Traces of its tasks are sent to the OpenTelemetry collector that OTEL_EXPORTER_OTLP_ENDPOINT names, if it is set.
`

const flags = {
  server: { type: 'string', multiple: true },
  account: { type: 'string' },
  computer: { type: 'string' },
  key: { type: 'string' },
  'key-file': { type: 'string' },
  state: { type: 'string', default: './agent-state' },
  'end-to-end-key-file': { type: 'string' },
  'end-to-end-shares': { type: 'boolean', default: false },
  ca: { type: 'string' },
  insecure: { type: 'boolean', default: false },
  ...backupFlags,
  'remove-copies': { type: 'boolean', default: false },
  'restore-to': { type: 'string', multiple: true },
  'verify-from-disk': { type: 'boolean', default: false },
  ...hostFlags,
  threads: { type: 'string' },
  'share-port': { type: 'string' },
  'log-level': { type: 'string', default: 'info' },
  'log-format': { type: 'string', default: 'auto' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Unfinished work is cleaned up in this time; what is not, is when the agent starts again. */
const stopDeadlineMs = 8_000

/** What is logged, and how. */
interface Logging {
  readonly level: LogLevel
  readonly format: LogFormat
}

/** What a command line asks for. */
type Request =
  | {
      readonly options: AgentOptions
      readonly workerLimits: WorkerLimits
      readonly logging: Logging
      /** Undefined to record no traces. */
      readonly tracing: TracingSettings | undefined
    }
  | { readonly removesCopiesOf: string; readonly logging: Logging }
  | 'help'

/**
 * `palisade agent`: runs the agent until SIGTERM or SIGINT.
 *
 * @param argv what follows "agent" on the command line
 * @returns the exit status: 0 after a signal, 1 when the agent cannot go on, 2 for a wrong command line
 */
export async function agentCommand(argv: readonly string[]): Promise<number> {
  let request: Request
  try {
    request = parseCommandLine(argv)
  } catch (error) {
    process.stderr.write(`${describe(error)}; see palisade agent --help\n`)
    return 2
  }
  if (request === 'help') {
    process.stdout.write(usage)
    return 0
  }
  const log = createLog(request.logging.level, standardOutput(request.logging.format))
  if ('removesCopiesOf' in request) return removeCopiesOf(request.removesCopiesOf, log)
  const program = { name: 'palisade-agent', version: ownVersion(import.meta.url) }
  const tracing = await startTracing(request.tracing, program, log)
  if (tracing !== undefined) log.info(tracing.shown, 'recording traces')
  const workers = new ChunkWorkers(request.workerLimits)
  const stopping = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping')
    setTimeout(() => endAtOnce(log), stopDeadlineMs).unref()
    stopping.abort()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  try {
    await runAgent(request.options, { log, workers, signal: stopping.signal })
    return 0
  } catch (error) {
    process.stderr.write(`The agent cannot go on: ${describe(error)}\n`)
    return 1
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    await workers.stop()
    await tracing?.close()
  }
}

/** `process.exit` waits for threads, and those for a file system that does not answer. */
function endAtOnce(log: Log): void {
  log.error('file operations did not finish in time; ending without them')
  process.kill(process.pid, 'SIGKILL')
}

async function removeCopiesOf(stateDirectory: string, log: Log): Promise<number> {
  try {
    return (await removeCopies(stateDirectory, log)) ? 0 : 1
  } catch (error) {
    process.stderr.write(`The copies cannot be removed: ${describe(error)}\n`)
    return 1
  }
}

function parseCommandLine(argv: readonly string[]): Request {
  const { values } = readOptions(argv, flags)
  if (values.help) return 'help'
  const { server, account, computer, ca, insecure, state } = values
  const logging = {
    level: oneOf(logLevels, values, 'log-level'),
    format: oneOf(logFormats, values, 'log-format'),
  }
  if (values['remove-copies']) return { removesCopiesOf: state, logging }
  const [firstServer, ...otherServers] = server ?? []
  if (firstServer === undefined) throw new Error('--server is missing: the address of the backup service')
  if (account === undefined) throw new Error('--account is missing: the account that the computer belongs to')
  if (computer === undefined) throw new Error("--computer is missing: the computer's id")
  return {
    logging,
    tracing: tracingFromEnvironment(process.env),
    workerLimits: workerLimitsOf(values),
    options: {
      membership: { serverUrls: parseServerUrls([firstServer, ...otherServers]), account, computer },
      enrolmentKey: enrolmentKeyOf(values),
      stateDirectory: state,
      retryPolicy,
      backup: backupSettingsOf(values),
      hosts: hostsOf(values),
      restoreTo: [...restoreFoldersOf(values['restore-to']), ...diskFoldersOf(values.host)],
      ...sharePortOf(values),
      ...ownKeyFileOf(values),
      verifiesFromDisk: values['verify-from-disk'],
      endToEndShares: values['end-to-end-shares'],
      trust: { insecure, ...(ca === undefined ? {} : { ca: readCertificates(ca, '--ca') }) },
    },
  }
}

function oneOf<Name extends string, Option extends string>(
  names: readonly Name[],
  values: Readonly<Record<Option, string>>,
  option: Option,
): Name {
  const name = names.find((one) => one === values[option])
  if (name !== undefined) return name
  throw new Error(`--${option} must be one of ${names.join(', ')}`)
}

function restoreFoldersOf(names: readonly string[] = []): readonly string[] {
  if (names.length > restoreFoldersMax / 2)
    throw new Error(`--restore-to may be given ${restoreFoldersMax / 2} times`)
  return new AllowedDestinations(names).names
}

function ownKeyFileOf({ 'end-to-end-key-file': file }: { 'end-to-end-key-file'?: string }) {
  return file === undefined ? {} : { endToEndKeyFile: file }
}

function sharePortOf({ 'share-port': text }: { 'share-port'?: string }): { sharePort?: number } {
  if (text === undefined) return {}
  const sharePort = Number(text)
  if (Number.isInteger(sharePort) && sharePort > 0 && sharePort < 65_536) return { sharePort }
  throw new Error('--share-port must be a port, from 1 to 65535')
}

function workerLimitsOf({ threads }: { threads?: string }): WorkerLimits {
  if (threads === undefined) return limitsFor(thisComputer())
  if (/^[1-9]\d?$/.test(threads) && Number(threads) <= 64) return exactly(Number(threads))
  throw new Error('--threads must be a whole number from 1 to 64')
}

function enrolmentKeyOf(values: { key?: string; 'key-file'?: string }): string | undefined {
  const file = values['key-file']
  if (file === undefined) return values.key
  if (values.key !== undefined) throw new Error('give either --key or --key-file')
  const key = readNamedFile(file, '--key-file', 'group-reads').trim()
  if (key !== '') return key
  throw new FileFailure(
    `--key-file names ${file}, which is empty: it holds the enrolment key of the computer`,
  )
}
