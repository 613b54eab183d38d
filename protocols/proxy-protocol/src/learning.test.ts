import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LearntParameter, type LearntUrl, learntMax, mergedUrl } from './learning.ts'

const parameter: LearntParameter = {
  name: 'do',
  in: 'form',
  requests: 1,
  clients: ['192.0.2.1'],
  instances: 1,
  length: 4,
  classes: ['Alpha', 'Alphanumeric'],
  characters: '',
  sentences: 0,
  values: [{ digest: 'a' }],
  hasOtherValues: false,
  extensions: [],
}

const learntUrl = (more: Partial<LearntParameter>, of: Partial<LearntUrl> = {}): LearntUrl => ({
  service: 'wiki',
  url: '/doku.php',
  requests: 1,
  clients: ['192.0.2.1'],
  firstAt: 5,
  lastAt: 5,
  methods: ['GET'],
  contentTypes: [],
  bodyBytes: 0,
  files: 0,
  parameters: [{ ...parameter, ...more }],
  ...of,
})

test('two sketches of a URL are one of all requests', () => {
  const one = learntUrl({}, { clients: ['192.0.2.1'], firstAt: 3 })
  const other = learntUrl(
    {
      clients: ['192.0.2.2'],
      classes: ['Alphanumeric'],
      characters: '.',
      length: 9,
      values: [{ digest: 'b' }],
    },
    { clients: ['192.0.2.2'], methods: ['POST'], bodyBytes: 7, lastAt: 8 },
  )
  const both = mergedUrl(one, other)
  assert.deepEqual([both.requests, both.clients.length, both.firstAt, both.lastAt], [2, 2, 3, 8])
  assert.deepEqual([both.methods, both.bodyBytes], [['GET', 'POST'], 7])
  const [merged] = both.parameters
  assert.deepEqual([merged?.classes, merged?.characters, merged?.length], [['Alphanumeric'], '.', 9])
  assert.equal(merged?.values.length, 2)
})

test('a value that somebody may tell is told, and too many values are none', () => {
  const url = mergedUrl(learntUrl({}), learntUrl({ values: [{ digest: 'a', value: 'edit' }] }))
  assert.deepEqual(url.parameters[0]?.values, [{ digest: 'a', value: 'edit' }])
  assert.deepEqual(mergedUrl(url, learntUrl({})).parameters[0]?.values, [{ digest: 'a', value: 'edit' }])
  const all = Array.from({ length: learntMax.values + 1 }, (_, at) =>
    learntUrl({ values: [{ digest: String(at) }] }),
  )
  const many = all.reduce(mergedUrl)
  assert.deepEqual(many.parameters[0]?.values, [])
  assert.equal(many.parameters[0]?.hasOtherValues, true)
  assert.equal(mergedUrl(many, learntUrl({})).parameters[0]?.hasOtherValues, true)
})

test('a member of JSON and a parameter of the same name are two, whichever comes first', () => {
  const inBoth = learntUrl({}, { parameters: [parameter, { ...parameter, in: 'json', length: 9 }] })
  const turned = { ...inBoth, parameters: inBoth.parameters.toReversed() }
  for (const [one, other] of [
    [inBoth, turned],
    [turned, inBoth],
  ] as const) {
    const merged = mergedUrl(one, other).parameters.map((each) => [each.in, each.requests, each.length])
    assert.deepEqual(merged.sort(), [
      ['form', 2, 4],
      ['json', 2, 9],
    ])
  }
})
