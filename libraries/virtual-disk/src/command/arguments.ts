import type { parseArgs } from 'node:util'

/** The options of all commands. */
export const options = {
  format: { type: 'string' },
  to: { type: 'string' },
  parents: { type: 'string', multiple: true },
  fixed: { type: 'boolean', default: false },
  'block-size': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** What follows a command's name. */
export type Arguments = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>

/** Runs a command to its end, in sentences to `say`; gives its files' paths and options, and the exit status. */
export type Command = (args: Arguments, say: (line: string) => void) => Promise<number>
