import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findMachineDisks } from '../disk-layout/machine-disks.ts'
import { storedSizeBytes } from '../disk-layout/stored-extents.ts'
import { HostFailure } from '../hosts/failure.ts'
import { QemuHost } from '../hosts/qemu/qemu-host.ts'
import { bootImages, separatePartitions } from '../hosts/testing/boot-images.ts'
import { heard, hears } from '../hosts/testing/guest-words.ts'
import { directoryWithMachines } from '../hosts/testing/host-under-test.ts'
import { retryPolicy } from '../server/retry-request.ts'
import { enrolledClient } from '../testing/agent/enrolled-client.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { hasTools, run } from '../testing/tool.ts'
import { fetchForReading } from './fetch-for-reading.ts'
import { InstantDisk } from './instant-disk.ts'
import { NbdServer } from './nbd-server.ts'

test('a machine runs before a tenth of its data was read, and goes on when all of it has been copied', {
  timeout: 600_000,
}, async (t) => {
  const images = bootImages(t)
  if (images === undefined) return
  const { directory, driver } = directoryWithMachines(
    t,
    (folder) => new QemuHost({ machinesPath: folder, accelerator: 'tcg' }),
  )
  const agent = await TestAgent.start(t)
  const original = join(directory, 'original.raw')
  copyFileSync(images.separate.bios, original)
  const revisions: number[] = []
  for (const partition of separatePartitions.bios) {
    revisions.push(await agent.server.backUp(`b${partition}`, { path: original, partition }))
  }
  await agent.stop()

  const id = randomUUID()
  const client = await enrolledClient(agent.server)
  t.after(() => client.close())
  const context = { client, retryPolicy, signal: new AbortController().signal }
  const keys = () => agent.server.keys
  const revisionsToRestore = agent.server.machineMessage(id, directory, revisions).revisions
  const [content = assert.fail()] = await findMachineDisks(id, revisionsToRestore, keys, context)
  const disk = new InstantDisk(content, fetchForReading(id, keys, context))
  const path = join(directory, 'disk.vhdx')
  run('qemu-img', 'create', '-q', '-f', 'vhdx', path, String(content.virtualSizeBytes))
  await driver.define({
    id,
    name: 'instant',
    firmware: 'bios',
    cores: 1,
    memoryMebibytes: 512,
    recordSerial: true,
    disks: [{ path, format: 'vhdx' }],
  })
  const socketPath = await driver.originSocketPath(id)
  const server = await NbdServer.listen(socketPath, new Map([['disk0', disk]]), (error) =>
    assert.fail(String(error)),
  )
  t.after(() => server.close())
  await driver.startFrom(id, [{ exportName: 'disk0', sizeBytes: content.virtualSizeBytes }])
  const dataBytes = content.volumes.reduce(
    (sum, { presence, geometry }) => sum + storedSizeBytes(presence, geometry),
    0,
  )
  assert.ok(dataBytes > 60 * 1024 * 1024)
  const firstBytes = await fetchedInSilence(driver, id, disk)
  assert.ok(firstBytes < dataBytes / 10, `${firstBytes} of ${dataBytes} were read at first`)
  const { root } = await hears(driver, id, 'up')
  assert.ok(disk.fetchedBytes < dataBytes / 4, `${disk.fetchedBytes} of ${dataBytes} were read to start`)
  assert.deepEqual(root, ['9a15ade0-0000-4000-8000-00000000ef53'])
  t.diagnostic(`${disk.fetchedBytes} of ${dataBytes} bytes were read when the machine was up`)

  let count = 0
  await driver.moveOver(id, context.signal, (index, { bytesDone, bytesTotal }) => {
    assert.ok(index === 0 && bytesDone <= bytesTotal)
    count++
  })
  assert.ok(count > 0)
  // Nothing is left of where it came from, and the machine does not notice.
  await server.close()
  assert.equal(await driver.state(id), 'running')
  assert.equal(await driver.stop(id, 60_000), 'graceful')
  assert.deepEqual((await heard(driver, id)).shutdown, ['asked'])
  assert.match(run('qemu-img', 'check', '-f', 'vhdx', path), /No errors/)
  // And it starts again, from its own file alone.
  await driver.start(id)
  await hears(driver, id, 'up')
})

test('a machine that ended before its disks were complete is not started from what is there of them', {
  timeout: 120_000,
}, async (t) => {
  if (!hasTools(t, 'qemu-system-x86_64', 'qemu-img')) return
  const { directory, driver } = directoryWithMachines(
    t,
    (folder) => new QemuHost({ machinesPath: folder, accelerator: 'tcg' }),
  )
  const sizeBytes = 4 * 1024 * 1024
  const disk = new InstantDisk({ virtualSizeBytes: sizeBytes, regions: [], volumes: [] }, () => assert.fail())
  const path = join(directory, 'disk.raw')
  run('qemu-img', 'create', '-q', '-f', 'raw', path, String(sizeBytes))
  const id = randomUUID()
  await driver.define({
    id,
    name: 'cut off',
    firmware: 'bios',
    cores: 1,
    memoryMebibytes: 64,
    disks: [{ path, format: 'raw' }],
  })
  const server = await NbdServer.listen(await driver.originSocketPath(id), new Map([['disk0', disk]]))
  t.after(() => server.close())
  await driver.startFrom(id, [{ exportName: 'disk0', sizeBytes }])
  assert.equal(await driver.state(id), 'running')
  await driver.stop(id, 0)
  const unfinished = (error: unknown) =>
    error instanceof HostFailure && error.problem.code === 'machine-unfinished'
  await assert.rejects(driver.start(id), unfinished)
  await driver.remove(id, { disks: true })
  assert.ok(!existsSync(path))
  assert.deepEqual(await driver.list(), [])
})

/** Waits for the first letter on the serial line. @returns what had been read of the disk when there was none yet */
async function fetchedInSilence(driver: QemuHost, id: string, disk: InstantDisk): Promise<number> {
  const deadline = Date.now() + 240_000
  for (;;) {
    const { fetchedBytes } = disk
    if ((await driver.serialOutput(id)).length > 0) return fetchedBytes
    assert.ok(Date.now() < deadline, 'the machine says nothing')
    await delay(20)
  }
}
