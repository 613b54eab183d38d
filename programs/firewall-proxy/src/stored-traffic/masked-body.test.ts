import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedBody } from './masked-body.ts'
import { formMasking } from './masked-request.ts'

const masking = formMasking(['pet*'])
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

test('secrets of forms are masked in their form, however their names are written', () => {
  const cases = {
    'q=1&password=Secr3t!': 'q=1&password=Xxxx1x!',
    'PassWord=a&password=b&q=c': 'PassWord=x&password=x&q=c',
    'pass%77ord=ab%63%20%C3%A9': 'pass%77ord=xx%78%20%78%78',
    'password=%2561': 'password=%2578',
    'pet-name=Rex&name=Ada': 'pet-name=Xxx&name=Ada',
    'next=%2Flogin%3Ftoken%3Dabc': 'next=%2Flogin%3Ftoken%3Dxxx',
    'user[password]=abc': 'user[password]=xxx',
  }
  for (const [body, masked] of Object.entries(cases)) assert.equal(maskedBody(body, form, masking), masked)
})

test('secrets of JSON are masked at any depth, and the document stays one', () => {
  const cases = {
    '{"password":"a\\"B\\n\\u00e9","n":1}': '{"password":"x\\"X\\n\\u0078","n":1}',
    '{"pin":1234,"ok":true}': '{"pin":1111,"ok":true}',
    '{"credentials":{"id":"Ada","codes":["a1",null]},"id":"Ada"}':
      '{"credentials":{"id":"Xxx","codes":["x1",null]},"id":"Ada"}',
    '{"p\\u0061ssword" : "abc"}': '{"p\\u0061ssword" : "xxx"}',
    '[{"token":"a"},{"token":"b"}]': '[{"token":"x"},{"token":"x"}]',
    '{"url":"/x?token=abc&y=1"}': '{"url":"/x?token=xxx&y=1"}',
  }
  for (const [body, masked] of Object.entries(cases)) {
    assert.equal(maskedBody(body, json, masking), masked)
    JSON.parse(masked)
  }
  // What calls itself otherwise is read all the same.
  assert.equal(maskedBody('{"password":"abc"}', 'text/plain', masking), '{"password":"xxx"}')
})

test('secrets of other bodies are masked, and a body in which none could be found is not kept', () => {
  const part = (name: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n`
  const multipart = 'multipart/form-data; boundary=b'
  assert.equal(
    maskedBody(
      `${part('"q"', 'one')}${part('"password"', 'abc')}${part('pin', '12')}--b--\r\n`,
      multipart,
      masking,
    ),
    `${part('"q"', 'one')}${part('"password"', 'xxx')}${part('pin', '11')}--b--\r\n`,
  )
  assert.doesNotMatch(maskedBody('<a><password>abc</password></a>', 'text/xml', masking) ?? '', /abc/)
  assert.equal(maskedBody('p\0a\0s\0s\0=\0a\0', form, masking), undefined)
  assert.equal(maskedBody('password=abc', `${form}; charset=utf-16`, masking), undefined)
  assert.equal(maskedBody('anything', 'multipart/form-data', masking), undefined)
})
