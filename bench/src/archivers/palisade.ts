import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as passing } from 'node:timers/promises'
import { Agent, Backups, type Bucket, provisioned, Server, type TaskRecord } from '@palisade/tests'
import { measurePrograms } from '../measure.ts'
import type { Archiver, OpenArchiver } from './archiver.ts'

/** A late look lengthens the work, and each one costs the server a millisecond of processor time. */
const looksEveryMs = 25

/** A server and an agent, which run before the measured work begins. */
export const palisade: OpenArchiver = (folder) => openPalisade(folder, 'palisade')

/** The same, with its vault in a bucket. */
export function palisadeInBucket(name: string, bucket: Bucket, prefix: string): OpenArchiver {
  return async (folder) => {
    const backup = { ...provisioned.backup, vault: { s3: { ...bucket, prefix } } }
    return openPalisade(folder, name, [], { ...provisioned, backup })
  }
}

/** The same, with an agent that keeps copies and reads only what was changed since. */
export const palisadeTracking: OpenArchiver = (folder) =>
  openPalisade(folder, 'palisade, tracked', ['--track-changes'])

async function openPalisade(
  folder: string,
  name: string,
  agentFlags: readonly string[] = [],
  configuration?: object,
): Promise<Archiver> {
  const server = await Server.start(folder, configuration)
  const agent = await Agent.start(server, folder, agentFlags)
  const backups = await Backups.connect(server)
  const measure = (work: () => Promise<void>) =>
    measurePrograms({ agent: agent.program, server: server.program }, work)
  let revision = 0
  return {
    name,
    repository: join(folder, 'data'),
    backUp: (image) =>
      measure(async () => {
        const { revisionId } = await ended(backups, 'backups', await backups.startBackup(image))
        assert.ok(typeof revisionId === 'number')
        revision = revisionId
      }),
    restores: ['Vhdx', 'Vhd'].map((format) => ({
      name: `palisade, ${format}`,
      into: (target) =>
        measure(async () => {
          await ended(backups, 'restores', await backups.startRestore([revision], target, format))
        }),
    })),
    close: async () => {
      await agent.program.stop()
      await server.program.stop()
    },
  }
}

/** Waits until a task has ended well. */
async function ended(backups: Backups, kind: 'backups' | 'restores', id: string): Promise<TaskRecord> {
  for (;;) {
    const task = await backups.task(kind, id)
    if (task.state === 'SUCCESS') return task
    if (task.state === 'ERROR') throw new Error(`the task failed: ${JSON.stringify(task.error)}`)
    await passing(looksEveryMs)
  }
}
