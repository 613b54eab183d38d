import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MIB } from '../extent.ts'
import { geometryOf, geometrySizeBytes } from './geometry.ts'

const GIB = 1024 * MIB

test('gives the geometries that other programs give', () => {
  const examples: readonly (readonly [number, number, number, number])[] = [
    [MIB, 30, 4, 17],
    [100 * MIB, 1003, 12, 17],
    [504 * MIB, 1024, 16, 63],
    [GIB, 2080, 16, 63],
    [8 * GIB, 16_644, 16, 63],
    [31 * GIB, 64_495, 16, 63],
    [127 * GIB, 65_278, 16, 255],
    [128 * GIB, 65_535, 16, 255],
    [2040 * GIB, 65_535, 16, 255],
  ]
  let ran = 0
  for (const [size, cylinders, heads, sectorsPerTrack] of examples) {
    assert.deepEqual(geometryOf(size), { cylinders, heads, sectorsPerTrack })
    ran++
  }
  assert.equal(ran, examples.length)
})

test('never describes more than the disk', () => {
  for (let size = 512; size < 3000 * GIB; size = Math.ceil((size * 1.37) / 512) * 512) {
    assert.ok(geometrySizeBytes(geometryOf(size)) <= size, `${size}`)
  }
})
