import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalPath, resolved } from './normal-path.ts'

test('a path is the same however it is written', () => {
  const spellings: Readonly<Record<string, string>> = {
    '/admin': '/admin',
    '/admin?x=/../y': '/admin',
    '/%61dmin': '/admin',
    '//admin': '/admin',
    '/./admin': '/admin',
    '/a/../admin': '/admin',
    '/a/%2e%2e/admin': '/admin',
    '/a\\..\\admin': '/admin',
    '/%5cadmin': '/admin',
    '/../../admin/': '/admin/',
    'http://shop.example/admin': '/admin',
    '/admin/.': '/admin/',
    '/admin/b/..': '/admin/',
    '/': '/',
    '/..': '/',
    '/50%': '/50%',
  }
  for (const [written, path] of Object.entries(spellings)) assert.equal(normalPath(written), path, written)
})

test('a path that leads beyond the root is told', () => {
  assert.equal(resolved('/a/../..').leavesRoot, true)
  assert.equal(resolved('/a/..').leavesRoot, false)
})
