import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Extent } from '@palisade/virtual-disk'
import fc from 'fast-check'
import { differ, type Extents, intersect, subtract, wholeExtents } from './extents.ts'

const sizeMax = 400

/** Gaps, of which some are empty, and extents. */
const lists = fc
  .array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 12 })), { maxLength: 18 })
  .map((pairs): Extent[] => {
    let at = 0
    return pairs.map(([gap, sizeBytes]) => {
      const extent = { offsetBytes: at + gap, sizeBytes }
      at += gap + sizeBytes
      return extent
    })
  })

const asExtents = (list: readonly Extent[]): Extents =>
  async function* () {
    yield* list
  }

function bytesIn(list: readonly Extent[]): boolean[] {
  const bytes = Array.from({ length: sizeMax }, () => false)
  for (const { offsetBytes, sizeBytes } of list) bytes.fill(true, offsetBytes, offsetBytes + sizeBytes)
  return bytes
}

for (const [name, combine, isWanted] of [
  ['in both', intersect, (first: boolean, second: boolean) => first && second],
  ['in the first alone', subtract, (first: boolean, second: boolean) => first && !second],
  ['in one of them only', differ, (first: boolean, second: boolean) => first !== second],
] as const) {
  test(`what is ${name} is found byte for byte, in order, in as few extents as can be`, async () => {
    await fc.assert(
      fc.asyncProperty(lists, lists, async (first, second) => {
        const extents = await Array.fromAsync(combine(asExtents(first), asExtents(second))())
        const [inFirst, inSecond] = [bytesIn(first), bytesIn(second)]
        assert.deepEqual(
          bytesIn(extents),
          inFirst.map((is, at) => isWanted(is, inSecond[at] ?? false)),
        )
        for (const [index, { offsetBytes, sizeBytes }] of extents.entries()) {
          const before = extents[index - 1]
          assert.ok(sizeBytes > 0)
          assert.ok(before === undefined || before.offsetBytes + before.sizeBytes < offsetBytes)
        }
      }),
    )
  })
}

test('all of an empty volume is nothing', async () => {
  assert.deepEqual(await Array.fromAsync(wholeExtents(0)()), [])
  assert.deepEqual(await Array.fromAsync(wholeExtents(7)()), [{ offsetBytes: 0, sizeBytes: 7 }])
})
