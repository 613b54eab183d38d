import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameError, readFrames } from './frame-reader.ts'
import { downloadHeader, sealedSizeMaxBytes, uploadHeader } from './frames.ts'

async function* inPiecesOf(sizes: readonly number[], bytes: Buffer) {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

test('frames come out as they went in, however the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
      async (chunks, sizes) => {
        const frames = chunks.map((chunk, index) => ({
          index,
          id: randomBytes(32),
          sealed: Buffer.from(chunk),
        }))
        const bytes = Buffer.concat(
          frames.flatMap(({ index, id, sealed }) => [downloadHeader(index, id, sealed.length), sealed]),
        )
        const read = []
        for await (const frame of readFrames(inPiecesOf(sizes, bytes), 'download')) read.push(frame)
        assert.deepEqual(read, frames)
      },
    ),
  )
})

test('refuses a stream that ends inside a chunk', async () => {
  const bytes = Buffer.concat([uploadHeader(randomBytes(32), 10), randomBytes(9)])
  await assert.rejects(Array.fromAsync(readFrames(inPiecesOf([4], bytes), 'upload')), FrameError)
})

test('refuses a chunk that is larger than any can be, before it arrives', async () => {
  const bytes = uploadHeader(randomBytes(32), sealedSizeMaxBytes + 1)
  await assert.rejects(Array.fromAsync(readFrames(inPiecesOf([64], bytes), 'upload')), FrameError)
})
