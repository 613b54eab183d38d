import Table from 'cli-table3'
import { UsageError } from './connection.ts'

/** The body of a successful reply; what the server refused becomes a message. */
export async function answer<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw new UsageError(describe(error))
  return data
}

/** What the server said that it refuses, a line for each thing. */
export function describe(error: unknown): string {
  const errors = typeof error === 'object' && error !== null && 'errors' in error ? error.errors : undefined
  return Array.isArray(errors) ? errors.join('\n') : 'The server refused without saying why.'
}

/** Prints what came of a backup or restore, or fails with why it failed. */
export function report(
  task: { state: string; error?: { code: string; message: string } | null },
  result: string,
): void {
  if (task.state === 'SUCCESS') console.log(result)
  else
    throw new UsageError(
      task.error ? `${task.error.code}: ${task.error.message}` : `It ended as ${task.state}.`,
    )
}

/** Prints a table. */
export function show(head: string[], rows: (string | number)[][]): void {
  const table = new Table({ head, style: { head: [], border: [] } })
  table.push(...rows)
  console.log(table.toString())
}
