#!/usr/bin/env node
/**
 * The command: looks at disks, checks, converts and compares them. It exits with 0 when all is well, 1 when a check or
 * a comparison found something, 2 when it could not do what it was asked to.
 */
import { parseArgs } from 'node:util'
import { DiskFailure } from '../failure.ts'
import { type Command, options } from './arguments.ts'
import { checkFile } from './check.ts'
import { compareFiles } from './compare.ts'
import { convertFile } from './convert.ts'
import { showInfo } from './info.ts'

/** What `virtual-disk --help` prints. */
export const usage = `virtual-disk info FILE
virtual-disk check FILE
virtual-disk convert SOURCE TARGET [--fixed] [--block-size MIB]
virtual-disk compare FILE FILE

Formats are taken from names: .vhd, .vhdx, .raw and .img; of other names from the content.
  --format FORMAT      what FILE or SOURCE is: vhd, vhdx or raw
  --to FORMAT          what TARGET shall be
  --parents DIRECTORY  where parents of differencing disks are; may be given several times
  --json               findings and descriptions as JSON
`

const commands: Readonly<Record<string, { readonly run: Command; readonly files: number }>> = {
  info: { run: showInfo, files: 1 },
  check: { run: checkFile, files: 1 },
  convert: { run: convertFile, files: 2 },
  compare: { run: compareFiles, files: 2 },
}

/** Runs the command line; what it has to say goes to `say` line by line. Gives the exit status. */
export async function runCommand(line: readonly string[], say: (line: string) => void): Promise<number> {
  const [name = '', ...rest] = line
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    const parsed = parseArgs({ args: [...rest], options, allowPositionals: true })
    if (command === undefined || parsed.positionals.length !== command.files) {
      say(usage)
      return 2
    }
    return await command.run(parsed, say)
  } catch (error) {
    if (!isExpected(error)) throw error
    say(error.message)
    return 2
  }
}

/** Our failures, the system's, and those of arguments; anything else is a fault of ours. */
function isExpected(error: unknown): error is Error {
  return error instanceof DiskFailure || (error instanceof Error && 'code' in error)
}

if (import.meta.main) {
  // Whoever reads may stop before all is said, as `head` does.
  process.stdout.on('error', () => process.exit())
  process.exitCode = await runCommand(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`))
}
