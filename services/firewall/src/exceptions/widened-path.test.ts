import assert from 'node:assert/strict'
import { test } from 'node:test'
import { widenedPaths } from './widened-path.ts'

const uuid = '0ad0f208-b544-44a2-b830-2eda6777c905'

test('ids are left open, and nothing else of a path', () => {
  for (const [path, widened] of [
    [`/api/kernels/${uuid}/channels`, '/api/kernels/*/channels'],
    [`/a/${uuid}/b/57bb9676d0464237a8690aa5a69616db/c`, '/a/*/c'],
    [`/files/${uuid}`, '/files/*'],
    ['/orders/17/comment', '/orders/17/comment'],
    ['/facade/deadbeef', '/facade/deadbeef'],
    [`/${uuid}`, `/${uuid}`],
    ['/', '/'],
  ] as const) {
    assert.equal(widenedPaths([path]).get(path), widened)
  }
})

test('a folder is taken as a whole where many of its names were seen, but never all of a service', () => {
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.ipynb`)
  const under = (folder: string, count: number) => names.slice(0, count).map((name) => folder + name)
  const widened = (paths: readonly string[]) => new Set(widenedPaths(paths).values())
  assert.deepEqual([...widened(under('/api/contents/', 5))], ['/api/contents/*'])
  assert.equal(widened(under('/api/contents/', 4)).size, 4)
  assert.equal(widened(under('/', 5)).size, 5)
})

test('names behind ids stay, since a path has one open place', () => {
  const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => `/x/${uuid}/${name}`)
  assert.deepEqual(widenedPaths(paths).get(paths[0] ?? ''), '/x/*/a')
})
