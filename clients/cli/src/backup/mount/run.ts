import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Where programs lie, those for administrators among them, which are not on the path of every root. */
export const searchPath = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

/** What a program printed, when it ended well. @throws Error in the program's own words */
export async function run(program: string, ...argv: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, argv, {
      env: { ...process.env, PATH: searchPath, LC_ALL: 'C' },
    })
    return stdout.trim()
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`${program}: ${said || String(error)}`, { cause: error })
  }
}
