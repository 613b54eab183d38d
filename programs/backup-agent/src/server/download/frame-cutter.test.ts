import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { downloadHeader, FrameError } from '@palisade/agent-protocol/wire'
import fc from 'fast-check'
import { FrameCutter } from './frame-cutter.ts'

const sealedSizeMaxBytes = 60

test('frames come out as they went in, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: sealedSizeMaxBytes }), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 4 }),
      (chunks, sizes) => {
        const frames = chunks.map((chunk, index) => ({
          index,
          id: randomBytes(32),
          sealed: Buffer.from(chunk),
        }))
        const bytes = Buffer.concat(
          frames.flatMap(({ index, id, sealed }) => [downloadHeader(index, id, sealed.length), sealed]),
        )
        const read: typeof frames = []
        const cutter = new FrameCutter(Buffer.alloc(sealedSizeMaxBytes), ({ index, id, sealed }) =>
          read.push({ index, id: Buffer.from(id), sealed: Buffer.from(sealed) }),
        )
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          cutter.push(bytes.subarray(at, at + size))
          at += size
        }
        cutter.end()
        assert.deepEqual(read, frames)
      },
    ),
  )
})

test('refuses a chunk that is too large before it arrives, and a stream that ends inside one', () => {
  const cutter = new FrameCutter(Buffer.alloc(10), () => assert.fail('no frame is complete'))
  assert.throws(() => cutter.push(downloadHeader(0, randomBytes(32), 11).subarray(0)), FrameError)
  for (const cut of [5, 45]) {
    const ended = new FrameCutter(Buffer.alloc(10), () => assert.fail('no frame is complete'))
    ended.push(Buffer.concat([downloadHeader(0, randomBytes(32), 10), Buffer.alloc(10)]).subarray(0, cut))
    assert.throws(() => ended.end(), FrameError)
  }
})
