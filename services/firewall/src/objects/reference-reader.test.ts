import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import type { Kind } from '../kinds/kind.ts'
import { completeContent } from './content.ts'
import { referenceReader, sectionReferenceReader } from './reference-reader.ts'
import { Snapshot } from './snapshot.ts'

const room = {
  name: 'room',
  title: 'Room',
  description: 'A room.',
  path: 'rooms',
  identifiedBy: 'name',
  fields: { name: { type: 'string', lengthMax: 64 } },
} as const satisfies Kind

const guest = {
  name: 'guest',
  title: 'Guest',
  description: 'A guest.',
  path: 'guests',
  identifiedBy: 'name',
  fields: { name: { type: 'string', lengthMax: 64 }, room: { type: 'reference', to: 'room' } },
  sections: {
    wishes: {
      title: 'Wishes',
      description: 'Where a guest would rather sleep.',
      fields: { rooms: { type: 'list', of: { type: 'reference', to: 'room' } } },
    },
  },
} as const satisfies Kind

const kinds = compileCatalogue([room, guest])
const objects = Object.entries({
  room: ['attic', 'cellar'],
  guest: ['ann'],
}).flatMap(([kindName, names]) => {
  const kind = kinds.get(kindName)
  assert.ok(kind)
  const sections = kindName === 'guest' ? { wishes: { rooms: ['cellar', 'tower', 'attic'] } } : {}
  return names.map((name) => ({
    kind,
    path: [name],
    content: completeContent(kind, {
      values: { name, ...(kindName === 'guest' ? { room: 'attic' } : {}) },
      sections,
    }),
  }))
})
const snapshot = Snapshot.factory(kinds).with(objects, 1)
const [ann] = [...snapshot.everything()].filter(({ name }) => name === 'ann')
assert.ok(ann)

test('finds the object that a field names', () => {
  const reader = referenceReader(guest, 'room')
  assert.deepEqual(
    reader.of(ann, snapshot).map(({ name }) => name),
    ['attic'],
  )
  assert.deepEqual(
    [reader.kinds, reader.section, [...reader.fields]],
    [['guest'], undefined, [['room', undefined]]],
  )
})

test('gives those of a list that are there in its order, and all references', () => {
  const reader = sectionReferenceReader(guest, 'wishes', 'rooms')
  assert.deepEqual(
    reader.of(ann, snapshot).map(({ name }) => name),
    ['cellar', 'attic'],
  )
  assert.deepEqual(
    reader.referencesOf(ann).map(({ name }) => name),
    ['cellar', 'tower', 'attic'],
  )
  assert.deepEqual([reader.section, [...reader.fields.keys()]], ['wishes', ['rooms']])
})
