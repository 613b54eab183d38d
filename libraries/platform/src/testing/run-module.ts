import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * Starts another Node process that runs the given module text; it may import this package's sources by their
 * absolute addresses, and reads its settings as JSON from `process.argv[1]`.
 */
export function startModule(source: string, settings: unknown): ChildProcess {
  return spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', source, JSON.stringify(settings)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
}

/**
 * Runs a module in a process of its own to its end.
 *
 * @returns what it wrote to standard output
 * @throws when it ends with another status than 0
 */
export async function runModule(source: string, settings: unknown): Promise<string> {
  const child = startModule(source, settings)
  if (child.stdout === null) throw new Error('the process has no standard output')
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (status !== 0) throw new Error(`the process ended with ${status}`)
  return output
}
