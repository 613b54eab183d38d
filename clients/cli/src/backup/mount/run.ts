import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** PATH with the folders of administrators' programs, which not every root has in it. */
export const searchPath = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

/** What a program printed, when it ended well. @throws Error in the program's own words */
export async function run(program: string, ...argv: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, argv, {
      env: { ...process.env, PATH: searchPath, LC_ALL: 'C' },
    })
    return stdout.trim()
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`${program}: ${output || String(error)}`, { cause: error })
  }
}
