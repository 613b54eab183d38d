import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import type { HostDriver } from '../host-driver.ts'
import type { MachineDiskFormat } from '../machine.ts'

/** A host with nothing of ours on it, for one test. */
export interface HostUnderTest {
  readonly driver: HostDriver
  /** Another driver of the same host, as the next run of the agent would have. */
  again(): HostDriver
  /** A folder where the host can use disks; it goes when the test ends. */
  readonly directory: string
  /** A switch that machines can be plugged into. */
  readonly switchId: string
  /** The format that empty disks are said to have; raw unless given. */
  readonly diskFormat?: MachineDiskFormat
}

/** Makes a host for a test and takes all of it away when the test ends; skips the test, saying why, where it cannot. */
export type CreateHost = (t: TestContext) => Promise<HostUnderTest | undefined>

/**
 * A folder for a test whose machines are removed before the folder is: hooks run in the order in which they were
 * registered, and a host that lost its folder would not find its machines any more.
 *
 * @param driverOf makes a driver of the host in this folder; asked once, now
 */
export function directoryWithMachines<Driver extends HostDriver>(
  t: TestContext,
  driverOf: (directory: string) => Driver,
): { readonly directory: string; readonly driver: Driver } {
  let driver: Driver | undefined
  t.after(async () => {
    for (const { id } of (await driver?.list()) ?? []) await driver?.remove(id, { disks: false })
  })
  const directory = temporaryDirectory(t)
  driver = driverOf(directory)
  return { directory, driver }
}
