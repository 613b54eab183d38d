import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Masking } from './masking.ts'

test('values of named parameters are overwritten, however the name is spelt', () => {
  const masking = new Masking(['password', 'card*', 'user[pin]'])
  for (const [query, masked] of [
    ['a=1&password=x&b=2', 'a=1&password=XXXXXXXX&b=2'],
    ['PassWord=x', 'PassWord=XXXXXXXX'],
    ['p%61ssword=x;cardNumber=4', 'p%61ssword=XXXXXXXX;cardNumber=XXXXXXXX'],
    ['user%5Bpin%5D=1&user[name]=ann', 'user%5Bpin%5D=XXXXXXXX&user[name]=ann'],
    ['password=a=b', 'password=XXXXXXXX'],
    ['password=&password', 'password=&password'],
    ['%zz=1&password=%zz', '%zz=1&password=XXXXXXXX'],
  ] as const) {
    assert.equal(masking.query(query), masked)
  }
  assert.equal(masking.address('http://a/?password=x'), 'http://a/?password=XXXXXXXX')
})

test('a lone star masks every parameter, and no names mask none', () => {
  assert.equal(new Masking(['*']).query('a=1&b=2'), 'a=XXXXXXXX&b=XXXXXXXX')
  assert.equal(new Masking([]).query('password=1'), 'password=1')
})

test('what rules found is shown only where it cannot hold a masked value', () => {
  const masking = new Masking(['password'])
  for (const target of [
    'ARGS:user',
    'ARGS_NAMES:password',
    'REQUEST_HEADERS:User-Agent',
    'REQUEST_FILENAME',
  ]) {
    assert.ok(masking.maySee(target), target)
  }
  for (const target of [
    'ARGS:password',
    'ARGS:json.login.password',
    'REQUEST_BODY',
    'REQUEST_URI',
    'QUERY_STRING',
    'TX:1',
    'REQUEST_HEADERS:Referer',
    'XML:/*',
    'ARGS',
  ]) {
    assert.ok(!masking.maySee(target), target)
  }
  assert.ok(new Masking([]).maySee('REQUEST_BODY'))
})
