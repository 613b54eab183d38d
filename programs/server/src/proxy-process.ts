import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Log } from '@palisade/platform'
import { RuleStore } from './rules/rule-store.ts'

/** How long after its end a proxy is started again: at first, and at most when it keeps ending. */
const restartMs = 200
const restartMaxMs = 5_000

/** A proxy that has run for this long is taken for a good one. */
const goodRunMs = 10_000

/** What the proxy is told. */
export interface ProxyProcessOptions {
  readonly dataDirectory: string
  /** Where the firewall's management listens, as the configuration says, and the port that was opened. */
  readonly management: { readonly host: string; readonly port: number }
  /** Where the Core Rule Set is; the release that is chosen, or else Debian's, when undefined. */
  readonly ruleFolder: string | undefined
  readonly withoutRules: 'refuse' | 'policies-only'
  readonly logLevel: string
  readonly log: Log
}

/**
 * Runs `palisade proxy` beside the server, and again whenever it ends. It ends with the server: whoever wants traffic to go on
 * without it runs a proxy by itself.
 *
 * @returns ends it
 */
export function startProxyProcess(options: ProxyProcessOptions): () => Promise<void> {
  const { log } = options
  const file = writeConfiguration(options)
  let child: ChildProcess | undefined
  let restarting: NodeJS.Timeout | undefined
  let waitMs = restartMs
  let isStopping = false

  const start = () => {
    const startedAt = performance.now()
    // The command that runs the server is the one that runs proxies. The channel tells the proxy when the server is gone.
    child = spawn(process.execPath, [process.argv[1] ?? '', 'proxy', '--config', file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.once('exit', (status, signal) => {
      if (isStopping) return
      if (performance.now() - startedAt > goodRunMs) waitMs = restartMs
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
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

function writeConfiguration(options: ProxyProcessOptions): string {
  const { dataDirectory, management, ruleFolder, withoutRules, logLevel } = options
  const folder = join(dataDirectory, 'firewall-proxy')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'proxy.json')
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[management.host] ?? inAddress(management.host)
  const configuration = {
    server: `http://${host}:${management.port}`,
    keyFile: join(dataDirectory, 'firewall-proxy.key'),
    stateDirectory: folder,
    rules: {
      ...(ruleFolder === undefined
        ? { choiceFile: new RuleStore(dataDirectory).choiceFile }
        : { folder: resolve(ruleFolder) }),
      withoutRules,
    },
    logLevel,
  }
  writeFileSync(file, JSON.stringify(configuration, null, 2), { mode: 0o600 })
  return file
}

function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
