/**
 * What a machine restore does with a machine that was made to be proved and for nothing else:
 *
 *     proving   it is started, watched and removed: see `prove-recovery.ts`
 *     picture   what its screen showed is handed to the server
 *
 * Its disks are still there then. After a kill a machine that was left is removed first, so that what is told of its time is true.
 */

import type { MachineToMake, ProofResult } from '@palisade/agent-protocol'
import { agentPaths, isScreenshot } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { shortReplyMaxBytes } from '../server/exchange.ts'
import { retryRequest } from '../server/retry-request.ts'
import type { MachineContext } from './machine-context.ts'
import { definitionOf } from './machine-record.ts'
import { type Proof, proveRecovery } from './prove-recovery.ts'
import { retryOnHost } from './retry-on-host.ts'

/**
 * Proves a machine, and takes it away again.
 *
 * @param files its disks, absolute; they stay
 * @throws TaskFailure HostFailed when the host does not make, start or remove it; the signal's reason
 */
export async function proveMachine(
  machine: MachineToMake,
  files: readonly string[],
  { timeoutSeconds, sign }: NonNullable<MachineToMake['proof']>,
  context: MachineContext,
): Promise<ProofResult> {
  const { hosts, signal, retryPolicy } = context
  const { driver } = hosts.find(machine.host)
  // Nobody is to be reached by it, whatever was asked for.
  const { switchId: _unplugged, ...isolated } = definitionOf(machine, files)
  const request = {
    machine: isolated,
    timeoutMs: timeoutSeconds * 1000,
    removeDisks: false,
    ...(sign === undefined ? {} : { signOfLife: wordForWord(sign) }),
  }
  const proof = await retryOnHost(
    async () => {
      await driver.remove(machine.id, { disks: false })
      return proveRecovery(driver, request, signal)
    },
    { signal, retryPolicy },
  )
  await handIn(machine.id, proof, context)
  const { verdict, reason, tookMs } = proof
  return { verdict, reason, tookMs }
}

function wordForWord(text: string): RegExp {
  return new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
}

/** Sends the picture to the server. A verdict without a picture is worth more than none. */
async function handIn(
  id: string,
  { screenshot }: Proof,
  { client, signal, retryPolicy, log }: MachineContext,
) {
  if (screenshot === undefined) return
  if (!isScreenshot(screenshot)) {
    log.warn({ sizeBytes: screenshot.length }, 'ignoring a screenshot that is not a PNG or too large')
    return
  }
  const exchange = {
    method: 'POST',
    path: agentPaths.screenshot(id),
    contentType: 'application/octet-stream',
    body: screenshot,
    replyMaxBytes: shortReplyMaxBytes,
    signal,
  } as const
  try {
    await retryRequest(() => client.exchange(exchange), { signal, retryPolicy, addresses: client.addresses })
  } catch (error) {
    signal.throwIfAborted()
    log.warn({}, `cannot upload the screenshot: ${describe(error)}`)
  }
}
