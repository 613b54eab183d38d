import type { Problem } from '@palisade/platform'
import { nearestName, whyUnreadable } from '@palisade/start-up'
import { Compile } from 'typebox/compile'
import { Default } from 'typebox/value'
import { ConfigurationFile } from './configuration-file.ts'
import { overridableMembers, setMember } from './overrides.ts'
import { problemsIn } from './problems.ts'
import { type Configuration, ConfigurationSchema } from './schema.ts'
import { problemsBesideSchema } from './values.ts'

/** The configuration cannot be used; the message names each member at fault. */
export class ConfigurationError extends Error {
  /** One for each fault, such as "palisade.yaml:3:5: email.accounts.1 repeats an id". */
  readonly lines: readonly string[]

  constructor(message: string, lines: readonly string[] = []) {
    super([message, ...lines].join('\n'))
    this.lines = lines.length === 0 ? [message] : lines
  }
}

const validator = Compile(ConfigurationSchema)

/** Where settings come from, the later winning: defaults, the file, the environment, flags. */
export interface ConfigurationSources {
  /** Path of a JSON or YAML file. */
  readonly file?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Values by {@link overridableMembers} flag. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

/** A configuration that is good by itself. */
export interface ReadConfiguration {
  readonly configuration: Configuration
  /** Says what is wrong with it all the same, such as beside what the store holds, with the place of each member. */
  refusal(problems: readonly Problem[]): ConfigurationError
}

/** What is wrong, and where. */
interface Fault {
  /** "palisade.yaml:3:5", "--log-level" or "PALISADE_LOG_LEVEL"; empty where no place is known. */
  readonly place: string
  /** Of the file; 0 for what is not in it. */
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * Reads and checks the configuration, and the files of certificates that it names.
 *
 * @throws ConfigurationError naming every fault that shows without the store, with its place
 */
export function readConfiguration(sources: ConfigurationSources): ReadConfiguration {
  return read(sources, true)
}

/** As {@link readConfiguration}, for whoever presents no certificates and has nothing more to say about it. */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  return read(sources, false).configuration
}

function read(sources: ConfigurationSources, readsFiles: boolean): ReadConfiguration {
  const { file: path, environment, flags } = sources
  const file = path === undefined ? new ConfigurationFile('') : readFile(path)
  const { document } = file
  /** What has set a member that is not in the file. */
  const setBy = new Map<string, string>()
  for (const member of overridableMembers) {
    const text = flags[member.flag] ?? environment[member.variable]
    if (text === undefined) continue
    setMember(document, member, text)
    setBy.set(member.path.join('.'), member.flag in flags ? `--${member.flag}` : member.variable)
  }
  const placed = ({ path: first, otherPath, message }: Problem): Fault => {
    const paths = otherPath === undefined ? [first] : [first, otherPath]
    const origin = paths.map((one) => setBy.get(one.join('.'))).find((one) => one !== undefined)
    if (origin !== undefined) return { place: origin, line: 0, column: 0, message }
    const places = paths.map((one) => file.placeOf(one))
    return { ...inFile(path, places.find(({ isThere }) => isThere) ?? places[0]), message }
  }
  const refuse = (faults: readonly Fault[]) => {
    const lines = faults
      .toSorted((one, other) => one.line - other.line || one.column - other.column)
      .map(({ place, message }) => (place === '' ? message : `${place}: ${message}`))
    return new ConfigurationError(
      `The configuration${path === undefined ? '' : ` ${path}`} is not valid:`,
      lines,
    )
  }

  const faults: Fault[] = [
    ...unknownVariables(environment),
    ...file.faults.map((fault) => ({ ...inFile(path, fault), message: fault.message })),
  ]
  if (file.isGarbled) throw refuse(faults)
  const configuration = Default(ConfigurationSchema, document)
  const ofForm = validator.Check(configuration) ? [] : problemsIn(ConfigurationSchema, configuration)
  faults.push(...[...ofForm, ...problemsBesideSchema(configuration, readsFiles)].map(placed))
  if (faults.length > 0 || !validator.Check(configuration)) throw refuse(faults)
  return { configuration, refusal: (problems) => refuse(problems.map(placed)) }
}

function readFile(path: string): ConfigurationFile {
  try {
    return ConfigurationFile.read(path)
  } catch (error) {
    throw new ConfigurationError(`The configuration ${path} cannot be read: ${whyUnreadable(error)}`)
  }
}

function inFile(
  path: string | undefined,
  at: { readonly line: number; readonly column: number } | undefined,
): Omit<Fault, 'message'> {
  if (path === undefined || at === undefined) return { place: '', line: 0, column: 0 }
  const { line, column } = at
  return { place: `${path}:${line}:${column}`, line, column }
}

/** What the command line reads of the environment: a shell that speaks to a server may start one as well. */
const commandLineVariables = [
  'PALISADE_SERVER',
  'PALISADE_PROFILE',
  'PALISADE_TOKEN',
  'PALISADE_CLIENT_ID',
  'PALISADE_CLIENT_SECRET',
  'PALISADE_AWARENESS_USERNAME',
  'PALISADE_AWARENESS_PASSWORD',
  'PALISADE_AWARENESS_API_KEY',
]

/** One that is misspelt would otherwise change nothing, in silence. */
function unknownVariables(environment: ConfigurationSources['environment']): Fault[] {
  const variables = new Set([...overridableMembers.map(({ variable }) => variable), ...commandLineVariables])
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('PALISADE_') && !variables.has(name),
  )
  return unknown.map((name) => {
    const nearest = nearestName(name, variables)
    const advice =
      nearest === undefined
        ? '"palisade serve --help" lists those that there are'
        : `did you mean ${nearest}?`
    return { place: name, line: 0, column: 0, message: `there is no such variable: ${advice}` }
  })
}
