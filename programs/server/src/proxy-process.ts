import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Log } from '@palisade/platform'
import type { Configuration } from './configuration/schema.ts'
import { RuleStore } from './rules/rule-store.ts'

/** How long after its end a proxy is started again: at first, and at most when it keeps ending. */
const restartMs = 200
const restartMaxMs = 5_000

/** Workers of a proxy that was killed may run for so long without it: half a minute, and the time that their requests take to end. */
const orphansMaxMs = 45_000

/** A proxy that has run for this long is taken for a good one. */
const goodRunMs = 10_000

interface ProxyProcessOptions {
  /** What the server was started with. */
  readonly configuration: Pick<Configuration, 'firewall' | 'tracing' | 'log'>
  readonly dataDirectory: string
  /** That of the firewall's management, as it was opened. */
  readonly managementPort: number
  /** The proxy logs to the same output, as this log does when it is started. */
  readonly log: Log
}

/**
 * Runs `palisade proxy` beside the server, and again whenever it ends. It ends with the server: whoever wants traffic to go on
 * without it runs a proxy by itself. Workers of a proxy that was killed serve until those of the next one do, and end with the server too.
 *
 * @returns ends it
 */
export function startProxyProcess(options: ProxyProcessOptions): () => Promise<void> {
  const { log } = options
  let child: ChildProcess | undefined
  let restarting: NodeJS.Timeout | undefined
  let waitMs = restartMs
  let diedAt = Number.NEGATIVE_INFINITY
  let isStopping = false

  /** The command that runs the server is the one that runs proxies. The channel tells the proxy when the server is gone. */
  const run = (...flags: string[]) => {
    const file = writeConfiguration(options)
    return spawn(process.execPath, [process.argv[1] ?? '', 'proxy', ...flags, '--config', file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  }
  const start = () => {
    const startedAt = performance.now()
    child = run()
    child.once('exit', (status, signal) => {
      if (isStopping) return
      diedAt = performance.now()
      if (diedAt - startedAt > goodRunMs) waitMs = restartMs
      log.error({ status, signal }, 'the proxy has ended and is started again')
      restarting = setTimeout(start, waitMs)
      waitMs = Math.min(2 * waitMs, restartMaxMs)
    })
    child.once('error', (error) => log.error({ err: error }, 'the proxy cannot be started'))
  }
  start()

  return async () => {
    isStopping = true
    clearTimeout(restarting)
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    // The next proxy has not ended them where it had not come so far.
    if (performance.now() - diedAt < orphansMaxMs) {
      await once(run('--end-orphans'), 'exit').catch((error: unknown) =>
        log.error({ err: error }, 'workers of a proxy that was killed cannot be ended'),
      )
    }
  }
}

function writeConfiguration({
  configuration: { firewall, tracing, log: logging },
  dataDirectory,
  managementPort,
  log,
}: ProxyProcessOptions): string {
  const { listen, ruleFolder, ruleCandidates = [], withoutRules, proxyMetrics: metrics } = firewall
  const { geoipDatabase, addressListsFolder, stolenPasswordsFile } = firewall
  const folder = join(dataDirectory, 'firewall-proxy')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'proxy.json')
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[listen.host] ?? inAddress(listen.host)
  const rules = new RuleStore(dataDirectory)
  const configuration = {
    server: `http://${host}:${managementPort}`,
    keyFile: join(dataDirectory, 'firewall-proxy.key'),
    stateDirectory: folder,
    rules: {
      ...(ruleFolder === undefined ? { choiceFile: rules.choiceFile } : { folder: resolve(ruleFolder) }),
      libraryFolder: rules.libraryFolder,
      withoutRules,
      candidates: ruleCandidates.map(withResolvedPaths),
      releasesFolder: dirname(rules.choiceFile),
    },
    ipReputation: {
      ...(geoipDatabase === undefined ? {} : { geoipDatabase: resolve(geoipDatabase) }),
      ...(addressListsFolder === undefined ? {} : { listsFolder: resolve(addressListsFolder) }),
    },
    ...(stolenPasswordsFile === undefined ? {} : { stolenPasswordsFile: resolve(stolenPasswordsFile) }),
    logLevel: log.level,
    logFormat: logging.format,
    ...(metrics === undefined ? {} : { metrics }),
    ...(tracing === undefined ? {} : { tracing: tracingOfProxy(tracing) }),
  }
  writeFileSync(file, JSON.stringify(configuration, null, 2), { mode: 0o600 })
  return file
}

/** The proxy finds files from the folder of its own configuration. */
function withResolvedPaths({ name, ...files }: { readonly name: string }) {
  const paths = Object.entries<string>(files).map(([member, path]) => [member, resolve(path)])
  return { name, ...Object.fromEntries(paths) }
}

/** What the proxy is told: it finds files from the folder of its own configuration, and has no database. */
function tracingOfProxy({ endpoint, sampleRatio, headersFile }: NonNullable<Configuration['tracing']>) {
  return {
    endpoint,
    sampleRatio,
    ...(headersFile === undefined ? {} : { headersFile: resolve(headersFile) }),
  }
}

function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
