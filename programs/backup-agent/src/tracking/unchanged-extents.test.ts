import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ExtentMap, extentFlags, type MappedExtent } from '../system-calls/extent-map.ts'
import { sameIn, unchangedExtents } from './unchanged-extents.ts'

const blockSizeBytes = 4096
const blocksMax = 40

/** A block on the disk of a model. Who has one with others gets another one before he writes. */
interface Block {
  readonly place: number
  content: number
  owners: number
}

type ModelFile = (Block | undefined)[]

/** A file system that shares blocks, as small as can be: its places are given away again as soon as they are free. */
class ModelDisk {
  readonly #used = new Set<number>()
  #lastContent = 0

  clone(file: ModelFile): ModelFile {
    return file.map((block) => this.#share(block))
  }

  /** New content, in a new place where the block is shared and in its own where it is not. */
  write(file: ModelFile, at: number): void {
    const content = ++this.#lastContent
    const block = file[at]
    if (block?.owners === 1) block.content = content
    else this.#put(file, at, this.#allocate(content))
  }

  punch(file: ModelFile, at: number): void {
    this.#put(file, at, undefined)
  }

  /** The same content in another place, as defragmentation leaves it. */
  move(file: ModelFile, at: number): void {
    const block = file[at]
    if (block !== undefined) this.#put(file, at, this.#allocate(block.content))
  }

  /** A block of the file in a second place of it. */
  reflink(file: ModelFile, from: number, to: number): void {
    this.#put(file, to, this.#share(file[from]))
  }

  resize(file: ModelFile, blocks: number): void {
    for (let at = blocks; at < file.length; at++) this.punch(file, at)
    const before = file.length
    file.length = blocks
    if (blocks > before) file.fill(undefined, before)
  }

  #put(file: ModelFile, at: number, block: Block | undefined): void {
    if (at >= file.length) return void this.#release(block)
    this.#release(file[at])
    file[at] = block
  }

  #share(block: Block | undefined): Block | undefined {
    if (block !== undefined) block.owners++
    return block
  }

  #release(block: Block | undefined): void {
    if (block === undefined) return
    block.owners--
    if (block.owners === 0) this.#used.delete(block.place)
  }

  #allocate(content: number): Block {
    let place = 0
    while (this.#used.has(place)) place++
    this.#used.add(place)
    return { place, content, owners: 1 }
  }
}

/** The map of a file of the model, in portions of some extents, as the system tells it. */
function mapOf(file: ModelFile, portionExtents: number): ExtentMap {
  const all: MappedExtent[] = []
  for (const [index, block] of file.entries()) {
    if (block === undefined) continue
    const extent = {
      offsetBytes: index * blockSizeBytes,
      placeBytes: block.place * blockSizeBytes,
      sizeBytes: blockSizeBytes,
      flags: block.owners > 1 ? extentFlags.shared : 0,
    }
    const before = all.at(-1)
    const goesOn =
      before !== undefined &&
      before.flags === extent.flags &&
      before.offsetBytes + before.sizeBytes === extent.offsetBytes &&
      before.placeBytes + before.sizeBytes === extent.placeBytes
    if (goesOn) all[all.length - 1] = { ...before, sizeBytes: before.sizeBytes + blockSizeBytes }
    else all.push(extent)
  }
  return {
    read: (from, to) => {
      const inside = all.filter(
        ({ offsetBytes, sizeBytes }) => offsetBytes < to && offsetBytes + sizeBytes > from,
      )
      const extents = inside.slice(0, portionExtents)
      const last = extents.at(-1)
      const isCut = inside.length > extents.length && last !== undefined
      return { extents, knownTo: isCut ? Math.min(to, last.offsetBytes + last.sizeBytes) : to }
    },
  }
}

const blockNumber = fc.nat(blocksMax - 1)
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('write', 'punch', 'move' as const), at: blockNumber }),
    fc.record({ kind: fc.constant('reflink' as const), from: blockNumber, at: blockNumber }),
    fc.record({ kind: fc.constant('resize' as const), at: fc.integer({ min: 1, max: blocksMax }) }),
    fc.record({ kind: fc.constant('clone' as const), at: blockNumber }),
  ),
  { maxLength: 60 },
)

function change(disk: ModelDisk, file: ModelFile, step: { kind: string; at: number; from?: number }): void {
  if (step.kind === 'resize') disk.resize(file, step.at)
  else if (step.kind === 'reflink') disk.reflink(file, step.from ?? 0, step.at)
  else if (step.kind === 'punch') disk.punch(file, step.at)
  else if (step.kind === 'move') disk.move(file, step.at)
  else if (step.kind === 'write' && step.at < file.length) disk.write(file, step.at)
}

test('what is called unchanged is so, whatever was written, moved, punched, cut off and shared, and what nobody touched is called so', async () => {
  let unchangedBlocks = 0
  await fc.assert(
    fc.asyncProperty(
      changes,
      changes,
      fc.integer({ min: 1, max: 5 }),
      async (before, after, portionExtents) => {
        const disk = new ModelDisk()
        const image: ModelFile = Array.from({ length: blocksMax }, () => undefined)
        for (const step of before) change(disk, image, step)
        const copy = disk.clone(image)
        const contentKept = copy.map((block) => block?.content)
        const touched = new Set<number>()
        for (const step of after) {
          if (step.kind === 'clone') disk.clone(image)
          else change(disk, image, step)
          if (step.kind === 'resize') for (let at = step.at; at < blocksMax; at++) touched.add(at)
          else if (step.kind !== 'clone') touched.add(step.at)
        }
        const now = disk.clone(image)
        assert.deepEqual(
          copy.map((block) => block?.content),
          contentKept,
          'the model keeps its copies',
        )
        const blocks = Math.min(copy.length, now.length)
        const positions = new Set<number>()
        const range = { offsetBytes: 0, sizeBytes: blocks * blockSizeBytes }
        for await (const { offsetBytes, sizeBytes } of unchangedExtents(
          mapOf(copy, portionExtents),
          mapOf(now, portionExtents),
          range,
        )) {
          for (let at = 0; at < sizeBytes; at += blockSizeBytes)
            positions.add((offsetBytes + at) / blockSizeBytes)
        }
        for (let at = 0; at < blocks; at++) {
          if (positions.has(at)) assert.equal(now[at]?.content, copy[at]?.content, `block ${at}`)
          if (!touched.has(at)) assert.ok(positions.has(at), `nobody touched block ${at}`)
        }
        unchangedBlocks += positions.size
      },
    ),
    { numRuns: 300 },
  )
  assert.ok(unchangedBlocks > 0)
})

const extent = (flags: number, placeBytes = 65_536): MappedExtent => ({
  offsetBytes: 0,
  sizeBytes: blockSizeBytes,
  placeBytes,
  flags,
})
const whole = { from: 0, to: blockSizeBytes }
const same = (...all: readonly MappedExtent[]) => [
  ...sameIn(
    whole,
    all.map((one) => ({ extents: [one] })),
  ),
]

test('an extent counts as changed as soon as the system says anything of it but that it is shared', () => {
  const { shared, last } = extentFlags
  assert.deepEqual(same(extent(shared), extent(shared | last)), [
    { offsetBytes: 0, sizeBytes: blockSizeBytes },
  ])
  let tried = 0
  for (let bit = 0; bit < 32; bit++) {
    const flag = 2 ** bit
    if (flag === shared || flag === last) continue
    assert.deepEqual(same(extent(shared | flag), extent(shared)), [], `flag ${flag.toString(16)} of one`)
    assert.deepEqual(
      same(extent(shared), extent(shared | flag)),
      [],
      `flag ${flag.toString(16)} of the other`,
    )
    tried++
  }
  assert.equal(tried, 30)
  assert.deepEqual(same(extent(0), extent(0)), [], 'shared by nobody')
  assert.deepEqual(same(extent(shared, 2 ** 53), extent(shared, 2 ** 53)), [], 'no exact number')
})

test('holes are the same as holes, and not as anything else', () => {
  const none = { extents: [] }
  assert.equal([...sameIn(whole, [none, none])].length, 1)
  assert.deepEqual([...sameIn(whole, [none, { extents: [extent(extentFlags.shared)] }])], [])
  assert.deepEqual([...sameIn(whole, [{ extents: [extent(extentFlags.shared)] }, none])], [])
})

test('blocks that are moved while maps are compared count as changed', async () => {
  const here = { extents: [extent(extentFlags.shared)], knownTo: blockSizeBytes }
  const elsewhere = { extents: [extent(extentFlags.shared, 0)], knownTo: blockSizeBytes }
  const answers = [here, elsewhere]
  const moving = { read: () => answers.shift() ?? elsewhere }
  const range = { offsetBytes: 0, sizeBytes: blockSizeBytes }
  assert.deepEqual(await Array.fromAsync(unchangedExtents(moving, { read: () => here }, range)), [])
})
