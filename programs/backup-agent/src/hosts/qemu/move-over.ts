/**
 * Moves a running machine from a disk that is read over a socket to a file of its own, without its noticing:
 *
 *     blockdev-mirror ──> both are the same ──> job-complete ──> the machine uses the target
 *
 * (QEMU's documentation, "Live Block Device Operations")
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isRecord } from '../../json.ts'
import type { CopyProgress } from '../instant-host.ts'
import { nodeOf, ownNodeOf } from './command-line.ts'
import { type QmpPlace, qmp } from './qmp.ts'

const lookEveryMs = 200

/**
 * Copies one disk behind the running machine into its own file, which QEMU has open since it was started, and lets the machine use that.
 *
 * @throws an error when the copy fails or the machine ends in between; the machine then still uses the origin
 */
export async function moveDiskOver(
  place: QmpPlace,
  index: number,
  onProgress: (progress: CopyProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const job = `move${index}`
  try {
    const mirror = { 'job-id': job, device: nodeOf(index), target: ownNodeOf(index), sync: 'full' }
    await qmp(place, { execute: 'blockdev-mirror', arguments: mirror })
    await untilReady(place, job, onProgress, signal)
    await qmp(place, { execute: 'job-complete', arguments: { id: job } })
    while ((await jobOf(place, job)) !== undefined) await delay(lookEveryMs, undefined, { signal })
  } catch (error) {
    await qmp(place, { execute: 'job-cancel', arguments: { id: job } }).catch(() => undefined)
    throw error
  }
  await qmp(place, { execute: 'blockdev-del', arguments: { 'node-name': nodeOf(index) } })
}

async function untilReady(
  place: QmpPlace,
  job: string,
  onProgress: (progress: CopyProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const state = await jobOf(place, job)
    if (state === undefined) throw new Error('QEMU gave up copying the disk; the log of the host may say why')
    onProgress({ bytesDone: Number(state.offset), bytesTotal: Number(state.len) })
    if (state.ready === true) return
    await delay(lookEveryMs, undefined, { signal })
  }
}

async function jobOf(place: QmpPlace, job: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const jobs = await qmp(place, { execute: 'query-block-jobs' })
  return Array.isArray(jobs) ? jobs.filter(isRecord).find(({ device }) => device === job) : undefined
}
