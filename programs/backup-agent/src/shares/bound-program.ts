import { spawnSync } from 'node:child_process'

let isBindable: boolean | undefined

/**
 * A program with its parameters, so that the kernel kills it when this process is gone, however that comes. Programs that
 * wait for somebody else would otherwise outlive a killed agent and hold what they had opened. `setpriv` of util-linux
 * asks the kernel for it and then becomes the program; where there is none the program ends when its pipes do.
 */
export function boundProgram(program: string, parameters: readonly string[]): [string, readonly string[]] {
  const bind = ['--pdeathsig', 'KILL', '--']
  isBindable ??= spawnSync('setpriv', [...bind, 'true'], { stdio: 'ignore' }).status === 0
  return isBindable ? ['setpriv', [...bind, program, ...parameters]] : [program, parameters]
}
