import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, urlTest } from '../paths/url-test.ts'
import { exampleExchange } from '../testing/example-exchange.ts'
import { BoundedExpression } from './bounded-expression.ts'
import { hostTest, wildcard } from './wildcard.ts'

test('a star stands for any characters, and for none', () => {
  for (const [pattern, text, fits] of [
    ['*', '', true],
    ['/*', '/', true],
    ['/a*', '/A/b', true],
    ['*.jpg', '/x.JPG', true],
    ['/a*b*c', '/a-b-c', true],
    ['/a*b*c', '/abc', true],
    ['/ab*bc', '/abc', false],
    ['/a*b*c', '/acb', false],
    ['/a', '/a/', false],
    ['', '', true],
  ] as const) {
    assert.equal(wildcard(pattern)(text), fits, `${pattern} ${text}`)
  }
  assert.equal(wildcard('/A*', false)('/a'), false)
})

test('hosts are compared without ports and URLs without queries unless the rule has them', () => {
  const exchange = exampleExchange({ target: '/shop/x?y=1', headers: ['Host', 'Shop.Example:8080'] })
  for (const [host, url, fits] of [
    ['*', '/*', true],
    ['', '', true],
    ['shop.example', '/shop/x', true],
    ['*.example', '/shop/*', true],
    ['shop.example:8080', '/*', true],
    ['shop.example:80', '/*', false],
    ['other', '/*', false],
    ['*', '/shop/x?y=*', true],
    ['*', '/shop/', false],
  ] as const) {
    const isMatch = hostTest(host)(exchange) && urlTest(url, true)(addressOf(exchange.target))
    assert.equal(isMatch, fits, `${host} ${url}`)
  }
})

test('expressions of administrators know no case, and everything else stays what it was', () => {
  for (const [source, text, matches] of [
    ['ab[c-e]\\d', 'xABD7', true],
    ['[^a-c]', 'B', false],
    ['\\w\\x41\\u0042', 'zAB', true],
    ['(?<name>a)(?:b)', 'AB', true],
    ['\\D', '5', false],
    ['[\\d-f]', 'F', true],
  ] as const) {
    assert.equal(new BoundedExpression(source).test(text), matches, source)
  }
  assert.equal(
    new BoundedExpression('/old/(\\w+)').replaceIn('/OLD/page', ([, page]) => `/new/${page}`),
    '/new/page',
  )
})
