import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect, rulesOf, valuesOf } from '../testing/inspect.ts'

const form = ['Content-Type', 'application/x-www-form-urlencoded']

test('arguments come from the query string and from the body, decoded, in their order', () => {
  const request = { uri: '/?a=%3C+b&c&&=d', headers: form, body: 'e=f&A=g' }
  assert.deepEqual(valuesOf('ARGS', request), [
    ['ARGS:a', '< b'],
    ['ARGS:c', ''],
    ['ARGS:', ''],
    ['ARGS:', 'd'],
    ['ARGS:e', 'f'],
    ['ARGS:A', 'g'],
  ])
  assert.deepEqual(valuesOf('ARGS:a', request), [
    ['ARGS:a', '< b'],
    ['ARGS:A', 'g'],
  ])
  assert.deepEqual(
    valuesOf('ARGS_GET_NAMES', request).map(([, name]) => name),
    ['a', 'c', '', ''],
  )
  assert.deepEqual(valuesOf('ARGS_POST:/^e$/', request), [['ARGS_POST:e', 'f']])
  assert.deepEqual(
    valuesOf('&ARGS:a|&ARGS:none', request).map(([, count]) => count),
    ['2', '0'],
  )
  assert.deepEqual(valuesOf('ARGS|!ARGS:/^.?$/|ARGS_COMBINED_SIZE', request), [['ARGS_COMBINED_SIZE', '10']])
})

test('an address is taken apart in every form in which it may come', () => {
  const names = 'REQUEST_URI|REQUEST_URI_RAW|REQUEST_FILENAME|REQUEST_BASENAME|QUERY_STRING|REQUEST_LINE'
  const of = (uri: string) => valuesOf(names, { uri }).map(([, value]) => value)
  assert.deepEqual(of('/a%20b/c.php?d=%20'), [
    '/a%20b/c.php?d=%20',
    '/a%20b/c.php?d=%20',
    '/a b/c.php',
    'c.php',
    'd=%20',
    'GET /a%20b/c.php?d=%20 HTTP/1.1',
  ])
  assert.deepEqual(of('http://host:8/a/b?c#d').slice(0, 5), [
    '/a/b?c',
    'http://host:8/a/b?c#d',
    '/a/b',
    'b',
    'c',
  ])
  assert.deepEqual(of('*').slice(0, 4), ['*', '*', '*', '*'])
})

test('cookies are split but not decoded, from every header', () => {
  const headers = ['Cookie', 'a=1; b = %41;c;=d', 'cookie', 'e="f"']
  assert.deepEqual(valuesOf('REQUEST_COOKIES', { headers }), [
    ['REQUEST_COOKIES:a', '1'],
    ['REQUEST_COOKIES:b ', ' %41'],
    ['REQUEST_COOKIES:c', ''],
    ['REQUEST_COOKIES:e', '"f"'],
  ])
})

test('headers keep their spelling, and keys are compared without case', () => {
  const headers = ['X-Name', '1', 'x-name', '2', 'Other_Header', '3']
  assert.deepEqual(valuesOf('REQUEST_HEADERS:X-NAME', { headers }), [
    ['REQUEST_HEADERS:X-Name', '1'],
    ['REQUEST_HEADERS:x-name', '2'],
  ])
  assert.deepEqual(valuesOf('REQUEST_HEADERS_NAMES|!REQUEST_HEADERS_NAMES:x-name', { headers }), [
    ['REQUEST_HEADERS_NAMES:Other_Header', 'Other_Header'],
  ])
})

test('the response is seen in its phases', () => {
  const request = {
    status: 404,
    responseHeaders: ['Content-Type', 'text/plain; charset=x'],
    responseBody: 'gone',
  }
  assert.deepEqual(valuesOf('RESPONSE_STATUS|RESPONSE_BODY|RESPONSE_HEADERS:content-type', request), [
    ['RESPONSE_STATUS', '404'],
    ['RESPONSE_BODY', 'gone'],
    ['RESPONSE_HEADERS:Content-Type', 'text/plain; charset=x'],
  ])
  assert.deepEqual(
    valuesOf('RESPONSE_BODY', { ...request, responseHeaders: ['Content-Type', 'image/png'] }),
    [],
  )
})

test('the response and the arguments of a body can be read after their phases, where rules ask for them', () => {
  const request = {
    headers: form,
    body: 'a=1',
    responseHeaders: ['Content-Type', 'text/plain'],
    responseBody: 'gone',
  }
  const rules = rulesOf(`
    SecRule ARGS:a "@streq 1" "id:1,phase:2,pass,log"
    SecRule ARGS:a "@streq 1" "id:2,phase:3,pass,log"
    SecRule RESPONSE_BODY "@streq gone" "id:3,phase:5,pass,log"
    SecRule ARGS:a "@streq 1" "id:4,phase:5,pass,log"`)
  assert.deepEqual(inspect(rules, request).ids, [1, 2, 3, 4])
  const inText = rulesOf(
    `SecAction "id:1,phase:5,pass,log,msg:'%{Response_Body} %{RESPONSE_CONTENT_LENGTH}'"`,
  )
  assert.equal(inspect(inText, request).matches[0]?.message, 'gone 4')
  const length = rulesOf(`SecRule RESPONSE_CONTENT_LENGTH "@streq 4" "id:1,phase:5,pass,log"`)
  assert.deepEqual(inspect(length, request).ids, [1])
})

test('the request body is readable when it is a form, or when a rule forces it', () => {
  assert.deepEqual(valuesOf('REQUEST_BODY', { headers: form, body: 'a=1' }), [['REQUEST_BODY', 'a=1']])
  const text = { headers: ['Content-Type', 'text/plain'], body: 'plain' }
  assert.deepEqual(valuesOf('REQUEST_BODY', text), [])
  const force = 'SecAction "id:2,phase:1,pass,nolog,ctl:forceRequestBodyVariable=On"'
  assert.deepEqual(valuesOf('REQUEST_BODY|REQUEST_BODY_LENGTH', text, force), [
    ['REQUEST_BODY', 'plain'],
    ['REQUEST_BODY_LENGTH', '5'],
  ])
})

test('more arguments than allowed are an error of the body', () => {
  assert.deepEqual(
    valuesOf('REQBODY_ERROR|&ARGS', { uri: '/?a&b&c' }, 'SecArgumentsLimit 2').map(([, value]) => value),
    ['1', '2'],
  )
})
