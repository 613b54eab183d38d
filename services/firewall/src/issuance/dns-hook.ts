import { spawn } from 'node:child_process'
import type { Log } from '@palisade/platform'
import { describe } from '@palisade/start-up'
import { AcmeFailure } from '../acme/index.ts'

/** A program that takes longer is ended, in milliseconds; records take their time to reach every name server. */
const hookMaxMs = 10 * 60_000

/** How much of what the program says is logged, in characters. */
const saidMax = 2_000

/**
 * Sets or removes a TXT record by the operator's program, which ends when the record can be seen. No shell reads the arguments.
 *
 * @param record its name and value
 * @throws AcmeFailure when it does not end with 0, or what the signal was aborted for
 */
export async function callDnsHook(
  program: string,
  action: 'set' | 'remove',
  { name, value }: { readonly name: string; readonly value: string },
  { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
): Promise<void> {
  const limit = AbortSignal.timeout(hookMaxMs)
  let said = ''
  const ended = await new Promise<string>((resolve) => {
    const child = spawn(program, [action, name, value], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, limit]),
    })
    const note = (text: string) => {
      said = (said + text).slice(-saidMax)
    }
    child.stdout.setEncoding('utf8').on('data', note)
    child.stderr.setEncoding('utf8').on('data', note)
    child.on('error', (error) => resolve(limit.aborted ? 'it took too long' : describe(error)))
    child.on('close', (code, end) => resolve(code === 0 ? '' : `it ended with ${code ?? end}`))
  })
  if (ended === '') return
  signal.throwIfAborted()
  log.warn({ program, action, record: name, said }, 'the program for records of DNS has failed')
  throw new AcmeFailure(
    `The program of firewall.acme.dnsHook could not ${action} the record ${name}: ${ended}. The log has what it said.`,
  )
}
