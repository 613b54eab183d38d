import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { circlesIn, importedBy, importsIn } from './support/repository/imports.ts'
import { root } from './support/repository/root.ts'

/**
 * How many files of a package are on a circle of imports, those of types counted. A package that is not here has none; the numbers
 * may only fall.
 */
const filesOnCircles: Readonly<Record<string, number>> = {
}

const packages = globSync(
  ['{libraries,protocols,services,programs,clients,tools}/*/package.json', '{tests,bench}/package.json'],
  { cwd: root },
).map((file) => dirname(file))

test('files are on no circle of imports, or on fewer than before', () => {
  const counted = packages.map((folder) => {
    const circles = circlesIn(importsIn(folder))
    return { folder, count: circles.flat().length, circles }
  })
  for (const { folder, count, circles } of counted) {
    const countMax = filesOnCircles[folder] ?? 0
    const shown = circles.map((circle) => circle.join('\n  ')).join('\n\n')
    assert.ok(count <= countMax, `${folder} had ${countMax} files on circles, now ${count}:\n${shown}`)
    assert.ok(
      count === countMax,
      `${folder} has only ${count} files on circles now: write that in ${import.meta.url}`,
    )
  }
  assert.ok(counted.length > 15)
  for (const folder of Object.keys(filesOnCircles)) assert.ok(packages.includes(folder), folder)
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
