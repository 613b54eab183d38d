import type { TestContext } from 'node:test'
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
