import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generalisedPath } from './generalised-path.ts'

const cases: Readonly<Record<string, string>> = {
  '/': '/',
  '/doku.php': '/doku.php',
  '/orders/1234': '/orders/*',
  '/orders/1234/lines/5/edit': '/orders/*/edit',
  '/reports/2026-07-01.pdf': '/reports/*.pdf',
  '/u/123e4567-e89b-12d3-a456-426614174000/': '/u/*/',
  '/lib/d41d8cd98f00b204e9800998ecf8427e.css': '/lib/*.css',
  '/v2/status': '/v2/status',
  '/news/a': '/news/*',
  '/blog/title.html': '/blog/*.html',
}

test('what differs from request to request is one star', () => {
  const tokens = [
    { start: '/news/', end: '' },
    { start: '/blog/', end: '.' },
  ]
  for (const [path, pattern] of Object.entries(cases)) {
    assert.equal(generalisedPath(path, tokens), pattern, path)
  }
  assert.equal(generalisedPath('/a*b', []), undefined)
  assert.equal(generalisedPath(`/${'a'.repeat(2_000)}`, []), undefined)
})
