import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Debian keeps the tools of administrators where only their shells look for them. */
const searchPath = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

/** Runs a program of the system and gives what it prints; rejects with what it complained about. */
export type Shell = (program: string, ...parameters: readonly string[]) => Promise<string>

/** Runs a program without a shell and with messages in English; ends it after two minutes, which rejects. */
export const systemShell: Shell = async (program, ...parameters) => {
  const { stdout } = await execute(program, parameters, {
    env: { ...process.env, PATH: searchPath, LC_ALL: 'C' },
    timeout: 120_000,
  })
  return stdout
}
