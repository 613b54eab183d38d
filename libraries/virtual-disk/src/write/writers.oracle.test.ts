import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Allocation, DiskFormat } from '../disk/disk-plan.ts'
import { type Extent, KIB, MIB } from '../extent.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { type SparseContent, sparseContent } from '../testing/sparse-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writers } from '../testing/write-disk.ts'

const GIB = 1024 * MIB

interface Case {
  readonly title: string
  readonly format: DiskFormat
  readonly allocation: Allocation
  readonly virtualSizeBytes: number
  readonly data: readonly Extent[]
  readonly blockSizeBytes?: number
  /** All of them unless given. */
  readonly ways?: readonly (keyof typeof writers)[]
}

const allWays = ['inOrder', 'outOfOrder', 'asStream'] as const

const both: readonly DiskFormat[] = ['vhd', 'vhdx']
const shapes: readonly (readonly [DiskFormat, Allocation])[] = [
  ...both.map((format) => [format, 'dynamic'] as const),
  ...both.map((format) => [format, 'fixed'] as const),
]

/** Data at the very front, across a block's edge and at the very end. */
function scattered(virtualSizeBytes: number): Extent[] {
  const middle = Math.floor(virtualSizeBytes / 4 / MIB) * 2 * MIB
  return [
    { offsetBytes: 0, sizeBytes: 512 },
    { offsetBytes: middle + 5 * KIB, sizeBytes: Math.min(3 * MIB, virtualSizeBytes - middle - 6 * KIB) },
    { offsetBytes: virtualSizeBytes - 512, sizeBytes: 512 },
  ]
}

const cases: readonly Case[] = [
  ...shapes.flatMap(([format, allocation]) =>
    [3 * MIB + 512, 2 * MIB, 9 * MIB].map((virtualSizeBytes) => ({
      title: `${allocation} ${format} of ${virtualSizeBytes} bytes`,
      format,
      allocation,
      virtualSizeBytes,
      data:
        virtualSizeBytes > 2 * MIB ? scattered(virtualSizeBytes) : [{ offsetBytes: 4096, sizeBytes: MIB }],
    })),
  ),
  ...both.map((format) => ({
    title: `${format} of 9 GiB, blocks on both sides of the first sector bitmap`,
    format,
    allocation: 'dynamic' as const,
    virtualSizeBytes: 9 * GIB,
    data: [2047, 2048, 2049, 4607].map((block) => ({ offsetBytes: block * 2 * MIB, sizeBytes: 2 * MIB })),
  })),
  ...[1, 8].map((blockMib) => ({
    title: `vhdx with blocks of ${blockMib} MiB`,
    format: 'vhdx' as const,
    allocation: 'dynamic' as const,
    virtualSizeBytes: 60 * MIB + 4096,
    data: [{ offsetBytes: 31 * MIB, sizeBytes: 2 * MIB }],
    blockSizeBytes: blockMib * MIB,
  })),
  {
    title: 'vhdx with blocks of 256 MiB',
    format: 'vhdx',
    allocation: 'dynamic',
    virtualSizeBytes: 300 * MIB,
    data: [{ offsetBytes: 31 * MIB, sizeBytes: 2 * MIB }],
    blockSizeBytes: 256 * MIB,
    // A stream has no holes: it would move 256 MiB to show what 8 MiB show as well.
    ways: ['inOrder'],
  },
  {
    title: 'vhd with blocks of 512 KiB',
    format: 'vhd',
    allocation: 'dynamic',
    virtualSizeBytes: 20 * MIB,
    data: scattered(20 * MIB),
    blockSizeBytes: 512 * KIB,
  },
  ...both.map((format) => ({
    title: `empty ${format}`,
    format,
    allocation: 'dynamic' as const,
    virtualSizeBytes: 40 * MIB,
    data: [],
  })),
]

const qemuFormat = { vhd: 'vpc', vhdx: 'vhdx' } as const

for (const disk of cases) {
  test(`QEMU reads what we wrote, written in any way: ${disk.title}`, async (t) => {
    if (!hasOracle(t, 'qemu-img')) return
    const directory = await temporaryDirectory(t)
    const content = await sparseContent(t, directory, disk.virtualSizeBytes, disk.data)
    const plan = planDisk(disk)
    const ways = disk.ways ?? allWays
    let ran = 0
    for (const name of ways) {
      const path = join(directory, `${name}.${disk.format}`)
      await writers[name](path, plan, content)
      assert.equal((await stat(path)).size, plan.fileSizeBytes)
      const format = qemuFormat[disk.format]
      const info: unknown = JSON.parse(
        askOracle('qemu-img', 'info', '--output=json', '-f', format, path).text,
      )
      assert.partialDeepStrictEqual(info, { 'virtual-size': disk.virtualSizeBytes })
      const verdict =
        disk.virtualSizeBytes > GIB ? compareData(format, content, path) : compareAll(format, content, path)
      assert.equal(verdict, '', name)
      if (disk.format === 'vhdx') assert.equal(askOracle('qemu-img', 'check', '-f', 'vhdx', path).status, 0)
      ran++
    }
    assert.equal(ran, ways.length)
    const [first, ...others] = ways.map((name) => join(directory, `${name}.${disk.format}`))
    for (const other of others) assert.equal(askOracle('cmp', first ?? '', other).text, '')
  })
}

test('7-Zip finds every disk of ours sound', async (t) => {
  if (!hasOracle(t, '7z')) return
  const directory = await temporaryDirectory(t)
  // It reads disks whole, and refuses a VHDX whose size is no multiple of 4096, which the format allows.
  const suitable = cases.filter(({ virtualSizeBytes, format }) => {
    return virtualSizeBytes < GIB && (format === 'vhd' || virtualSizeBytes % 4096 === 0)
  })
  let ran = 0
  for (const disk of suitable) {
    const content = await sparseContent(t, directory, disk.virtualSizeBytes, disk.data)
    const path = join(directory, `${ran}.${disk.format}`)
    await writers.inOrder(path, planDisk(disk), content)
    const verdict = askOracle('7z', 't', `-t${disk.format}`, path)
    assert.match(verdict.text, /Everything is Ok/, disk.title)
    ran++
  }
  assert.ok(ran > 10)
})

test('QEMU accepts a VHD of exactly 2040 GiB, and its last bytes', async (t) => {
  if (!hasOracle(t, 'qemu-img')) return
  const directory = await temporaryDirectory(t)
  const virtualSizeBytes = 2040 * GIB
  const last = { offsetBytes: virtualSizeBytes - MIB, sizeBytes: MIB }
  const content = await sparseContent(t, directory, virtualSizeBytes, [last])
  const plan = planDisk({ format: 'vhd', allocation: 'dynamic', virtualSizeBytes, data: content.data })
  const path = join(directory, 'largest.vhd')
  await writers.inOrder(path, plan, content)
  assert.match(
    askOracle('qemu-img', 'info', '-f', 'vpc', path).text,
    /virtual size: 1.99 TiB \(2190433320960 bytes\)/,
  )
  assert.equal(compareData('vpc', content, path), '')
})

/** The first difference between the disk and its content, or nothing. */
function compareAll(format: string, content: SparseContent, path: string): string {
  const { status, text } = askOracle('qemu-img', 'compare', '-f', 'raw', '-F', format, content.path, path)
  return status === 0 ? '' : text
}

/**
 * The same for the places that hold data and 1 MiB around them; QEMU would read all zeros of a large disk.
 * Its `count` counts the skipped blocks as well.
 */
function compareData(format: string, content: SparseContent, path: string): string {
  const copy = `${path}.copy`
  const differences = content.data.map(({ offsetBytes, sizeBytes }) => {
    const skip = Math.max(0, Math.floor(offsetBytes / MIB) - 1)
    const end = Math.min(Math.ceil((offsetBytes + sizeBytes) / MIB) + 1, content.source.sizeBytes / MIB)
    const from = [`if=${path}`, `of=${copy}`, 'bs=1M', `skip=${skip}`, `count=${end}`]
    const { status, text } = askOracle('qemu-img', 'dd', '-f', format, '-O', 'raw', ...from)
    if (status !== 0) return text
    const sizeBytesSeen = String((end - skip) * MIB)
    return askOracle('cmp', '-n', sizeBytesSeen, '-i', `${skip * MIB}:0`, content.path, copy).text
  })
  return differences.length > 0 ? differences.join('') : 'there was nothing to compare'
}
