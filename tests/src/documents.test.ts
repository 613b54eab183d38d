import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { root } from './support/root.ts'

const documents = globSync(['*.md', '*/**/*.md'], { cwd: root, exclude: ['**/node_modules'] })

/** The name by which links lead to a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function anchorsIn(document: string): Set<string> {
  const headings = readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.*)$/gm)
  return new Set(Array.from(headings, ([, heading = '']) => anchorOf(heading)))
}

test('every link in a document leads to a file that is there, and to a heading in it', () => {
  let links = 0
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/```.*?```/gs, '')
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^\w+:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? document : normalize(join(dirname(document), path))
      assert.ok(existsSync(join(root, target)), `${document}: ${link}`)
      if (anchor !== undefined) assert.ok(anchorsIn(target).has(anchor), `${document}: ${link}`)
      links++
    }
  }
  assert.ok(documents.length > 50 && links > 100, `${links} links in ${documents.length} documents`)
})

test('the README of these tests has a line for each file', () => {
  const lines = readFileSync(join(root, 'tests/README.md'), 'utf8').matchAll(/^\| `([^`]+)` \| \S.* \|$/gm)
  const files = globSync('*.test.ts', { cwd: join(root, 'tests/src') })
  assert.deepEqual(Array.from(lines, ([, file]) => file).sort(), files.sort())
})
