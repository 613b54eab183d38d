import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEveryBody } from './every-body.ts'
import { parseJsonBody } from './json.ts'
import { parseMultipartBody } from './multipart/multipart.ts'
import { isStrictError, type MultipartFlags } from './multipart/multipart-flags.ts'
import type { ParsedBody } from './parsed-body.ts'
import { asOneValue } from './undeclared-body.ts'
import { parseUrlEncoded } from './urlencoded.ts'
import { parseXmlBody } from './xml.ts'

const pairs = ({ arguments: pairList = [] }: ParsedBody) => pairList.map(({ name, value }) => [name, value])

test('a form keeps escapes that are none and says so', () => {
  assert.deepEqual(parseUrlEncoded('a=%zz&b=%4', '&'), {
    arguments: [
      { name: 'a', value: '%zz' },
      { name: 'b', value: '%4' },
    ],
    hasInvalidEscapes: true,
  })
  assert.equal(parseUrlEncoded('a;b=1', ';').arguments.length, 2)
})

const limits = { depthMax: 3, argumentsMax: 10 }

test('JSON values go by the keys that lead to them', () => {
  const body = parseJsonBody('{"a":{"b":[1,{"c":"x"}],"d":null},"e":true,"f":{},"g":-1.5e3}', limits)
  assert.deepEqual(pairs(body), [
    ['a.b.b', '1'],
    ['a.b.b.c', 'x'],
    ['a.d', ''],
    ['e', 'true'],
    ['f', ''],
    ['g', '-1.5e3'],
  ])
  assert.deepEqual(pairs(parseJsonBody('[1,"two"]', limits)), [
    ['array.array', '1'],
    ['array.array', 'two'],
  ])
})

test('JSON strings are bytes in UTF-8, also from escapes', () => {
  const [pair] = pairs(parseJsonBody(String.raw`{"\u0061":"\u00e9\ud83d\ude00\n"}`, limits))
  assert.deepEqual(pair, ['a', Buffer.from('é😀\n', 'utf8').toString('latin1')])
})

test('a form, or JSON in lines, that says it is JSON is read as what it is, and other text is an error', () => {
  const read = (body: string) =>
    parseEveryBody(body, {
      contentTypes: ['application/json'],
      processor: 'JSON',
      limits: { ...limits, filesMax: 2, textMax: 1000, argumentSeparator: '&' },
    })
  assert.deepEqual(pairs(read('a[b]=1&c=%3Cx%3E')), [
    ['a[b]', '1'],
    ['c', '<x>'],
  ])
  assert.deepEqual(pairs(read('{"a":1}\n{"b":2}\n')), [
    ['a', '1'],
    ['b', '2'],
  ])
  for (const body of ['a=1&b={', '{"a":1}\n{"b":2}']) assert.equal(read(body).error, undefined, body)
  for (const body of ['{"a":1', '{"a":1} {"b":2}', '=1', 'text', '{"a":1}\n{"b"'])
    assert.ok(read(body).error, body)
})

test('what is no JSON is an error, with what came before it', () => {
  for (const text of ['', '{', '{"a":1,}', "{'a':1}", '{"a":01}', '[1] x', '"\xff"', '"\\x"', '[tru]']) {
    assert.ok(parseJsonBody(text, limits).error, text)
  }
  assert.deepEqual(pairs(parseJsonBody('{"a":1,"b":', limits)), [['a', '1']])
  for (const bytes of ['\xff', 'x\xff"', '\xe2\x82"', '\xed\xa0\x80"', '\xc0\x80"', '\xf4\x90\x80\x80"']) {
    const body = parseJsonBody(`{"a":"\xe2\x82\xac","b":"${bytes},"c":"d"}`, limits)
    assert.match(body.error ?? '', /invalid bytes/)
    assert.deepEqual(pairs(body), [['a', '\xe2\x82\xac']])
  }
  assert.match(parseJsonBody('{"a":1}\xff', limits).error ?? '', /invalid bytes/)
  assert.match(parseJsonBody('[[[[1]]]]', limits).error ?? '', /deeply/)
  assert.match(parseJsonBody('['.repeat(100_000), { ...limits, depthMax: 1e6 }).error ?? '', /deeply/)
  assert.match(parseJsonBody('[1,2,3]', { ...limits, argumentsMax: 2 }).error ?? '', /more arguments/)
})

test('names that are long and come again with every value behind them are refused', () => {
  const values = (count: number) => Array(count).fill('1').join(',')
  const many = { depthMax: 10, argumentsMax: 1000 }
  const { arguments: pairList = [], error } = parseJsonBody(
    `{"${'a'.repeat(60_000)}":[${values(900)}]}`,
    many,
  )
  assert.match(error ?? '', /names that are longer together/)
  assert.ok(pairList.length < 10)
  const ordinary = parseJsonBody(`{"${'a'.repeat(300)}":[${values(900)}]}`, many)
  assert.deepEqual([ordinary.error, ordinary.arguments?.length], [undefined, 900])
})

test('XML gives its text and its attributes, and expands nothing', () => {
  const body = parseXmlBody('<?xml version="1.0"?><a b="1"><![CDATA[<x>]]> &lt;<c d="2"/></a>')
  assert.deepEqual(body, { xml: { text: '<x> <', attributes: ['1', '2'] } })
  const setOff = '<?xml version="1.0"?>\n<a>\n<b/>x</a>\n'
  assert.equal(parseXmlBody(setOff).xml?.text, '\nx')
  assert.equal(parseXmlBody(setOff, { depthMax: 9 }).xml?.text, ' x')
  assert.equal(parseXmlBody('<a>\nx\n<b>y</b></a>', { depthMax: 9 }).xml?.text, '\nx\ny')
  assert.ok(parseXmlBody('<!DOCTYPE a [<!ENTITY e "value">]><a>&e;</a>').error)
  assert.ok(parseXmlBody('<a><b></a>').error)
  assert.equal(parseXmlBody('<a>\x01&b; c</a>').xml?.text, '\x01&b; c')
  assert.ok(parseXmlBody('<a>\xff</a>').error)
  assert.equal(parseXmlBody('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>').xml?.text, '\xc3\xa9')
})

test('a document type that stands elsewhere is a fault where all is read, unless everybody knows it', () => {
  const faults = (text: string) => parseXmlBody(text, { depthMax: 9 }).faults ?? []
  for (const [text, count] of [
    ['<!DOCTYPE q SYSTEM "http://e.example/q.dtd"><q/>', 1],
    ["<!DOCTYPE q PUBLIC '-//W3C//DTD' 'http://e.example/?http://www.w3.org/q.dtd'><q/>", 1],
    ['<!DOCTYPE q [<!ENTITY % p SYSTEM "q.dtd">%p;]><q/>', 1],
    ['<!DOCTYPE q SYSTEM "q.dtd" [<!ENTITY a PUBLIC "x" "q.dtd">]><q/>', 2],
    [
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html/>',
      0,
    ],
    ['<!DOCTYPE html SYSTEM "about:legacy-compat"><html/>', 0],
    ['<!DOCTYPE q [<!ENTITY a "value">]><q/>', 0],
    ['<!DOCTYPE q><q/>', 0],
  ] as const) {
    assert.equal(faults(text).length, count, text)
  }
  assert.equal(parseXmlBody('<!DOCTYPE q SYSTEM "q.dtd"><q/>').faults, undefined)
})

const type = 'multipart/form-data; boundary=B'
const part = (disposition: string, data: string, headers = '') =>
  `--B\r\nContent-Disposition: form-data; ${disposition}\r\n${headers}\r\n${data}\r\n`
const multipart = (body: string, contentType = type) => parseMultipartBody(body, contentType, { filesMax: 2 })

test('a multipart body has fields, files and the headers of its parts', () => {
  const body = multipart(
    `${part('name="a"', 'one\r\ntwo\r\n')}${part('name="f"; filename="x.txt"', 'data', 'Content-Type: text/plain\r\n')}--B--\r\n`,
  )
  assert.deepEqual(pairs(body), [['a', 'one\r\ntwo\r\n']])
  const headerLines = [
    'Content-Disposition: form-data; name="f"; filename="x.txt"',
    'Content-Type: text/plain',
  ]
  assert.deepEqual(body.files, [{ field: 'f', fileName: 'x.txt', content: 'data', headerLines }])
  assert.deepEqual(body.partHeaders?.at(-1), { field: 'f', line: 'Content-Type: text/plain' })
  assert.equal(body.error, undefined)
  assert.ok(
    body.multipart !== undefined && !isStrictError(body.multipart) && !body.multipart.unmatchedBoundary,
  )
})

test('what has an empty file name is a field, too, unless nothing was chosen', () => {
  const body = multipart(`${part('name="a"; filename=""', 'v')}${part('name="b"; filename=""', '')}--B--\r\n`)
  assert.deepEqual(pairs(body), [['a', 'v']])
  assert.deepEqual(
    body.files?.map(({ field }) => field),
    ['a', 'b'],
  )
})

const whole = `${part('name="a"', 'v')}--B--\r\n`

const strict: readonly (readonly [keyof MultipartFlags, string, string?])[] = [
  ['dataBefore', `before\r\n${whole}`],
  ['dataAfter', `${whole}after`],
  ['lfLine', whole.replaceAll('\r\n', '\n')],
  ['headerFolding', `${part('name="a"', 'v', 'X: 1\r\n 2\r\n')}--B--\r\n`],
  ['invalidQuoting', `${part("name='a'", 'v')}--B--\r\n`],
  ['boundaryQuoted', whole, 'multipart/form-data; boundary="B"'],
  ['boundaryWhitespace', whole, 'multipart/form-data; boundary = B'],
  ['missingSemicolon', whole, 'multipart/form-data boundary=B'],
  ['invalidPart', '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n--B--\r\n'],
  ['fileLimitExceeded', `${part('name="f"; filename="x"', '').repeat(3)}--B--\r\n`],
]

test('of documents of JSON in lines the strings with escapes are decoded each, and other text as a whole', () => {
  const values = (text: string) => asOneValue(text).map(({ value }) => value)
  const lines = '{"a":1}\n{"b":"say \\"x\\"","c":"\\u003cb>"}'
  assert.deepEqual(values(lines), [lines, 'say "x"', '<b>'])
  assert.deepEqual(values('{"a":"\\u003cb>"}\n{'), ['{"a":"\\u003cb>"}\n{', '{"a":"<b>"}\n{'])
})

test('what two parsers could read differently is flagged, and a strict error', () => {
  for (const [flag, body, contentType] of strict) {
    const { multipart: flags } = multipart(body, contentType)
    assert.ok(flags?.[flag] && isStrictError(flags), flag)
  }
})

const broken: readonly (readonly [RegExp, string, string?])[] = [
  [/Boundary not found/, whole, 'multipart/form-data'],
  [/case sensitivity/, whole, 'multipart/form-data; BOUNDARY=B'],
  [/Multiple boundary/, whole, 'multipart/form-data; boundary=B; boundary=C'],
  [/characters/, whole, 'multipart/form-data; boundary=a:b'],
  [/Final boundary missing/, part('name="a"', 'v')],
  [/No boundaries/, 'nothing'],
  [/Invalid boundary/, `${part('name="a"', 'v')}--Bx\r\n--B--\r\n`],
  [/missing name/, `${part('filename="a"', 'v')}--B--\r\n`],
  [/duplicate name/, `${part('name="a"; name="b"', 'v')}--B--\r\n`],
  [/unknown parameter/, `${part('name="a"; x="b"', 'v')}--B--\r\n`],
  [/quote/, `${part('name="a', 'v')}--B--\r\n`],
  [/Duplicate part header/, `${part('name="a"', 'v', 'X: 1\r\nx: 2\r\n')}--B--\r\n`],
  [/colon missing/, `${part('name="a"', 'v', 'X\r\n')}--B--\r\n`],
  [/Nul byte/, `${part('name="a\0"', 'v')}--B--\r\n`],
  [/over 4096 bytes/, `${part('name="a"', 'v', `X: ${'y'.repeat(5000)}\r\n`)}--B--\r\n`],
]

test('what is no multipart body is an error that says why', () => {
  for (const [error, body, contentType] of broken) {
    const parsed = multipart(body, contentType)
    assert.match(parsed.error ?? '', error)
    assert.ok(parsed.multipart?.error)
  }
})

test('a line that looks like a boundary and is none is flagged by itself', () => {
  const { multipart: flags } = multipart(`${part('name="a"', '--C\r\nv')}--B--\r\n`)
  assert.ok(flags?.unmatchedBoundary && !isStrictError(flags))
})

test('data is everything up to the line end before a boundary, whatever lines it has', () => {
  const plain = ['', '\r\n', '\n\n', '-', '--\n', 'x\r', '\r', 'a\0\xffb']
  const likeBoundary = ['--', '--x', 'x--B', ' --B', 'x\n--"B']
  const boundaryAtOnce = ['--B', '--B--\r\nx']
  for (const data of [...plain, ...likeBoundary, ...boundaryAtOnce]) {
    const body = multipart(`${part('name="a"', data)}${part('name="f"; filename="g"', data)}--B--\r\n`)
    const json = JSON.stringify(data)
    assert.deepEqual(pairs(body), [['a', data]], json)
    assert.equal(body.files?.[0]?.content, data, json)
    assert.equal(body.multipart?.unmatchedBoundary, likeBoundary.includes(data), json)
    assert.equal(body.multipart?.invalidPart, boundaryAtOnce.includes(data), json)
  }
})

test('what lies behind a boundary that others could see is not read', () => {
  for (const [line, contentType] of [
    ['-- B', type],
    ['--\xa0\tB', type],
    ['--"B"', 'multipart/form-data; boundary="B"'],
  ] as const) {
    const body = multipart(
      `${part('name="a"', 'v')}${part('name="b"', `x\r\n${line}\r\nx--B`)}--B--\r\n`,
      contentType,
    )
    assert.deepEqual(pairs(body), [['a', 'v']])
    assert.match(body.error ?? '', /Invalid boundary \((?:whitespace|quotes)\)/)
    assert.equal(body.multipart?.unmatchedBoundary, false)
  }
})

test('bodies that are nothing but separators, headers or faults take no longer than others', () => {
  const before = process.cpuUsage()
  assert.equal(parseUrlEncoded('&'.repeat(500_000), '&').arguments.length, 500_000)
  const headers = Array.from({ length: 50_000 }, (_, number) => `x-${number}: 1\r\n`).join('')
  assert.equal(multipart(`${part('name="a"', 'v', headers)}--B--\r\n`).partHeaders?.length, 50_001)
  for (const data of ['\n', ' ', '-', 'x--B ', '--']) {
    const body = multipart(`${part('name="f"; filename="g"', data.repeat(10_000_000))}--B--\r\n`)
    assert.equal(body.files?.[0]?.content.length, data.length * 10_000_000)
  }
  assert.equal(parseXmlBody(`<a>${'\x01'.repeat(3_000_000)}b</a>`).xml?.text.length, 3_000_001)
  // Half a minute of the processor when each looks at all others; half a second when it does not.
  assert.ok(process.cpuUsage(before).user < 15_000_000)
})
