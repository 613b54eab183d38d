import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { systemCode } from '@palisade/private-files'

/** Whether the process is the QEMU of this machine: process ids are given again to others. */
export async function isQemuOf(pid: number, machineId: string): Promise<boolean> {
  try {
    const parameters = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    return parameters.includes(`palisade-${machineId}`) && parameters.includes('-uuid')
  } catch {
    // It is gone, or going: a process that ends has no command line.
    return false
  }
}

/** Every process that is or becomes the QEMU of this machine, whether it has written its pid file or not. */
export async function findQemuOf(machineId: string): Promise<readonly number[]> {
  const pids: number[] = []
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isQemuOf(Number(name), machineId))) pids.push(Number(name))
  }
  return pids
}

/**
 * Waits for a QEMU of this machine to end by itself.
 *
 * @returns whether it did in time
 * @throws the signal's reason
 */
export async function endsWithin(
  withinMs: number,
  pid: number,
  machineId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (await isQemuOf(pid, machineId)) {
    if (Date.now() >= deadline) return false
    await delay(50, undefined, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw error
    })
  }
  return true
}

/** Ends every QEMU of this machine at once, as a power cut would, and waits until they are gone. */
export async function killQemuOf(machineId: string, deadlineMs = 10_000): Promise<void> {
  const deadline = Date.now() + deadlineMs
  for (;;) {
    const pids = await findQemuOf(machineId)
    if (pids.length === 0) return
    if (Date.now() > deadline) throw new Error(`QEMU (process ${pids.join(', ')}) does not end`)
    for (const pid of pids) signalKill(pid)
    await delay(50)
  }
}

function signalKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error
  }
}
