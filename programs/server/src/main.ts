import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { createLog, standardOutput } from '@palisade/log'
import { ConfigurationProblems } from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { describe, ownVersion, readNamedFile, readOptions } from '@palisade/start-up'
import { startTracing, type TracingSettings, tracingFromEnvironment, tracingIn } from '@palisade/tracing'
import { exposedSecrets } from './configuration/exposed-secrets.ts'
import { ConfigurationError, type ConfigurationSources, readConfiguration } from './configuration/load.ts'
import {
  memberFlags,
  memberOptions,
  type OverridableMember,
  overridableMembers,
} from './configuration/overrides.ts'
import type { Configuration } from './configuration/schema.ts'
import { describeFirstSteps } from './first-steps.ts'
import { openControlSocket } from './reload/control-socket.ts'
import { Reloads } from './reload/reloads.ts'
import { serve } from './serve.ts'
import { RecentLines } from './support/recent-lines.ts'

/** A server that does not end in time is ended. */
const stopDeadlineMs = 9_500

const usage = `Usage: palisade serve [--config FILE] [--MEMBER VALUE …]

Starts the whole control plane. Without a file every default applies, and the first start shows new
credentials once. SIGHUP, or "palisade config reload", has it read the file again.

  --config FILE
      The configuration, YAML or JSON; "palisade config check FILE" checks it, "palisade config schema" describes it.

Single members are overridden by flags, or by environment variables, which are called like the flags:
PALISADE_DATA_DIRECTORY is that of --data-directory. Lists, such as accounts, are in the file alone.
What holds otherwise stands in parentheses.

${overridableMembers.map(helpOf).join('\n')}
`

/** A flag, and the first sentence of what is said of its member. */
function helpOf({ flag, fallback, description }: OverridableMember): string {
  const [sentence = ''] = description.split(/(?<=\.) (?=[A-Z])/)
  return `  --${flag}${fallback === undefined ? '' : ` (${fallback})`}\n      ${sentence}`
}

/**
 * `palisade serve`: reads flags and environment, serves until SIGTERM or SIGINT, and reads its configuration again at SIGHUP.
 *
 * @param argv what follows "serve" on the command line
 * @returns the exit status: 0 after a signal, 1 when the server cannot start or not end in order, 2 for a wrong command line
 */
export async function serveCommand(argv: readonly string[]): Promise<number> {
  let flags: Record<string, string | boolean | undefined>
  try {
    flags = readOptions(argv, {
      ...memberOptions,
      config: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    }).values
  } catch (error) {
    process.stderr.write(`${describe(error)}; see palisade serve --help\n`)
    return 2
  }
  const { help, config } = flags
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const file = typeof config === 'string' ? config : undefined
  const sources = { file, environment: process.env, flags: memberFlags(flags) }
  // From here on, so that a signal during the start ends the server in order, or is obeyed afterwards, as well.
  const hangUps = new HangUps()
  const signalled = nextSignal()
  let failure = 'Palisade cannot start'
  try {
    const recentLines = new RecentLines()
    const { server, log, configuration, tracing } = await start(sources, recentLines)
    const reloads = new Reloads({ sources, server, log })
    const closeSocket = await openControlSocket({
      dataDirectory: resolve(configuration.dataDirectory),
      file: file === undefined ? undefined : resolve(file),
      reload: () => reloads.request(),
      support: () => server.supportFiles(recentLines.text),
      log,
    })
    log.info({ ports: server.ports }, 'ready')
    failure = 'Palisade ended, and could not finish everything before'
    hangUps.obey(() => void reloads.request())
    if (server.isFirstStart || process.stdout.isTTY) {
      process.stdout.write(`\n${describeFirstSteps(server.ports, configuration)}\n`)
    }
    const { signal, deadline } = await signalled
    const { drainSeconds } = configuration.services
    if (drainSeconds > 0) {
      clearTimeout(deadline)
      const again = nextSignal()
      log.info({ signal, drainSeconds }, 'draining')
      server.drain()
      await Promise.race([again, delay(drainSeconds * 1000, undefined, { ref: false })])
      endInTime()
    }
    log.info({ signal }, 'stopping')
    await reloads.close()
    await closeSocket()
    await server.close()
    await tracing?.close()
    return 0
  } catch (error) {
    if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`)
    else process.stderr.write(`${failure}: ${describe(error)}${hintOf(error)}\n`)
    return 1
  }
}

/** Where to read on, of a file that this user may not open: mostly a copy that somebody else has put back. */
function hintOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (systemCode(error) === 'EACCES' && 'path' in error) {
    return `; the server runs as the user with the number ${process.geteuid?.()}, see "A file belongs to another user" in docs/operating/emergencies.md`
  }
  return hintOf(error.cause)
}

/** @throws ConfigurationError for everything that is wrong with the configuration, also beside what the store holds */
async function start(sources: ConfigurationSources, recentLines: RecentLines) {
  const { file } = sources
  const { configuration, refusal } = readConfiguration(sources)
  const log = createLog(configuration.log.level, recentLines.beside(standardOutput(configuration.log.format)))
  const exposed = file === undefined ? undefined : exposedSecrets(file, configuration)
  const version = ownVersion(import.meta.url)
  const tracing = await startTracing(
    tracingOf(configuration, sources),
    { name: 'palisade-server', version },
    log,
  )
  if (tracing !== undefined) log.info(tracing.shown, 'recording traces')
  try {
    const server = await serve(configuration, {
      log,
      tracing,
      warnings: exposed === undefined ? [] : [exposed],
      provisionCredentials: file === undefined,
      configurationFile: file,
      show: (text) => process.stdout.write(`\n${text}\n`),
    })
    return { server, log, configuration, tracing }
  } catch (error) {
    await tracing?.close()
    throw error instanceof ConfigurationProblems ? refusal(error.problems) : error
  }
}

/** The file goes before the environment. */
function tracingOf(
  { tracing }: Configuration,
  { environment }: ConfigurationSources,
): TracingSettings | undefined {
  if (tracing === undefined) return tracingFromEnvironment(environment)
  return tracingIn(tracing, (path, named) => readNamedFile(path, named, 'group-reads'))
}

/**
 * SIGHUP has the server read its configuration again; one that comes before it runs is obeyed as soon as it does. Where the terminal is gone
 * on which it was started, SIGHUP ends it, as it does with other programs.
 */
class HangUps {
  #reload: (() => void) | undefined
  #isWaiting = false

  constructor() {
    process.on('SIGHUP', this.#take)
  }

  /** @param reload is called for each from now on, and once for those that have come */
  obey(reload: () => void): void {
    this.#reload = reload
    if (this.#isWaiting) reload()
  }

  readonly #take = () => {
    if (process.stdout.isTTY && !isatty(process.stdout.fd)) {
      process.off('SIGHUP', this.#take)
      process.kill(process.pid, 'SIGHUP')
    } else if (this.#reload === undefined) this.#isWaiting = true
    else this.#reload()
  }
}

/** The process has {@link stopDeadlineMs} from now on. */
function endInTime(): NodeJS.Timeout {
  // An ordinary exit waits for threads that a file system holds.
  return setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopDeadlineMs).unref()
}

interface EndingSignal {
  readonly signal: NodeJS.Signals
  /** Ends the process when it has not ended by then. */
  readonly deadline: NodeJS.Timeout
}

/** The next signal to end; the process has {@link stopDeadlineMs} to do so. */
function nextSignal(): Promise<EndingSignal> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => resolve({ signal, deadline: endInTime() }))
    }
  })
}
