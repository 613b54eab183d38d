import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { HostDriver } from '../host-driver.ts'

/** A guest that computes every instruction needs seconds to start; on a loaded machine much longer. */
const bootPatienceMs = 180_000

/** What a guest said, by name; see `guest-init.sh`. */
export type GuestWords = Readonly<Record<string, readonly string[]>>

/**
 * Starts a machine and waits until its guest is up. A guest on two processors that are computed has been seen to stand still in its
 * kernel's start for good, on a loaded machine; so one that is silent for too long gets a second chance.
 */
export async function startsUp(driver: HostDriver, id: string): Promise<GuestWords> {
  await driver.start(id)
  try {
    return await hears(driver, id, 'up')
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error
  }
  await driver.stop(id, 0)
  await driver.start(id)
  return hears(driver, id, 'up')
}

/** Waits until the guest has said something of this name. */
export async function hears(
  driver: HostDriver,
  id: string,
  name: string,
  patienceMs = bootPatienceMs,
): Promise<GuestWords> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const words = await heard(driver, id)
    if (words[name] !== undefined) return words
    if (Date.now() > deadline) {
      assert.fail(`the guest never said "${name}", but:\n${await driver.serialOutput(id)}`)
    }
    await delay(250)
  }
}

/** Everything that the guest has said so far. The last line may still be on its way. */
export async function heard(driver: HostDriver, id: string): Promise<GuestWords> {
  const words: Record<string, string[]> = {}
  for (const [, name = '', value = ''] of String(await driver.serialOutput(id)).matchAll(
    /PALISADE (\w+)=([^\r\n]*)\r?\n/g,
  )) {
    words[name] = [...new Set([...(words[name] ?? []), value.trim()])]
  }
  return words
}
