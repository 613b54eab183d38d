import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { exitStatus, UsageError } from './exit-status.ts'

/**
 * What a file holds, or standard input for `-`.
 *
 * @throws UsageError when it cannot be read
 */
export function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
      exitStatus.wrongCommandLine,
    )
  }
}

/** The same for a secret: a line feed at its end is no part of it. */
export function readSecret(file: string): string {
  return readInput(file).replace(/\r?\n$/, '')
}

/** The same for one object in JSON or YAML. @throws UsageError for anything else */
export function readObject(file: string): Readonly<Record<string, unknown>> {
  const content: unknown = parsed(file, readInput(file))
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
    return Object.fromEntries(Object.entries(content))
  }
  throw new UsageError(`${file} must hold one object, in JSON or YAML.`, exitStatus.wrongCommandLine)
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new UsageError(
      `${file} is neither JSON nor YAML: ${error instanceof Error ? error.message : error}`,
      exitStatus.wrongCommandLine,
    )
  }
}
