import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { extractJsonFiles } from './json-files.ts'

const limits = { textMax: 100, filesMax: 2 }
const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(9000)])
const base64 = picture.toString('base64')

test('files in Base64 are taken out of a document, and everything else is left', () => {
  for (const written of [
    base64,
    base64.replaceAll('/', '\\/'),
    base64.replaceAll(/.{76}/g, '$&\\r\\n'),
    picture.toString('base64url'),
  ]) {
    const read = extractJsonFiles(`{"a":"x","photo":"${written}","b":[1,"y\\"z"]}`, limits)
    assert.equal(read?.text, '{"a":"x","photo":"","b":[1,"y\\"z"]}')
    assert.deepEqual(read?.files, [
      { field: 'photo', fileName: '', content: picture.toString('latin1'), headerLines: [] },
    ])
  }
})

test('of a file in an address the beginning stays', () => {
  const read = extractJsonFiles(`["data:image/png;base64,${base64}"]`, limits)
  assert.equal(read?.text, '["data:image/png;base64,"]')
  assert.deepEqual(read?.files[0]?.headerLines, ['Content-Type: image/png'])
})

test('text in Base64, names, and strings that are no Base64 as a whole are text', () => {
  const statement = Buffer.from("1' or '1'='1' -- ".repeat(500)).toString('base64')
  for (const string of [
    `"${statement}"`,
    `{"${base64}":1}`,
    `"${base64}<script>"`,
    `"<b>${base64}"`,
    `"${base64.slice(0, 5000)}=${base64.slice(0, 5000)}"`,
    `"\\u0041${base64}"`,
    `"\\"${base64}"`,
  ]) {
    assert.equal(extractJsonFiles(string, limits), undefined, string.slice(0, 40))
    assert.deepEqual(extractJsonFiles(string, { ...limits, textMax: 100_000 })?.files, [])
  }
})

test('more text than the limit, behind a file too, and more files than the limit are not taken', () => {
  const file = `"${base64}"`
  assert.equal(extractJsonFiles(`[${file},"${'x'.repeat(100)}"]`, limits), undefined)
  assert.equal(extractJsonFiles(`[${file}]${' '.repeat(100)}`, limits), undefined)
  assert.equal(extractJsonFiles(`[${file},${file}]`, limits)?.files.length, 2)
  assert.equal(extractJsonFiles(`[${file},${file},${file}]`, limits), undefined)
})

test('what is no JSON is left as it is', () => {
  for (const text of ['', '"', 'a"b', '{"a":"\\'])
    assert.deepEqual(extractJsonFiles(text, limits), { text, files: [] })
})
