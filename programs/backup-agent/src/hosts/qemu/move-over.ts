/**
 * Moves a running machine from a disk that is read over a socket to a file of its own, without its noticing:
 *
 *     blockdev-add target ──> blockdev-mirror ──> both are the same ──> job-complete ──> the machine uses the target
 *
 * (QEMU's documentation, "Live Block Device Operations")
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isRecord } from '../../json.ts'
import type { CopyProgress } from '../instant-host.ts'
import type { MachineDisk } from '../machine.ts'
import { diskNode, nodeOf } from './command-line.ts'
import { qmp } from './qmp.ts'

const lookEveryMs = 200

/**
 * Copies one disk behind the running machine, and lets the machine use the copy.
 *
 * @param target a disk file as large as the disk, whose content does not matter
 * @throws an error when the copy fails or the machine ends in between; the machine then still uses the origin
 */
export async function moveDiskOver(
  socketPath: string,
  index: number,
  target: MachineDisk,
  onProgress: (progress: CopyProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const [job, node] = [`move${index}`, `own${index}`]
  await qmp(socketPath, { execute: 'blockdev-add', arguments: diskNode(target, node) })
  try {
    const mirror = { 'job-id': job, device: nodeOf(index), target: node, sync: 'full' }
    await qmp(socketPath, { execute: 'blockdev-mirror', arguments: mirror })
    await untilReady(socketPath, job, onProgress, signal)
    await qmp(socketPath, { execute: 'job-complete', arguments: { id: job } })
    while ((await jobOf(socketPath, job)) !== undefined) await delay(lookEveryMs, undefined, { signal })
  } catch (error) {
    await qmp(socketPath, { execute: 'job-cancel', arguments: { id: job } }).catch(() => undefined)
    throw error
  }
  await qmp(socketPath, { execute: 'blockdev-del', arguments: { 'node-name': nodeOf(index) } })
}

async function untilReady(
  socketPath: string,
  job: string,
  onProgress: (progress: CopyProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const found = await jobOf(socketPath, job)
    if (found === undefined) throw new Error('QEMU gave up copying the disk; the log of the host may say why')
    onProgress({ bytesDone: Number(found.offset), bytesTotal: Number(found.len) })
    if (found.ready === true) return
    await delay(lookEveryMs, undefined, { signal })
  }
}

async function jobOf(
  socketPath: string,
  job: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const jobs = await qmp(socketPath, { execute: 'query-block-jobs' })
  return Array.isArray(jobs) ? jobs.filter(isRecord).find(({ device }) => device === job) : undefined
}
