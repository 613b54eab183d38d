import { readUnforgedFile } from '@palisade/private-files'
import { nearestName, whyUnreadable } from '@palisade/start-up'
import { Compile } from 'typebox/compile'
import { Default } from 'typebox/value'
import { parseDocument, type YAMLError } from 'yaml'
import { problemsOfListeners } from './listeners.ts'
import { overridableMembers, setMember } from './overrides.ts'
import { problemsIn } from './problems.ts'
import { type Configuration, ConfigurationSchema } from './schema.ts'
import { problemsOfTrustedProxies } from './trusted-proxies.ts'

/** The configuration cannot be used; the message names each member at fault. */
export class ConfigurationError extends Error {}

const validator = Compile(ConfigurationSchema)

/** Where settings come from, the later winning: defaults, the file, the environment, flags. */
export interface ConfigurationSources {
  /** Path of a JSON or YAML file. */
  readonly file?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Values by {@link overridableMembers} flag. */
  readonly flags: Readonly<Record<string, string | undefined>>
}

/**
 * Reads and checks the configuration.
 *
 * @throws ConfigurationError naming the path of each wrong member
 */
export function loadConfiguration({ file, environment, flags }: ConfigurationSources): Configuration {
  const document = file === undefined ? {} : readDocument(file)
  /** What has set a member that is not in the file. */
  const setBy = new Map<string, string>()
  for (const member of overridableMembers) {
    const text = flags[member.flag] ?? environment[member.variable]
    if (text === undefined) continue
    setMember(document, member, text)
    setBy.set(member.path.join('.'), member.flag in flags ? `--${member.flag}` : member.variable)
  }
  refuseUnknownVariables(environment)
  const configuration = Default(ConfigurationSchema, document)
  const refuse = (problems: readonly string[]): never => {
    const lines = problems.map((problem) => `  ${problem}`).join('\n')
    throw new ConfigurationError(
      `The configuration${file === undefined ? '' : ` ${file}`} is not valid:\n${lines}`,
    )
  }
  if (validator.Check(configuration)) {
    const problems = [...problemsOfListeners(configuration), ...problemsOfTrustedProxies(configuration)]
    return problems.length === 0 ? configuration : refuse(problems)
  }
  const nameOf = (path: string) => {
    const origin = setBy.get(path)
    return origin === undefined ? path : `${path} (${origin})`
  }
  return refuse(problemsIn(ConfigurationSchema, configuration, [], nameOf))
}

/** YAML is a superset of JSON, so one parser reads both. */
function readDocument(file: string): Record<string, unknown> {
  let document: unknown
  try {
    document = parseYaml(readUnforgedFile(file).toString())
  } catch (error) {
    throw new ConfigurationError(`The configuration ${file} cannot be read: ${whyUnreadable(error)}`)
  }
  if (document === null || document === undefined) return {}
  if (typeof document !== 'object' || Array.isArray(document)) {
    const held = Array.isArray(document) ? 'a list' : 'one value'
    throw new ConfigurationError(
      `The configuration ${file} must hold members, such as "log: { level: info }"; it holds ${held}.`,
    )
  }
  return document as Record<string, unknown>
}

/** What the command line reads of the environment: a shell that speaks to a server may start one as well. */
const commandLineVariables = ['PALISADE_SERVER', 'PALISADE_CLIENT_ID', 'PALISADE_CLIENT_SECRET']

/** @throws Error that says where and of which sort a fault is; the parser's own words repeat the line, and passwords in it */
function parseYaml(text: string): unknown {
  const document = parseDocument(text)
  const [fault] = [...document.errors, ...document.warnings]
  if (fault) throw new Error(describeFault(fault))
  try {
    return document.toJS()
  } catch {
    throw new Error(
      'it has an alias of what is not there, or too many; text that begins with * has to be quoted',
    )
  }
}

/** "line 5, column 31: unexpected token" */
function describeFault({ code, linePos: [{ line, col }] = [{ line: 1, col: 1 }] }: YAMLError): string {
  return `line ${line}, column ${col}: ${code.toLowerCase().replaceAll('_', ' ')}`
}

/** One that is misspelt would otherwise change nothing, in silence. */
function refuseUnknownVariables(environment: ConfigurationSources['environment']): void {
  const variables = new Set([...overridableMembers.map(({ variable }) => variable), ...commandLineVariables])
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('PALISADE_') && !variables.has(name),
  )
  if (unknown.length === 0) return
  const sentences = unknown.map((name) => {
    const meant = nearestName(name, variables)
    return `  There is no variable ${name}: ${meant === undefined ? '"palisade serve --help" lists those that there are' : `did you mean ${meant}?`}`
  })
  throw new ConfigurationError(`The environment is not valid:\n${sentences.join('\n')}`)
}
