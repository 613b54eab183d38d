import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type ByteSource, bufferSource } from '../byte-source.ts'
import type { DiskPlan } from '../disk/disk-plan.ts'
import { MIB } from '../extent.ts'
import { planDisk } from '../plan/plan-disk.ts'
import { openDisk } from '../read/open-disk.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { streamDisk } from './stream-disk.ts'

const SIZE_BYTES = 21 * MIB + 512

function plans(blockSizeBytes?: number): DiskPlan[] {
  const data = [{ offsetBytes: 5 * MIB, sizeBytes: 10 * MIB }]
  const size = { virtualSizeBytes: SIZE_BYTES, data }
  const large = blockSizeBytes === undefined ? {} : { blockSizeBytes }
  return [
    planDisk({ ...size, format: 'vhd', allocation: 'dynamic' }),
    planDisk({ ...size, format: 'vhd', allocation: 'fixed' }),
    planDisk({ ...size, ...large, format: 'vhdx', allocation: 'dynamic' }),
    planDisk({ ...size, ...large, format: 'vhdx', allocation: 'fixed' }),
  ]
}

/** Ones between zeros. */
const bytes = Buffer.alloc(SIZE_BYTES).fill(1, 4 * MIB, 16 * MIB)

/** Answers late, so that reads overlap, and counts them. */
function countingContent(): ByteSource & { underway: number; underwayMax: number } {
  const content = {
    sizeBytes: SIZE_BYTES,
    underway: 0,
    underwayMax: 0,
    async read(target: Uint8Array, position: number) {
      content.underway++
      content.underwayMax = Math.max(content.underwayMax, content.underway)
      await setImmediate()
      target.set(bytes.subarray(position, position + target.byteLength))
      content.underway--
    },
  }
  return content
}

test('gives the whole file in order, in pieces of at most 2 MiB, reading no further ahead than told', async () => {
  let ran = 0
  for (const plan of plans(32 * MIB)) {
    const content = countingContent()
    const pieces: Buffer[] = []
    const sink = (piece: Uint8Array): void => {
      assert.ok(piece.byteLength > 0 && piece.byteLength <= 2 * MIB)
      pieces.push(Buffer.from(piece))
    }
    await streamDisk(plan, content, sink, { piecesAhead: 3 })
    const file = Buffer.concat(pieces)
    assert.equal(file.byteLength, plan.fileSizeBytes)
    assert.ok(content.underwayMax > 1 && content.underwayMax <= 4, `${content.underwayMax}`)
    await assertSameContent(await openDisk(bufferSource(file)), content)
    ran++
  }
  assert.equal(ran, 4)
})

test('changes no piece while the sink has it', async () => {
  for (const plan of plans()) {
    await streamDisk(plan, countingContent(), async (piece) => {
      const before = Buffer.from(piece)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
      assert.ok(before.equals(piece))
    })
  }
})

test('passes on the failure of sink or content and leaves no read underway', async () => {
  let ran = 0
  for (const plan of plans()) {
    const content = countingContent()
    let position = 0
    const sink = async (piece: Uint8Array): Promise<void> => {
      position += piece.byteLength
      if (position > 3 * MIB) throw new Error('the share is full')
    }
    await assert.rejects(streamDisk(plan, content, sink, { piecesAhead: 4 }), /the share is full/)
    assert.equal(content.underway, 0)

    const broken = { sizeBytes: SIZE_BYTES, read: () => Promise.reject(new Error('the vault went away')) }
    await assert.rejects(
      streamDisk(plan, broken, () => {}),
      /the vault went away/,
    )
    ran++
  }
  assert.equal(ran, 4)
})

test('stops when told to', async () => {
  for (const plan of plans()) {
    const controller = new AbortController()
    const content = countingContent()
    let calls = 0
    const sink = (): void => {
      calls++
      controller.abort(new Error('cancelled'))
    }
    await assert.rejects(streamDisk(plan, content, sink, { signal: controller.signal }), /cancelled/)
    assert.equal(calls, 1)
    assert.equal(content.underway, 0)
  }
})
