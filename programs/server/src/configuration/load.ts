import { readUnforgedFile } from '@palisade/private-files'
import { Compile } from 'typebox/compile'
import { Default } from 'typebox/value'
import { parseDocument, type YAMLError } from 'yaml'
import { overridableMembers, setMember } from './overrides.ts'
import { type Configuration, ConfigurationSchema } from './schema.ts'

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
  for (const member of overridableMembers) {
    const text = flags[member.flag] ?? environment[member.variable]
    if (text !== undefined) setMember(document, member, text)
  }
  refuseUnknownVariables(environment)
  const configuration = Default(ConfigurationSchema, document)
  if (validator.Check(configuration)) return configuration
  const problems = validator.Errors(configuration).map(({ instancePath, message, params }) => {
    const unknown = 'additionalProperties' in params ? ` (${params.additionalProperties})` : ''
    return `  ${instancePath.slice(1).replaceAll('/', '.') || 'the document'} ${message}${unknown}`
  })
  throw new ConfigurationError(
    `The configuration${file === undefined ? '' : ` ${file}`} is not valid:\n${[...new Set(problems)].join('\n')}`,
  )
}

/** YAML is a superset of JSON, so one parser reads both. */
function readDocument(file: string): Record<string, unknown> {
  let document: unknown
  try {
    document = parseYaml(readUnforgedFile(file).toString())
  } catch (error) {
    throw new ConfigurationError(
      `The configuration ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (document === null || document === undefined) return {}
  if (typeof document !== 'object' || Array.isArray(document)) {
    throw new ConfigurationError(`The configuration ${file} must hold an object.`)
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

/** A misspelt variable would otherwise change nothing, in silence. */
function refuseUnknownVariables(environment: ConfigurationSources['environment']): void {
  const known = new Set([...overridableMembers.map(({ variable }) => variable), ...commandLineVariables])
  const unknown = Object.keys(environment).filter((name) => name.startsWith('PALISADE_') && !known.has(name))
  if (unknown.length === 0) return
  throw new ConfigurationError(`Unknown environment variables: ${unknown.join(', ')}.`)
}
