import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from './calls.ts'

/** A command at a terminal of its own. */
export class Terminal {
  readonly #child
  #screen = ''

  /** @param environment variables beside those of the tests themselves */
  constructor(command: string, environment: Readonly<Record<string, string>>) {
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child.stdout.on('data', (bytes: Buffer) => {
      this.#screen += bytes
    })
  }

  /** Everything that was to be seen. */
  get screen(): string {
    return this.#screen
  }

  shows(pattern: RegExp): Promise<RegExpExecArray> {
    return eventually(`${pattern}`, async () => pattern.exec(this.#screen) ?? undefined)
  }

  /** Types a line when a question is shown. */
  async answer(question: RegExp, line: string): Promise<void> {
    await this.shows(question)
    this.#child.stdin.write(`${line}\r`)
  }

  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit')
    return this.#child.exitCode
  }
}
