import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { exitStatus, UsageError } from '../exit-status.ts'

/** Whether there is somebody at a terminal to be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/**
 * Asks at the terminal. Questions go to standard error, so that results can be sent elsewhere.
 *
 * @param instead what would make the question needless, such as `--password-file`
 * @throws UsageError when there is no terminal
 */
export function ask(question: string, instead: string): Promise<string> {
  return askAtTerminal(question, instead, process.stderr)
}

/** Asks for a secret, which is not shown while it is typed. @throws UsageError when there is no terminal */
export function askSecret(question: string, instead: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  return askAtTerminal(question, instead, silent)
}

async function askAtTerminal(
  question: string,
  instead: string,
  output: NodeJS.WritableStream,
): Promise<string> {
  if (!canAsk()) {
    throw new UsageError(`There is no terminal to ask at: give ${instead}.`, exitStatus.wrongCommandLine)
  }
  const isHidden = output !== process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    // The terminal has ceased to show what is typed before anybody is asked to.
    if (isHidden) process.stderr.write(question)
    return await new Promise((resolve, reject) => {
      lines.question(isHidden ? '' : question, resolve)
      lines.once('close', () => reject(new UsageError('Nothing was answered.')))
    })
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}

/**
 * Asks whoever is at a terminal, about what scripts, which have none, are to go on with.
 *
 * @param question is only made up where it is asked
 * @throws UsageError when the answer is not yes
 */
export async function confirmAtTerminal(
  { yes }: { readonly yes?: true | undefined },
  question: () => Promise<string> | string,
): Promise<void> {
  if (!yes && canAsk()) await confirm(await question())
}

/** @throws UsageError when the answer is not yes, or nobody is there to be asked */
export async function confirm(question: string): Promise<void> {
  const answer = await ask(`${question} [y/N] `, '--yes')
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was changed.')
}
