import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { circlesIn, importedBy, importsIn } from './support/repository/imports.ts'
import { root } from './support/repository/root.ts'

const packages = globSync(
  ['{libraries,protocols,services,programs,clients,tools}/*/package.json', '{tests,bench}/package.json'],
  { cwd: root },
).map((file) => dirname(file))

test('no file is on a circle of imports, those of types counted', () => {
  assert.ok(packages.length > 15)
  for (const folder of packages) {
    const circles = circlesIn(importsIn(folder))
    assert.deepEqual(circles, [], `${folder}:\n${circles.map((circle) => circle.join('\n  ')).join('\n\n')}`)
  }
})

test('circles are found, also those of types and of two', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', ['d']],
    ['f', ['a', 'f']],
  ])
  assert.deepEqual(
    circlesIn(graph)
      .map((circle) => circle.toSorted())
      .toSorted(),
    [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ],
  )
  const source = `import type { A } from './a.ts'
import {
  type B,
} from '../b.ts'
export * from './c.ts'
import './d.ts'
import { test } from 'node:test'
const later = () => import('./e.ts')
`
  assert.deepEqual(importedBy(source), ['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts'])
})
