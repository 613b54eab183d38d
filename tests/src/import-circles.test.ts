import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { circlesIn, importedBy, importsIn } from './support/repository/imports.ts'
import { root } from './support/repository/root.ts'

/**
 * How many files of a package are on a circle of imports, those of types counted. It is told for the packages that have any: the
 * number may only fall, and a package that is not named has none.
 */
const filesOnCircles: Readonly<Record<string, number>> = {
}

/** Packages of which the folders of `src`, and the files beside them, are on no circle either. `folder-arrows.test.ts` says more of others. */
const inLayers = ['libraries/seclang', 'libraries/virtual-disk']

const packages = globSync(
  ['{libraries,protocols,services,programs,clients,tools}/*/package.json', '{tests,bench}/package.json'],
  { cwd: root },
).map((file) => dirname(file))

test('files are on no circle of imports, or on fewer than before', () => {
  const found = packages.map((folder) => {
    const circles = circlesIn(importsIn(folder))
    return { folder, count: circles.flat().length, circles }
  })
  for (const { folder, count, circles } of found) {
    const known = filesOnCircles[folder] ?? 0
    const shown = circles.map((circle) => circle.join('\n  ')).join('\n\n')
    assert.ok(count <= known, `${folder} had ${known} files on circles, now ${count}:\n${shown}`)
    assert.ok(
      count === known,
      `${folder} has only ${count} files on circles now: write that in ${import.meta.url}`,
    )
  }
  assert.ok(found.length > 15)
  for (const folder of Object.keys(filesOnCircles)) assert.ok(packages.includes(folder), folder)
})

for (const folder of inLayers) {
  test(`the folders of ${folder} stand above each other`, () => {
    const imports = importsIn(folder)
    const roomOf = (file: string) => relative(`${folder}/src`, file).split('/')[0] ?? ''
    const rooms = new Map<string, string[]>()
    for (const [file, imported] of imports) {
      // Nobody imports a test, and it may import what it likes.
      if (file.endsWith('.test.ts')) continue
      const known = rooms.get(roomOf(file)) ?? []
      rooms.set(roomOf(file), [...known, ...imported.map(roomOf).filter((room) => room !== roomOf(file))])
    }
    assert.ok(rooms.size > 3)
    assert.deepEqual(circlesIn(rooms), [])
  })
}

test('the README of seclang lists its folders so that each imports only from those above it', () => {
  const folder = 'libraries/seclang'
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
  const listed = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name = '']) => name)
  assert.ok(listed.length > 10)
  for (const [file, imported] of importsIn(folder)) {
    if (/\.test\.ts$|\/testing\//.test(file)) continue
    const [own, ...others] = [file, ...imported].map((path) => relative(`${folder}/src`, path).split('/'))
    if (own?.length === 1) continue
    for (const [name = ''] of others) {
      assert.ok(
        listed.indexOf(name) >= 0 && listed.indexOf(name) <= listed.indexOf(own?.[0] ?? ''),
        `${file}: ${name}`,
      )
    }
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
