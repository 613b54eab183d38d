import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kind } from '../../../kinds/kind.ts'
import { permission } from '../../../kinds/patterns.ts'
import { catalogue } from '../../index.ts'
import { factoryRoles } from './factory-roles.ts'

test('every entry of a factory role names a part of the API', () => {
  const parts = new Set(['_ALL_', ...catalogue.flatMap(partsOf)])
  let entriesSeen = 0
  for (const { path, fields } of factoryRoles) {
    for (const entry of [fields?.objects ?? []].flat().map(String)) {
      assert.match(entry, permission.expression, path[0])
      assert.ok(parts.has(entry.slice(0, entry.lastIndexOf(':'))), `${path[0]}: ${entry}`)
      entriesSeen++
    }
  }
  assert.ok(entriesSeen > 50)
})

test('only admin may change everything, and guest may change nothing', () => {
  const holding = (text: string) =>
    factoryRoles.filter(({ fields }) => JSON.stringify(fields?.objects).includes(text))
  assert.deepEqual(
    holding('_ALL_:write').map(({ path }) => path[0]),
    ['admin'],
  )
  const guest = factoryRoles.find(({ path }) => path[0] === 'guest')
  assert.ok(guest && !JSON.stringify(guest).includes(':write'))
  assert.deepEqual(guest.fields?.operations, [])
})

/** A kind by the last segment of its address, and its sections after that. */
function partsOf({ path, sections = {} }: Kind): string[] {
  const name = path.split('/').at(-1) ?? ''
  return [name, ...Object.keys(sections).map((segment) => `${name}/${segment}`)]
}
