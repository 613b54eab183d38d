import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Content } from '../../objects/content.ts'
import { objectOfKind } from '../../testing/object-of-kind.ts'
import { compileHealth } from './compile.ts'

const health = (sections: Content['sections'] = {}, kind = 'server') =>
  compileHealth(objectOfKind(kind, { sections }))

test('failures of the traffic are counted, and nobody is asked who is not to be', () => {
  const sections = {
    'in-band-health-checks': { 'max-http-errors': 7 },
    'out-of-band-health-checks': { 'enable-oob-health-checks': 'No' },
  }
  assert.deepEqual(health(sections), {
    refusedMax: 10,
    timeoutsMax: 10,
    httpErrorsMax: 7,
    otherFailuresMax: 10,
  })
})

test('a server without a URL is only connected to', () => {
  for (const [kind, status] of [
    ['server', 'Yes'],
    ['rule-group-server', 'On'],
  ] as const) {
    const { probe } = health(
      { 'out-of-band-health-checks': { 'enable-oob-health-checks': status, interval: 3 } },
      kind,
    )
    assert.deepEqual(probe, { everySeconds: 3 })
  }
})

test('a request says which answer is a good one; lines that are no headers are left out', () => {
  const { probe } = health({
    'out-of-band-health-checks': { 'enable-oob-health-checks': 'Yes' },
    'application-layer-health-checks': {
      url: '/health',
      domain: 'a.example',
      'additional-headers': ['X-Token: a, b', 'no header'],
      'match-content-string': 'fine',
    },
  })
  assert.deepEqual(probe, {
    everySeconds: 10,
    request: {
      path: '/health',
      method: 'GET',
      host: 'a.example',
      headers: ['X-Token', 'a, b'],
      status: 200,
      contains: 'fine',
    },
  })
})
