import { resolve } from 'node:path'
import { readOptions, UsageError } from '@palisade/start-up'
import { configurationJsonSchema } from './configuration/json-schema.ts'
import { ConfigurationError, type ConfigurationSources, readConfiguration } from './configuration/load.ts'
import { memberFlags, memberOptions } from './configuration/overrides.ts'
import { askForReload, ServerNotReached } from './reload/control-socket.ts'

/**
 * `palisade config`: checks configuration files, has a server read its own again, and prints the schema.
 *
 * @param argv what follows "config" on the command line
 * @returns the exit status: 0, 1 when the configuration is wrong or is not applied, 2 for a wrong command line
 */
export async function configCommand(argv: readonly string[]): Promise<number> {
  try {
    const { positionals, members } = parse(argv)
    const [task = '', file, ...more] = positionals
    if (more.length > 0) throw new UsageError(`"${more[0]}" is too much`)
    return await perform(task, { file, environment: process.env, flags: members })
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}; see palisade config --help\n`)
      return 2
    }
    if (error instanceof ConfigurationError) process.stderr.write(`${error.lines.join('\n')}\n`)
    else if (error instanceof ServerNotReached)
      process.stderr.write(`palisade config reload: ${error.message}\n`)
    else throw error
    return 1
  }
}

async function perform(task: string, sources: ConfigurationSources): Promise<number> {
  const { file } = sources
  switch (task) {
    case 'check':
      if (file === undefined) throw new UsageError('the FILE to check is missing')
      readConfiguration(sources)
      process.stdout.write(`The configuration ${file} is valid.\n`)
      return 0
    case 'reload': {
      const { dataDirectory } = readConfiguration(sources).configuration
      const path = file === undefined ? undefined : resolve(file)
      const { isApplied, lines } = await askForReload(resolve(dataDirectory), path)
      const output = isApplied ? process.stdout : process.stderr
      output.write(`${lines.join('\n')}\n`)
      return isApplied ? 0 : 1
    }
    case 'schema':
      if (file !== undefined) throw new UsageError(`"${file}" is too much`)
      process.stdout.write(`${JSON.stringify(configurationJsonSchema(), null, 2)}\n`)
      return 0
    default:
      throw new UsageError(task === '' ? 'the TASK is missing' : `there is no task ${task}`)
  }
}

function parse(argv: readonly string[]): {
  positionals: readonly string[]
  members: Readonly<Record<string, string>>
} {
  const { positionals, values } = readOptions(argv, memberOptions, { positionals: true })
  return { positionals, members: memberFlags(values) }
}
