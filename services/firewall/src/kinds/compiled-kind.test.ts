import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCatalogue } from './compiled-kind.ts'
import type { Kind } from './kind.ts'

const thing: Kind = {
  name: 'thing',
  title: 'Thing',
  description: 'A thing.',
  path: 'things',
  identifiedBy: 'name',
  fields: { name: { type: 'string', lengthMax: 64 } },
}

const contradictions: [what: string, kinds: Kind[], words: RegExp][] = [
  ['a name used twice', [thing, thing], /two kinds are called thing/],
  ['a parent that is not there', [{ ...thing, parent: 'box' }], /names the kind box/],
  [
    'a reference to a kind that is not there',
    [{ ...thing, fields: { ...thing.fields, box: { type: 'list', of: { type: 'reference', to: 'box' } } } }],
    /names the kind box/,
  ],
  ['an identifier that is no field', [{ ...thing, identifiedBy: 'label' }], /no field label/],
  [
    'an identifier of any length',
    [{ ...thing, fields: { name: { type: 'string' } } }],
    /lengthMax of at most 255/,
  ],
  [
    'a default that its field would refuse',
    [{ ...thing, fields: { ...thing.fields, size: { type: 'integer', max: 3, default: 4 } } }],
    /default of thing size/,
  ],
  [
    'a single object inside another kind',
    [thing, { name: 'lid', title: 'Lid', description: 'A lid.', path: 'lid', parent: 'thing', fields: {} }],
    /lid lies in a parent/,
  ],
]

for (const [what, kinds, words] of contradictions) {
  test(`a catalogue with ${what} is refused`, () => {
    assert.throws(() => compileCatalogue(kinds), words)
  })
}

test('kinds are tied together in whatever order they come', () => {
  const part: Kind = { ...thing, name: 'part', title: 'Part', path: 'parts', parent: 'thing' }
  const screw: Kind = { ...thing, name: 'screw', title: 'Screw', path: 'screws', parent: 'part' }
  for (const kinds of [
    [thing, part, screw],
    [screw, part, thing],
  ]) {
    const compiled = compileCatalogue(kinds)
    assert.deepEqual(
      compiled.get('screw')?.lineage.map(({ name }) => name),
      ['thing', 'part', 'screw'],
    )
    assert.deepEqual(
      compiled.get('thing')?.children.map(({ name }) => name),
      ['part'],
    )
  }
})
