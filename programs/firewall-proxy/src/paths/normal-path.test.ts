import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordinaryNames, pathsOutOf, spellingsOfAdmin } from '../testing/path-spellings.ts'
import { isPlain, normalPaths } from './normal-path.ts'
import { resolveDotSegments } from './path-readings.ts'

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
  assert.equal(resolveDotSegments('/a/../..').leavesRoot, true)
  assert.equal(resolveDotSegments('/a/..').leavesRoot, false)
})

test('an address that a server could take for another one is not plain', () => {
  for (const target of [
    '/admin/..%2fshop/',
    '/shop/..;/admin',
    '/shop//x',
    '/shop%5cx',
    '/shop/./x',
    '/shop;a=1/x',
    '/100%25',
    '/shop/who%3f',
    '/shop/c%23',
    '/caf%e9',
    ...pathsOutOf('shop', 'admin'),
  ]) {
    assert.equal(isPlain(target), false, target)
  }
  const ordinary = ordinaryNames.map((name) => `/shop/${name}`)
  for (const target of [
    '/shop/',
    '/%73hop/?x=/../',
    '/shop?a=1;b',
    '/shop?a=100%25',
    '/a..b/.c',
    ...ordinary,
  ]) {
    assert.equal(isPlain(target), true, target)
  }
})

test('each spelling of a path is compared as what it is for some server, first as what it is for most', () => {
  for (const target of spellingsOfAdmin) assert.ok(normalPaths(target).includes('/admin/x'), target)
  for (const target of pathsOutOf('shop', 'admin')) {
    assert.ok(normalPaths(target)[0].startsWith('/shop'), target)
    assert.ok(normalPaths(target).includes('/admin/x'), `${target}: ${normalPaths(target)}`)
  }
})

test('what is plain has one reading, but for a dot at the end of a name', () => {
  const pieces = [
    'a',
    'B',
    '/',
    '.',
    '%',
    '%25',
    '%2e',
    '%2f',
    '%00',
    '%20',
    '+',
    ';',
    '%3b',
    '%5c',
    '\\',
    '%u002e',
  ]
  pieces.push('%c0%ae', '%c3%a9', '\xe9', '%0a', '%3f', '%23', '%e2%88%95')
  let state = 3
  const chance = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let plain = 0
  for (let count = 0; count < 50_000; count++) {
    const target = `/${Array.from({ length: 1 + chance(9) }, () => pieces[chance(pieces.length)]).join('')}`
    if (!isPlain(target)) continue
    plain++
    const names = new Set(normalPaths(target).map((path) => path.replace(/\.+(?=\/|$)/g, '')))
    assert.equal(names.size, 1, `${target}: ${normalPaths(target)}`)
  }
  assert.ok(plain > 1000, `${plain}`)
})

test('the longest paths take no noticeable time', () => {
  for (const piece of [
    '%25',
    '%',
    '%%32%35',
    ';',
    '/;',
    '. ',
    '/. ',
    '%20',
    '+.',
    '%c0',
    '%u00',
    '/..;a',
    '\\',
    '%00',
    '%2525252e/',
  ]) {
    const target = `/${piece.repeat(64_000 / piece.length)}x`
    const started = performance.now()
    normalPaths(target)
    isPlain(target)
    assert.ok(performance.now() - started < 500, `${piece}: ${performance.now() - started} ms`)
  }
})
