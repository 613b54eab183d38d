import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Scope } from '../scope.ts'
import type { ProtocolServer } from './protocol-server.ts'

/**
 * An agent as a program of its own, which can be killed. It may read files and restore in the folder of
 * temporary files.
 *
 * @param flags more of its command line
 * @param program the path of one like that of the agent
 * @returns starts it, once or again, and resolves when it is connected; it is killed at the end of `t` at the latest
 */
export function agentProgram(
  t: Scope,
  server: ProtocolServer,
  stateDirectory: string,
  flags: readonly string[] = [],
  program = fileURLToPath(new URL('./agent-process.ts', import.meta.url)),
): () => Promise<ChildProcess> {
  const started: ChildProcess[] = []
  t.after(() => {
    for (const child of started) child.kill('SIGKILL')
  })
  return async () => {
    const hello = server.messageOf(({ type }) => type === 'hello')
    const child = spawn(
      process.execPath,
      [
        '--conditions=source',
        program,
        ...['--server', server.url, '--account', 'acme', '--computer', '0001'],
        ...['--key', server.enrolmentKey, '--state', stateDirectory, '--log-level', 'silent'],
        ...['--restore-to', tmpdir(), '--restore-to', '//127.0.0.1/data', '--include', `${tmpdir()}/*`],
        ...flags,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    started.push(child)
    await hello
    return child
  }
}

/** Ends a program, and gives its exit status; null when the signal ended it. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill(signal)
  const [status] = await exited
  return status
}
