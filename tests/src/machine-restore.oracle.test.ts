import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Guest, guestDisks } from './support/backup/guests.ts'
import { tool } from './support/backup/images.ts'
import { MachineHost } from './support/backup/machine-host.ts'
import { cleanUp } from './support/programs/server.ts'

after(cleanUp)

const disks = guestDisks()
const timeout = 600_000
const validations = '/restore/diskimage/standard/vm/validate'

/** Every machine of these tests is a real one, in a real QEMU that computes every instruction. */
describe('a dead machine runs again', { skip: 'why' in disks && disks.why }, () => {
  const host = new MachineHost()
  const { folder, machines } = host
  before(() => host.start(['--switch', `multicast:239.80.65.78:${20_000 + (process.pid % 40_000)}`]))
  after(() => host.stop())

  const call = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
    const reply = await host.backups.call(method, path, body)
    const text = await reply.text()
    assert.ok(reply.ok, `${path}: ${reply.status} ${text}`)
    return (text === '' ? reply.headers.get('x-restore-id') : JSON.parse(text)) as Reply
  }

  /** The session, host and settings that an operator would choose by. */
  const chooseHost = async () => {
    const { sessionId } = await call<{ sessionId: string }>('POST', '/restore/hyperv/session')
    const { identifier, hostName, hostUnsupported } = await call<{
      identifier: { id: number }
      hostName: string
      hostUnsupported: boolean
    }>('POST', '/restore/hyperv/host/register/local', { sessionId })
    assert.deepEqual([hostName, hostUnsupported], ['hv01', false])
    const host = { id: identifier.id, sessionId }
    const capabilities = await call<object>('POST', '/restore/hyperv/host/capabilities', host)
    assert.deepEqual(capabilities, {
      supportsVmGenerations: true,
      supportsVmDynamicMemory: false,
      supportsVhdxFormat: true,
    })
    const { virtualDisksPath, virtualSwitches } = await call<{
      virtualDisksPath: string
      virtualSwitches: { id: string }[]
    }>('POST', '/restore/hyperv/host/settings', host)
    return { hostId: identifier.id, sessionId, virtualDisksPath, switchId: virtualSwitches[0]?.id }
  }

  interface Ended {
    readonly state: string
    readonly files: readonly string[]
    readonly machine: { readonly id: string; readonly state: string }
  }

  /** Restores, and waits for the end. */
  const restore = async (body: object): Promise<Ended> => {
    const id = await call<string>('POST', '/restore/diskimage/standard/vm', body)
    const ended = (await host.backups.ended('restores', id, 240_000)) as unknown as Ended
    assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
    assert.equal(ended.machine.id, id)
    return ended
  }

  /** The revisions of a disk's volumes, each backed up by itself. */
  const backUp = async (firmware: 'bios' | 'uefi', partitions: readonly number[]) => {
    assert.ok(!('why' in disks))
    const image = join(folder, `${firmware}.raw`)
    copyFileSync(disks[firmware], image)
    const revisions: number[] = []
    for (const partition of partitions) revisions.push(await host.backups.backUp(image, partition))
    rmSync(image)
    return revisions
  }

  for (const [firmware, diskFormat, partitions, recoveryType] of [
    ['bios', 'Vhd', [1, 5], 'TestRecovery'],
    ['uefi', 'Vhdx', [1, 2], 'ProductionRecovery'],
  ] as const) {
    test(`a ${firmware} machine, from volumes that were backed up one by one, as ${diskFormat}`, {
      timeout,
    }, async () => {
      const { hostId, sessionId, virtualDisksPath, switchId } = await chooseHost()
      const all = await backUp(firmware, partitions)
      // The EFI system partition comes along by itself.
      const revisions = firmware === 'uefi' ? all.slice(1) : all
      const diskLocation = { path: join(virtualDisksPath, firmware) }
      const firmwareType = firmware === 'uefi' ? 'Uefi' : 'Bios'
      const size = { cores: Math.min(2, availableParallelism()), memory: 640 }
      await call('POST', `${validations}/path`, { diskLocation })
      await call('POST', `${validations}/agent`, { diskLocation })
      await call('POST', `${validations}/network`, { diskLocation, diskFormat })
      await call('POST', `${validations}/host/sourcemachine`, { firmwareType, revisions })
      await call('POST', `${validations}/host/capabilities`, { hostId, sessionId, firmwareType, revisions })
      await call('POST', `${validations}/host/permissions`, { hostId, diskLocation })
      await call('POST', `${validations}/host/server`, { hostId, sessionId, hostProperties: size })
      const isProduction = recoveryType === 'ProductionRecovery'
      const hostProperties = {
        name: `again-${firmware}`,
        ...size,
        ...(isProduction ? { virtualSwitchId: switchId } : {}),
      }
      const { files, machine } = await restore({
        sessionId,
        hostId,
        recoveryType,
        diskLocation,
        diskFormat,
        firmwareType,
        hostProperties,
        revisions,
        start: true,
      })
      assert.equal(machine.state, 'STARTED')
      assert.deepEqual(
        readdirSync(diskLocation.path).map((name) => join(diskLocation.path, name)),
        [...files],
      )
      assert.equal(files.length, 1, 'both volumes are on the disk that they were on')
      assert.match(
        tool('qemu-img', 'info', '-U', files[0] ?? ''),
        diskFormat === 'Vhd' ? /format: vpc/ : /format: vhdx/,
      )
      const guest = new Guest(join(machines, machine.id))
      const { id, cores, memory, cards, firmware: started } = await guest.startAndHear()
      assert.deepEqual([id, cores, started], [machine.id, String(size.cores), firmware])
      assert.ok(Number(memory) > 500 && Number(memory) <= 640, memory)
      assert.equal(cards, isProduction ? 'eth0' : '', 'a test recovery has no network card at all')
      await call('DELETE', `/restores/${machine.id}/machine`)
      assert.deepEqual(readdirSync(diskLocation.path), [])
      assert.ok(!existsSync(join(machines, machine.id)))
    })
  }

  test('a host and a folder that do not fit are refused in the words of the reference', {
    timeout,
  }, async () => {
    const { hostId, sessionId } = await chooseHost()
    const [revision] = (
      await call<{ Id: number }[]>('GET', '/restore/diskimage/standard/browse/volumes')
    ).map(({ Id }) => Id)
    const path = join(folder, 'file')
    writeFileSync(path, '')
    const reply = await host.backups.call('POST', '/restore/diskimage/standard/vm', {
      sessionId,
      hostId,
      recoveryType: 'ProductionRecovery',
      diskFormat: 'Vhdx',
      firmwareType: 'Bios',
      diskLocation: { path: join(path, 'below-a-file') },
      hostProperties: { name: 'again-bios', cores: 4096, memory: 2 ** 30, virtualSwitchId: 'none' },
      revisions: [revision],
    })
    assert.equal(reply.status, 400)
    const { errors } = (await reply.json()) as { errors: string[] }
    const texts = [
      /^Could not create item\.$/,
      /^The source machine's original Memory configuration exceeds the available RAM resources on the target machine\. Maximum value is \d+, provided value was 1073741824$/,
      /^The source machine's original CPU Cores configuration exceeds the available CPU resources on the target machine\. Maximum value is \d+, provided value was 4096$/,
      /^\[hostproperties\]\[virtualswitchid\] is invalid: the host has no such switch$/,
      /^CreateFolderFailed$/,
    ]
    assert.equal(errors.length, texts.length, JSON.stringify(errors))
    for (const [index, text] of texts.entries()) assert.match(errors[index] ?? '', text)
    assert.deepEqual(readdirSync(machines), ['disks'], 'no machine was made')
  })
})
