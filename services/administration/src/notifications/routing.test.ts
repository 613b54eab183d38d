import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOfNotifications } from '../notification-configuration.ts'
import { afterQuietHours, destinationsOf } from './routing.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
const at = (text: string) => Date.parse(text)

test('quiet hours go past midnight on the clock of their time zone', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['2030-01-01T20:59:00Z', '2030-01-01T20:59:00.000Z'],
    ['2030-01-01T21:00:00Z', '2030-01-02T06:00:00.000Z'],
    ['2030-01-02T05:59:59Z', '2030-01-02T06:00:00.000Z'],
    ['2030-01-02T06:00:00Z', '2030-01-02T06:00:00.000Z'],
    ['2030-07-01T20:30:00Z', '2030-07-02T05:00:00.000Z'],
    // The clock is put forward in this night, and back in that one.
    ['2030-03-30T23:00:00Z', '2030-03-31T05:00:00.000Z'],
    ['2030-10-26T23:00:00Z', '2030-10-27T06:00:00.000Z'],
  ]
  for (const [given, expected] of cases) {
    assert.equal(new Date(afterQuietHours(at(given), night)).toISOString(), expected, given)
  }
})

test('each channel gets word once, by severity and service; what is critical does not wait', () => {
  const now = at('2030-01-01T23:00:00Z')
  const routes = [
    { channels: ['mail', 'ops'], groupSeconds: 30, quietHours: night },
    { channels: ['ops'], groupSeconds: 60, severities: ['critical' as const] },
    { channels: ['siem'], groupSeconds: 0, services: ['firewall'] },
  ]
  assert.deepEqual(destinationsOf({ severity: 'critical', service: 'backup' }, routes, now), [
    { channel: 'mail', dueAt: now + 30_000 },
    { channel: 'ops', dueAt: now + 30_000 },
  ])
  const morning = at('2030-01-02T06:00:00Z')
  assert.deepEqual(destinationsOf({ severity: 'info', service: 'firewall' }, routes, now), [
    { channel: 'mail', dueAt: morning },
    { channel: 'ops', dueAt: morning },
    { channel: 'siem', dueAt: now },
  ])
})

test('a configuration that contradicts itself is refused with the members at fault', () => {
  const webhook = { url: 'https://hooks.example', secret: 'a secret of some length' }
  assert.deepEqual(
    problemsOfNotifications({
      channels: [
        { name: 'ops', webhook },
        { name: 'ops', webhook, syslog: { host: 'siem.example', port: 6514 } },
        { name: 'none' },
      ],
      routes: [
        { channels: ['pager'], groupSeconds: 30, quietHours: { ...night, timeZone: 'Europe/Atlantis' } },
      ],
      forbiddenAddresses: ['10.0.0.0/8', 'metadata.example'],
    }).map(({ message }) => message),
    [
      'administration.notifications.channels.1 must have one of webhook, email and syslog',
      'administration.notifications.channels.1.name is that of another channel',
      'administration.notifications.channels.2 must have one of webhook, email and syslog',
      'administration.notifications.routes.0.channels.0 is "pager", and there is no such channel',
      'administration.notifications.routes.0.quietHours.timeZone must be a time zone such as Europe/Berlin',
      'administration.notifications.forbiddenAddresses.1 must be an address, or a network such as 169.254.0.0/16',
    ],
  )
})
