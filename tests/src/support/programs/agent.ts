import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Program, palisadeCommand } from './program.ts'
import type { Server } from './server.ts'

const stepPattern = /"task":"backup".*(?:"step":"(\w+)"|"msg":"backup ended")/g

/** An agent process for the provisioned computer, or another one, connected to a server. */
export class Agent {
  readonly program: Program

  private constructor(program: Program) {
    this.program = program
  }

  /**
   * Starts an agent and waits until it is connected. The same folder again means the same agent. It may read files there and
   * in the folder of temporary files, and restore to both.
   *
   * @param flags further ones for `palisade agent`
   * @param as another computer of the account than the provisioned one, with its key
   * @param environment variables beside the usual ones
   * @param enter the command that runs it elsewhere, such as in another namespace
   */
  static async start(
    server: Server,
    folder: string,
    flags: readonly string[] = [],
    as = { computer: '0001', enrolmentKey: 'enrol-me' },
    environment: Readonly<Record<string, string>> = {},
    enter: readonly string[] = [],
  ): Promise<Agent> {
    const keyFile = join(folder, 'enrolment-key')
    writeFileSync(keyFile, as.enrolmentKey, { mode: 0o600 })
    const argv = [
      ...['agent', '--server', `${server.services}/backup`, '--account', 'acme', '--computer', as.computer],
      ...['--key-file', keyFile, '--state', join(folder, 'agent-state')],
      ...[folder, tmpdir()].flatMap((place) => ['--restore-to', place, '--include', `${place}/*`]),
      ...flags,
    ]
    const program = new Program(argv, environment, undefined, palisadeCommand(enter))
    await program.line(/"msg":"connected/)
    return new Agent(program)
  }

  /**
   * Which step of its last backup the agent is at, by its log: `ended` when that has ended, `not begun` when there was none.
   *
   * @param since how many characters of the log are not looked at
   */
  backupStep(since = 0): string {
    const log = this.program.output.slice(since)
    const [, step = 'ended'] = [...log.matchAll(stepPattern)].at(-1) ?? [undefined, 'not begun']
    return step
  }
}
