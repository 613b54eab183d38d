import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, readOptions, UsageError } from '@palisade/start-up'
import { ConfigurationFile } from '../configuration/configuration-file.ts'
import { ConfigurationError, type ConfigurationSources, loadConfiguration } from '../configuration/load.ts'
import { memberFlags, memberOptions } from '../configuration/overrides.ts'
import type { Configuration } from '../configuration/schema.ts'
import {
  keyFilesOf,
  secretsInFiles,
  secretsOf,
  shownConfiguration,
  withoutTexts,
} from '../configuration/secret-texts.ts'
import { askForServerFiles, ServerNotReached } from '../reload/control-socket.ts'
import { packArchive } from './bundle.ts'
import { folderListing } from './folder-listing.ts'
import { machineFacts } from './machine-facts.ts'

const introduction = `A support bundle of Palisade, made by "palisade support".

machine.json                versions, system, processors, memory, disk
configuration.json          the configuration with every default; [redacted] stands for secrets
configuration-problems.txt  instead, where the configuration is wrong: what is wrong with it
data-directory.txt          its files: mode, owner, bytes, time of change, name; no content
vault.txt                   the same of the vault, where it lies in another folder
server/                     of the server that runs: its state, what needs attention, metrics as Prometheus
                            reads them, tables with their migrations, the newest megabyte of its log
server-not-reached.txt      instead, where none runs: why

Where the server does not run, its last words are in the log of the system: journalctl -u palisade
`

/**
 * `palisade support`: writes a support bundle, in which no secret of the configuration or of a key file stands.
 *
 * @param argv what follows "support" on the command line
 * @returns the exit status: 0 when it is written, 1 when it cannot be, 2 for a wrong command line
 */
export async function supportCommand(argv: readonly string[]): Promise<number> {
  try {
    const { output, sources } = parse(argv)
    const name = `palisade-support-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
    const archive = await packArchive(await collect(sources), name)
    await deliver(archive, output ?? `${name}.tar.gz`)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}; see palisade support --help\n`)
      return 2
    }
    process.stderr.write(`palisade support: ${describe(error)}\n`)
    return 1
  }
}

async function collect(sources: ConfigurationSources): Promise<Record<string, string>> {
  const { configuration, problems } = read(sources)
  const document = configuration ?? documentIn(sources.file)
  const dataDirectory = resolve(configuration?.dataDirectory ?? givenDirectory(sources, document))
  const files: Record<string, string> = {
    'README.txt': introduction,
    'machine.json': json(machineFacts(dataDirectory)),
    'data-directory.txt': await folderListing(dataDirectory),
    ...(problems === undefined ? {} : { 'configuration-problems.txt': problems }),
    ...(configuration === undefined ? {} : { 'configuration.json': json(shownConfiguration(configuration)) }),
    ...(await vaultListing(configuration)),
    ...(await serverFilesOf(dataDirectory)),
  }
  const secrets = [...secretsOf(document), ...secretsInFiles(keyFilesOf(dataDirectory, document))]
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, withoutTexts(text, secrets)]))
}

/** The configuration, or what is wrong with it: a bundle is made above all where something is wrong. */
function read(sources: ConfigurationSources): { configuration?: Configuration; problems?: string } {
  try {
    return { configuration: loadConfiguration(sources) }
  } catch (error) {
    if (error instanceof ConfigurationError) return { problems: `${error.message}\n` }
    throw error
  }
}

/** Where the data directory is when the configuration is wrong. */
function givenDirectory({ flags, environment }: ConfigurationSources, document: unknown): string {
  const inFile =
    typeof document === 'object' && document !== null && 'dataDirectory' in document
      ? document.dataDirectory
      : undefined
  const path = flags['data-directory'] ?? environment.PALISADE_DATA_DIRECTORY ?? inFile
  return typeof path === 'string' ? path : loadConfiguration({ environment: {}, flags: {} }).dataDirectory
}

/** What stands in a configuration file that may be wrong; nothing where it is none. */
function documentIn(file: string | undefined): unknown {
  try {
    return file === undefined ? undefined : ConfigurationFile.read(file).document
  } catch {
    return undefined
  }
}

async function vaultListing(configuration: Configuration | undefined): Promise<Record<string, string>> {
  const directory = configuration?.backup.vault?.directory
  return directory === undefined ? {} : { 'vault.txt': await folderListing(resolve(directory)) }
}

async function serverFilesOf(dataDirectory: string): Promise<Readonly<Record<string, string>>> {
  try {
    return await askForServerFiles(dataDirectory)
  } catch (error) {
    if (error instanceof ServerNotReached) return { 'server-not-reached.txt': `${error.message}\n` }
    throw error
  }
}

async function deliver(archive: Buffer, output: string): Promise<void> {
  if (output === '-') {
    if (!process.stdout.write(archive)) await once(process.stdout, 'drain')
    return
  }
  writeFileSync(output, archive, { mode: 0o600, flag: 'wx' })
  process.stdout.write(
    `${resolve(output)} is written. Names, addresses and user names are in it: look through it before you give it away.\n`,
  )
}

function parse(argv: readonly string[]): {
  readonly output: string | undefined
  readonly sources: ConfigurationSources
} {
  const { config, output, ...given } = readOptions(argv, {
    ...memberOptions,
    config: { type: 'string' },
    output: { type: 'string', short: 'o' },
  }).values
  return {
    output: typeof output === 'string' ? output : undefined,
    sources: {
      file: typeof config === 'string' ? config : undefined,
      environment: process.env,
      flags: memberFlags(given),
    },
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
