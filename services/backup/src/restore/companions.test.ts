import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DiskPlacement, VolumeDescription } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'

const content = someContent()
const mebibyte = 1024 * 1024

/** Where a partition of that number is on the computer's only disk, each behind the one before. */
function placement(number: number, diskId = 'DISK-1'): DiskPlacement {
  return {
    disk: { id: diskId, sizeBytes: 1024 * mebibyte, sectorSizeBytes: 512 },
    number,
    offsetBytes: number * 16 * mebibyte,
    uniqueId: `${diskId}-${number}`,
    name: '',
    attributes: '0',
    isActive: false,
  }
}

const disk = { diskId: '/dev/sda', firmware: 'uefi', isBoot: true } as const
const efi = { ...disk, isSystem: true, deviceId: 'efi', placement: placement(1) }
const boot = { ...disk, isSystem: true, deviceId: 'boot', placement: placement(2) }
const root = { ...disk, isSystem: false, deviceId: 'root', placement: placement(3) }

onEveryStore('with a boot volume', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  })
  after(async () => {
    await agent.disconnect()
    await service.close()
  })

  const backUp = async (volume: Partial<VolumeDescription>, createdAtMs = 0): Promise<number> => {
    const { json } = await service.computer('POST', '/backups', { source: { path: '/dev/sda' } })
    return agent.backUp(json.data.id, content, volume, { createdAtMs })
  }
  /** What the agent is told to restore when this is asked for. */
  const restored = async (...revisions: number[]): Promise<number[]> => {
    const body = { destination: { path: '/x' }, diskFormat: 'Vhdx', revisions }
    const reply = await service.restoreDisks(body)
    assert.equal(reply.status, 204, reply.text)
    const message = await agent.heard('start-restore')
    await agent.finish('restore', message.id, { state: 'CANCELED' })
    return message.revisions.map(({ revisionId }) => revisionId).sort((one, other) => one - other)
  }

  test('every system volume of its disk comes along: the EFI system partition, and /boot', async () => {
    const first = [await backUp(efi), await backUp(boot), await backUp(root)] as const
    const second = [await backUp(efi), await backUp(boot), await backUp(root)] as const
    assert.deepEqual(await restored(second[2]), [...second])
    assert.deepEqual(await restored(second[2], first[0]), [first[0], second[1], second[2]])
  })

  test('but none whose place something else has by now, or of a disk that was there before', async () => {
    await backUp({ ...efi, deviceId: 'efi of the system before', placement: placement(2) })
    await backUp({ ...efi, deviceId: 'efi of the disk before', placement: placement(4, 'DISK-0') })
    const now = [await backUp(efi), await backUp(boot), await backUp(root)] as const
    assert.deepEqual(await restored(now[2]), [...now])
  })

  test('of what was not backed up in one run, the revisions that were made at the same time', async () => {
    // As a set does it: first what was chosen, then what comes along. Who adopts a vault knows of no runs.
    const nightOf = async (day: number) => {
      const at = Date.UTC(2030, 5, day, 23)
      return [
        await backUp(root, at),
        await backUp(efi, at + 60_000),
        await backUp(boot, at + 120_000),
      ] as const
    }
    const nights = [await nightOf(1), await nightOf(2), await nightOf(3)] as const
    for (const night of nights) assert.deepEqual(await restored(night[0]), [...night])
  })
})
