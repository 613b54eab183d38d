import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '../../kinds/values.ts'
import { objectOfKind } from '../../testing/object-of-kind.ts'
import { compileCiphers } from './ciphers.ts'
import { versionRange } from './versions.ts'

const ciphers = (values: Values) =>
  compileCiphers(objectOfKind('service', { sections: { 'ssl-security': values } }))?.split(':')
const own = 'Use Configured Values'

test('a preset counts, whatever is selected', () => {
  const preset = 'Mozilla Modern Compatibility'
  assert.deepEqual(
    ciphers({ 'ssl-tls-presets': preset, ciphers: 'Custom', 'selected-ciphers': ['AES128-SHA'] }),
    ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  )
})

test('the TLS library chooses where nothing is selected', () => {
  assert.equal(ciphers({ 'ssl-tls-presets': own, ciphers: 'Default' }), undefined)
})

test('what overrides the ciphers of one version is offered in the place of those selected for it', () => {
  const settings = {
    'ssl-tls-presets': own,
    ciphers: 'Custom',
    'selected-ciphers': ['TLS_AES_256_GCM_SHA384', 'AES128-SHA'],
  }
  assert.deepEqual(ciphers(settings), ['TLS_AES_256_GCM_SHA384', 'AES128-SHA'])
  assert.deepEqual(ciphers({ ...settings, 'override-ciphers-tls-1-2': ['AES256-SHA'] }), [
    'TLS_AES_256_GCM_SHA384',
    'AES256-SHA',
  ])
  assert.deepEqual(ciphers({ ...settings, 'enable-pfs': 'Yes' }), ['TLS_AES_256_GCM_SHA384'])
})

test('the oldest and the newest version that are spoken', () => {
  const range = (speaksTls12: boolean, speaksTls13: boolean) => {
    const { oldestVersion, newestVersion } = versionRange({ speaksTls12, speaksTls13 }) ?? {}
    return [oldestVersion, newestVersion]
  }
  assert.deepEqual(range(true, true), ['TLSv1.2', 'TLSv1.3'])
  assert.deepEqual(range(true, false), ['TLSv1.2', 'TLSv1.2'])
  assert.deepEqual(range(false, true), ['TLSv1.3', 'TLSv1.3'])
  assert.deepEqual(range(false, false), [undefined, undefined])
})
