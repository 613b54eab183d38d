import { UsageError } from '../connection.ts'
import { type OutputOptions, printThing, say } from '../output.ts'

/** What is said of a task that succeeded: a sentence or lines for people, and what `--quiet` prints. */
export interface Outcome {
  readonly text: string
  readonly name: string | number | null
}

/**
 * Prints what came of a backup or restore: programs get its record whole.
 *
 * @throws UsageError that says why it failed
 */
export function report(
  task: { readonly state: string; readonly error?: { code: string; message: string } | null },
  { text, name }: Outcome,
  options: OutputOptions,
): void {
  if (task.state !== 'SUCCESS') {
    throw new UsageError(
      task.error ? `${task.error.code}: ${task.error.message}` : `It ended as ${task.state}.`,
    )
  }
  if (options.output !== undefined && options.output !== 'table') printThing(task, options)
  else console.log(options.quiet ? String(name) : text)
}

/** Prints the id of what was started and is not waited for. */
export function reportStart(what: string, id: string, options: OutputOptions): void {
  if (options.output !== undefined && options.output !== 'table') printThing({ id }, options)
  else if (options.quiet) console.log(id)
  else say(`${what} ${id} has started`, options)
}
