import cluster from 'node:cluster'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { ConfigurationError, loadConfiguration } from './configuration.ts'
import { describe } from './failure.ts'
import { loadRuleSets, reportOf } from './inspection/rule-sets.ts'
import { createLog } from './log.ts'
import { runProxy } from './proxy.ts'
import { runWorker } from './workers/worker.ts'

const usage = `Usage: palisade proxy --config FILE
       palisade proxy --try-rules FOLDER    load these rules and say what is wrong with them, as JSON

Carries the traffic of the services that the firewall's management publishes. FILE is JSON:

  server          where the management is (http://127.0.0.1:8000); over HTTPS, except on the same machine
  keyFile         the file firewall-proxy.key in the management's data directory, or a copy of it
  key             what is in that file, instead of it
  caFile          certificates in PEM to trust instead of the system's
  insecure        whether any certificate of the management is taken (false)
  stateDirectory  where the last good snapshot is kept (./proxy-state)
  rules           settings, setup, folder, plugins: where the Core Rule Set is (where Debian puts it); crs-setup.conf and
                  plugins are looked for beside the folder. choiceFile: a file that names the folder and is followed, such as
                  rules/current.json in the server's data directory. withoutRules: what becomes of Active services where
                  there are no rules, refuse or policies-only (refuse)
  logLevel        trace, debug, info, warn, error, fatal or silent (info)
  workers         how many processes carry the traffic, or "cores" for one on each core ("cores")
  spareWorker     whether one more is kept ready to take the place of one that ends (true)
  bodies          memoryMiB (64): how much of request bodies each worker holds at once while they are judged;
                  waitSeconds (30): how long requests wait for that before they are turned away
  metrics         host (127.0.0.1) and port at which figures are shown to Prometheus, at /metrics (nowhere)
`

/** A proxy that does not end in time is ended. */
const stopDeadlineMs = 9_500

/**
 * `palisade proxy`: carries traffic until SIGTERM or SIGINT. The workers that it starts come here as well, by the same command line.
 *
 * @param argv what follows "proxy" on the command line
 * @returns the exit status: 0 after a signal, 1 when the proxy cannot start, 2 for a wrong command line
 */
export async function proxyCommand(argv: readonly string[]): Promise<number> {
  let file: string | undefined
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        config: { type: 'string' },
        'try-rules': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      process.stdout.write(usage)
      return 0
    }
    if (values['try-rules'] !== undefined) return tryRules(values['try-rules'])
    file = values.config
    if (file === undefined) throw new Error('--config is missing')
  } catch (error) {
    process.stderr.write(`${describe(error)}\n\n${usage}`)
    return 2
  }
  const stopping = new AbortController()
  const stop = () => {
    setTimeout(() => process.exit(1), stopDeadlineMs).unref()
    stopping.abort()
  }
  // A server that has started the proxy holds a channel to it, which closes when the server is gone.
  process.once('SIGTERM', stop).once('SIGINT', stop).once('disconnect', stop)
  try {
    const configuration = loadConfiguration(file)
    const run = cluster.isWorker ? runWorker : runProxy
    await run(configuration, { log: createLog(configuration.logLevel), signal: stopping.signal })
    return 0
  } catch (error) {
    const text =
      error instanceof ConfigurationError ? error.message : `The proxy cannot go on: ${describe(error)}`
    process.stderr.write(`${text}\n`)
    return 1
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop).off('disconnect', stop)
    if (process.connected) process.disconnect()
  }
}

/** Prints what loading the rules of a folder gives. @returns 0 when they can be used */
function tryRules(folder: string): number {
  const storages = { of: () => new MemoryCollectionStorage() }
  const rules = loadRuleSets({ named: { folder: resolve(folder) }, withoutRules: 'refuse' }, storages)
  process.stdout.write(`${JSON.stringify(reportOf(rules))}\n`)
  return 'problem' in rules ? 1 : 0
}
