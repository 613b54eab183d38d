import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedCollections } from './shared-collections.ts'

test('what is stored comes whole to a worker that begins later, in parts that fit into messages', () => {
  const all = new SharedCollections(() => undefined)
  for (let client = 0; client < 2_500; client++) {
    const changes = [{ kind: 'set' as const, key: 'requests', value: String(client), expiresAt: 4e12 }]
    all.take([{ storage: 'active', collection: 'ip', instance: `client ${client}`, changes }])
  }
  const later = new SharedCollections(() => undefined)
  const sizes: number[] = []
  for (const part of all.contentsInParts()) {
    sizes.push(part.length)
    later.take(part)
  }
  assert.deepEqual(sizes, [1_000, 1_000, 500])
  assert.deepEqual([...later.contentsInParts()], [...all.contentsInParts()])
})

test('where nothing is stored there are no parts', () => {
  assert.deepEqual([...new SharedCollections(() => undefined).contentsInParts()], [])
})
