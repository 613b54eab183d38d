import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syslogMessage, withLengthPrefix } from '@palisade/platform'
import { logsFormat } from '../catalogue/system/system/logs.ts'
import { type LogName, logNames } from '../logs/log-types.ts'
import { formatLine } from './line-format.ts'

const time = Date.UTC(2026, 0, 31, 12, 0, 0, 7)

test('a line has the parts that its format names, and everything else as it stands', () => {
  const line = formatLine(
    '%t|%un|%lt|%m %u [%ci] 100%',
    { method: 'GET', url: '/', 'client-ip': '192.0.2.1' },
    {
      log: 'access',
      unit: 'waf1',
      time,
    },
  )
  assert.equal(line, '2026-01-31 12:00:00.007 +0000|waf1|TR|GET / [192.0.2.1] 100%')
})

test('what nobody knows is "-", and what has blanks or quotes can be taken apart again', () => {
  const entry = { attack: 'SQL "Attack"', rule: '', 'attack-detail': 'line\nbreak \\' }
  const line = formatLine('%ad %ri %nonsense %adl', entry, { log: 'web-firewall', unit: 'a', time })
  assert.equal(line, '"SQL \\"Attack\\"" - - "line break \\\\"')
})

test('every word of the usual formats stands for something', () => {
  const names: Readonly<Record<LogName, keyof typeof logsFormat.fields>> = {
    access: 'access-logs-custom-format',
    'web-firewall': 'web-firewall-logs-custom-format',
    audit: 'audit-logs-custom-format',
    'network-firewall': 'network-logs-custom-format',
    system: 'system-logs-custom-format',
  }
  const everything = new Proxy(
    {},
    { get: (_, field) => (typeof field === 'string' ? `${field}!` : undefined) },
  )
  const unknown = logNames.flatMap((log) => {
    const format = String((logsFormat.fields[names[log]] as { default?: string }).default)
    const words = format.split(' ')
    const parts = formatLine(words.map((word) => word.replace('%t', 'time')).join('\t'), everything, {
      log,
      unit: 'u',
      time,
    }).split('\t')
    return words.filter((_, index) => parts[index] === '-').map((word) => `${log} ${word}`)
  })
  // The documented entries have no such fields.
  assert.deepEqual(unknown, ['access %s', 'audit %cn', 'network-firewall %sl', 'network-firewall %dsc'])
})

const facts = { facility: 16, severity: 5, time, host: 'waf 1', messageId: 'access' }

test('a message begins as RFC 5424 says', () => {
  assert.equal(
    syslogMessage(facts, 'GET /').toString(),
    `<133>1 2026-01-31T12:00:00.007Z waf1 palisade ${process.pid} access - GET /`,
  )
  assert.equal(withLengthPrefix(Buffer.from('häh')).toString(), '4 häh')
})

test('a long message is cut between two characters', () => {
  for (let shift = 0; shift < 4; shift++) {
    const message = syslogMessage(facts, `${'x'.repeat(shift)}${'😀'.repeat(3000)}`)
    assert.ok(message.length <= 8192 && message.length > 8188)
    assert.ok(!message.toString().includes('\ufffd'))
  }
})
