import cluster from 'node:cluster'
import { createLog, standardOutput } from '@palisade/log'
import { enableLinearRegExpEngine } from '@palisade/seclang/linear-engine'
import { describe, ownVersion, readOptions, UsageError } from '@palisade/start-up'
import { startTracing, type Tracing } from '@palisade/tracing'
import { loadConfiguration } from './configuration.ts'
import { ConfigurationError } from './configuration-members.ts'
import { limitStop } from './stop-deadline.ts'
import { WorkerRecords } from './workers/worker-records.ts'

const usage = `Usage: palisade proxy --config FILE
       palisade proxy --end-orphans --config FILE   end what a proxy that was killed has left running
       palisade proxy --try-requests --config FILE   judge the requests of a trial, from standard input, as a proxy does that runs
       palisade proxy --try-rules FOLDER [--libraries FOLDER]   load these rules and say what is wrong with them, as JSON
       palisade proxy --try-libraries FOLDER   say what is wrong with the libraries that rules ask; the status is 0 when
                                               the system has them, or else the folder

Carries the traffic of the services that the firewall's management publishes. FILE is JSON:

  server          where the management is (http://127.0.0.1:8000); over HTTPS, except on the same machine
  keyFile         the file firewall-proxy.key in the management's data directory, or a copy of it
  key             what is in that file, instead of it
  caFile          certificates in PEM to trust instead of the system's
  insecure        whether any certificate of the management is taken (false)
  stateDirectory  where the last good snapshot is kept (./proxy-state)
  rules           settings, setup, folder, plugins: where the Core Rule Set is (where Debian puts it); crs-setup.conf and
                  plugins are looked for beside the folder. choiceFile: a file that names the folder and is followed, such as
                  rules/current.json in the server's data directory. libraryFolder: libraries that rules ask, where the
                  system lacks them, such as rules/libraries beside it. withoutRules: what becomes of Active services
                  where there are no rules: refuse, basic-rules or policies-only (refuse). candidates: other rule sets that the
                  management may have tried against stored requests, each with a name and some of settings, setup, folder,
                  plugins. releasesFolder: where releases lie that may be tried as well, such as rules in the server's data
                  directory
  ipReputation    geoipDatabase: a file of countries or cities in the MaxMind DB format (.mmdb); listsFolder: a folder with lists of
                  addresses, such as tor-nodes.txt; both are followed (neither)
  stolenPasswordsFile  sorted SHA-1 digests of stolen passwords, as Have I Been Pwned publishes them; followed (none)
  logLevel        trace, debug, info, warn, error, fatal or silent (info)
  logFormat       text for people, json for programs, or auto: text on a terminal only (auto)
  workers         how many processes carry the traffic, or "cores" for one on each core ("cores")
  spareWorker     whether one more is kept ready to take the place of one that ends (true)
  bodies          memoryMiB (64): how much of request bodies each worker holds at once while they are judged;
                  waitSeconds (30): how long requests wait for that before they are turned away
  metrics         host (127.0.0.1) and port at which figures are shown to Prometheus, at /metrics (nowhere)
  tracing         endpoint, sampleRatio (0.1), headersFile: the OpenTelemetry collector that traces are sent to, such as
                  http://127.0.0.1:4318, how many of the requests are recorded, and a file with the headers that it wants (name=value);
                  or else what OTEL_EXPORTER_OTLP_ENDPOINT and its like say (nowhere)
`

/**
 * `palisade proxy`: carries traffic until SIGTERM or SIGINT. The workers that it starts come here as well, by the same command line.
 *
 * @param argv what follows "proxy" on the command line
 * @returns the exit status: 0 after a signal, 1 when the proxy cannot start, 2 for a wrong command line
 */
export async function proxyCommand(argv: readonly string[]): Promise<number> {
  enableLinearRegExpEngine()
  let file: string | undefined
  let endsOrphans = false
  let triesRequests = false
  try {
    const { values } = readOptions(argv, {
      config: { type: 'string' },
      'try-rules': { type: 'string' },
      'end-orphans': { type: 'boolean', default: false },
      'try-requests': { type: 'boolean', default: false },
      'try-libraries': { type: 'string' },
      libraries: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    })
    if (values.help) {
      process.stdout.write(usage)
      return 0
    }
    if (values['try-rules'] !== undefined)
      return (await import('./inspection/try-rules.ts')).tryRules(values['try-rules'], values.libraries)
    if (values['try-libraries'] !== undefined)
      return (await import('./inspection/try-rules.ts')).tryLibraries(values['try-libraries'])
    file = values.config
    endsOrphans = values['end-orphans']
    triesRequests = values['try-requests']
    if (file === undefined)
      throw new UsageError('--config is missing: it names the file that says where the management is')
  } catch (error) {
    process.stderr.write(`${describe(error)}; see palisade proxy --help\n`)
    return 2
  }
  const stopping = new AbortController()
  const stop = () => {
    limitStop()
    stopping.abort()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  // A server that has started the proxy holds a channel to it, which closes when the server is gone.
  if (cluster.isPrimary) process.once('disconnect', stop)
  let tracing: Tracing | undefined
  try {
    const configuration = loadConfiguration(file)
    const log = createLog(configuration.logLevel, standardOutput(configuration.logFormat))
    if (triesRequests) await (await import('./trials/judge-trial.ts')).judgeTrial(configuration)
    else if (endsOrphans) await new WorkerRecords(configuration.stateDirectory, log).endOrphans()
    else {
      const program = { name: 'palisade-proxy', version: ownVersion(import.meta.url) }
      tracing = await startTracing(configuration.tracing, program, log)
      if (tracing !== undefined && cluster.isPrimary) log.info(tracing.shown, 'recording traces')
      const surroundings = { log, signal: stopping.signal }
      if (cluster.isWorker) await (await import('./workers/worker.ts')).runWorker(configuration, surroundings)
      else await (await import('./proxy.ts')).runProxy(configuration, surroundings)
    }
    await tracing?.close()
    return end(0, triesRequests)
  } catch (error) {
    const text =
      error instanceof ConfigurationError ? error.message : `The proxy cannot go on: ${describe(error)}`
    process.stderr.write(`${text}\n`)
    return end(1)
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop).off('disconnect', stop)
    if (process.connected) process.disconnect()
  }
}

/**
 * A socket that was on its way to a primary process that is gone would keep a worker from ending, and its address open.
 *
 * @param isAwaited whether somebody waits for the end of this process, so that it does not wait for its idle connections
 */
function end(status: number, isAwaited = false): number {
  if (cluster.isWorker || isAwaited) process.exit(status)
  return status
}
