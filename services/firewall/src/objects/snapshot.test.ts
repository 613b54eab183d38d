import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileCatalogue } from '../kinds/compiled-kind.ts'
import { town } from '../testing/town.ts'
import type { ConfigurationObject } from './configuration-object.ts'
import { completeContent } from './content.ts'
import { Snapshot, type Write } from './snapshot.ts'

const kinds = compileCatalogue(town)
const [street, house, room] = ['street', 'house', 'room'].map((name) => {
  const kind = kinds.get(name)
  if (!kind) throw new Error(`the town has no ${name}`)
  return kind
}) as [Kind, Kind, Kind]
type Kind = NonNullable<ReturnType<typeof kinds.get>>

/** The write that puts an object at the path, or takes it away. */
function writeOf(path: readonly string[], isThere: boolean, mark: number): Write {
  const kind = [street, house, room][path.length - 1] ?? room
  const name = { [kind.identifiedBy ?? '']: path.at(-1) ?? '' }
  const marked = kind === street ? { length: mark } : {}
  return {
    kind,
    path,
    content: isThere ? completeContent(kind, { values: { ...name, ...marked } }) : undefined,
  }
}

const textOf = (snapshot: Snapshot) => snapshot.collection(street, [])?.text ?? '{}'

test('a snapshot after many changes is the one that is read from what they left', () => {
  const step = fc.record({
    path: fc.array(fc.constantFrom('1', '2', 'a', '__proto__'), { minLength: 1, maxLength: 3 }),
    isThere: fc.boolean(),
    mark: fc.nat(99),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const left = new Map<string, Write>()
      let changed = Snapshot.factory(kinds)
      for (const { path, isThere, mark } of steps) {
        const parent = path.slice(0, -1)
        if (parent.length > 0 && !left.has(JSON.stringify(parent))) continue
        const write = writeOf(path, isThere, mark)
        const inside = `${JSON.stringify(path).slice(0, -1)},`
        for (const key of left.keys()) if (!isThere && key.startsWith(inside)) left.delete(key)
        if (isThere) left.set(JSON.stringify(path), write)
        else left.delete(JSON.stringify(path))
        changed = changed.with([write], changed.version + 1)
        textOf(changed)
      }
      const read = Snapshot.factory(kinds).with([...left.values()], changed.version)
      assert.equal(textOf(changed), textOf(read))
      assert.equal(Array.from(changed.everything()).length, Array.from(read.everything()).length)
      JSON.parse(textOf(changed))
    }),
  )
})

test('a change makes anew what it touches, and shares the rest', () => {
  const before = Snapshot.factory(kinds).with(
    [['x'], ['x', '1'], ['x', '2'], ['x', '2', 'hall'], ['y']].map((path) => writeOf(path, true, 1)),
    1,
  )
  const after = before.with([writeOf(['x', '1', 'attic'], true, 1)], 2)
  const at = (snapshot: Snapshot, ...path: string[]): ConfigurationObject | undefined =>
    snapshot.object([street, house, room][path.length - 1] ?? room, path)
  assert.notEqual(at(after, 'x'), at(before, 'x'))
  assert.notEqual(at(after, 'x', '1'), at(before, 'x', '1'))
  assert.equal(at(after, 'x', '2'), at(before, 'x', '2'))
  assert.equal(at(after, 'y'), at(before, 'y'))
  assert.equal(at(before, 'x', '1', 'attic'), undefined, 'what was there before stays as it was')
  assert.deepEqual([before.version, after.version], [1, 2])
})

test('objects come in the order of their names, whatever the order of the changes', () => {
  const snapshot = Snapshot.factory(kinds).with(
    ['b', '10', 'a', '9', 'B'].map((name) => writeOf([name], true, 1)),
    1,
  )
  const names = Array.from(snapshot.collection(street, []) ?? [], ({ name }) => name)
  assert.deepEqual(names, ['10', '9', 'B', 'a', 'b'])
})

test('what lies inside something that is not there is left out', () => {
  const snapshot = Snapshot.factory(kinds).with([writeOf(['x', '1'], true, 1)], 1)
  assert.equal(snapshot.object(house, ['x', '1']), undefined)
  assert.equal(snapshot.collection(street, []), undefined)
})

test('of hundreds of objects each is looked up by a key, in the snapshot before a change as well as in the one after it', () => {
  const lengthOf = ({ content }: ConfigurationObject) =>
    content.values.length === 0 ? undefined : String(content.values.length)
  const step = fc.record({ name: fc.nat(300).map(String), isThere: fc.boolean(), mark: fc.nat(9) })
  const assertIs = (snapshot: Snapshot, left: ReadonlyMap<string, number>) => {
    const streets = snapshot.collection(street, [])
    assert.deepEqual(
      Array.from(streets ?? [], ({ name }) => name),
      [...left.keys()].sort(),
    )
    for (let mark = 0; mark <= 9; mark++) {
      const name = streets?.nameByKey(lengthOf, String(mark))
      const isAny = mark > 0 && [...left.values()].includes(mark)
      assert.equal(name === undefined ? undefined : left.get(name), isAny ? mark : undefined)
    }
  }
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 400 }), (steps) => {
      let snapshot = Snapshot.factory(kinds)
      const left = new Map<string, number>()
      let older: [Snapshot, Map<string, number>] = [snapshot, new Map()]
      for (const [index, { name, isThere, mark }] of steps.entries()) {
        snapshot = snapshot.with([writeOf([name], isThere, mark)], snapshot.version + 1)
        if (isThere) left.set(name, mark)
        else left.delete(name)
        if (index % 50 !== 0) continue
        assertIs(snapshot, left)
        assertIs(...older)
        older = [snapshot, new Map(left)]
      }
    }),
    { numRuns: 20 },
  )
})
