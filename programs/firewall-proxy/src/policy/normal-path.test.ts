import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlain, normalPaths, resolved } from './normal-path.ts'

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
  for (const [written, path] of Object.entries(spellings)) {
    assert.deepEqual(normalPaths(written), [path], written)
  }
})

test('a path with parameters is one with them and one without', () => {
  const spellings: Readonly<Record<string, readonly [string, string]>> = {
    '/shop/..;/admin': ['/shop/..;/admin', '/admin'],
    '/shop/%2e%2e%3bx=1/admin': ['/shop/..;x=1/admin', '/admin'],
    '/.;a/admin': ['/.;a/admin', '/admin'],
    '/admin;a=1/..b;?c;d': ['/admin;a=1/..b;', '/admin/..b'],
    '/;/admin': ['/;/admin', '/admin'],
    '/admin;': ['/admin;', '/admin'],
    '/admin;a=%2f..%2fshop/x': ['/shop/x', '/admin/x'],
  }
  for (const [written, paths] of Object.entries(spellings)) {
    assert.deepEqual(normalPaths(written), paths, written)
  }
})

test('a path that leads beyond the root is told', () => {
  assert.equal(resolved('/a/../..').leavesRoot, true)
  assert.equal(resolved('/a/..').leavesRoot, false)
})

test('an address that a server could take for another one is not plain', () => {
  for (const target of [
    '/admin/..%2fshop/',
    '/shop/..;/admin',
    '/shop//x',
    '/shop%5cx',
    '/shop/./x',
    '/shop;a=1/x',
  ]) {
    assert.equal(isPlain(target), false, target)
  }
  for (const target of ['/shop/', '/%73hop/?x=/../', '/shop?a=1;b', '/a..b/.c']) {
    assert.equal(isPlain(target), true, target)
  }
})
