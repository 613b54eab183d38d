import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceIdOf } from './device-id.ts'

test('is a name-based UUID in the form of a Windows volume path', () => {
  const id = deviceIdOf('/dev/vda', 1)
  assert.match(
    id,
    /^\\\\\?\\Volume\{[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\}\\$/,
  )
})

test('is the same for the same source, in every version of the agent, and another one for any other', () => {
  assert.equal(deviceIdOf('/dev/vda', 1), '\\\\?\\Volume{b7b60e17-8e56-5f0d-b802-7a36cc56a6b4}\\')
  const ids = [
    deviceIdOf('/dev/vda', undefined),
    deviceIdOf('/dev/vda', 1),
    deviceIdOf('/dev/vda', 11),
    deviceIdOf('/dev/vda1', 1),
  ]
  assert.equal(new Set(ids).size, ids.length)
})
