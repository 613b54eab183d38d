import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SnapshotHeaderAcl } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { noAttackTypes, testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

const pattern = {
  name: 'words',
  type: 'SQL Injection strict',
  regex: 'select\\s+from',
  isCaseSensitive: false,
  isPassive: false,
}

function acl(more: Partial<SnapshotHeaderAcl>): SnapshotHeaderAcl {
  return {
    name: 'acl',
    header: 'x-token',
    isPassive: false,
    deniedCharacters: '',
    attackTypes: noAttackTypes,
    ...more,
  }
}

test('a header is refused for its length, its characters and what it looks like; others have the rule for all', async (t) => {
  const headerAcls = [
    acl({ valueBytes: 20, deniedCharacters: '<\0' }),
    acl({ name: 'any', header: '*', attackTypes: { ...noAttackTypes, patterns: [pattern] } }),
    acl({ name: 'quiet', header: 'x-quiet', isPassive: true, valueBytes: 1 }),
  ]
  const { port, exchanges } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' }, checks: testChecks({ headerAcls }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  const send = (header: string) => exchangeBytes(port, `GET / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`)
  const refused: Readonly<Record<string, string>> = {
    [`X-Token: ${'a'.repeat(21)}`]: 'header-value-length-exceeded',
    'X-Token: a<b': 'metacharacter-in-header',
    'X-Other: SELECT from': 'sql-injection-in-header',
  }
  for (const [header, attack] of Object.entries(refused)) {
    assert.match(await send(header), new RegExp(`^HTTP/1.1 403 [^]*refused: ${attack}`), header)
  }
  for (const header of ['X-Token: select from', 'X-Other: a<b', 'X-Quiet: aa'])
    assert.match(await send(header), /reached/, header)
  assert.deepEqual(
    exchanges.at(-1)?.violations.map(({ action, rule }) => [action, rule]),
    [['LOG', 'quiet']],
  )
})
