import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SnapshotCertificateRule, SnapshotService } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import { Policy } from '../policy/policy.ts'
import { TrafficMemory } from '../policy/traffic-memory.ts'
import { clientCertificates } from './client-certificates.ts'
import type { FilterDependencies } from './filter.ts'

const folder = mkdtempSync(join(tmpdir(), 'palisade-client-certificates-'))
test.after(() => rmSync(folder, { recursive: true }))

function certificate(subject: string, serial = '0x0a1b'): X509Certificate {
  const [key, pem] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...args, '-subj', subject, '-set_serial', serial, '-keyout', key, '-out', pem], {
    stdio: 'ignore',
  })
  return new X509Certificate(readFileSync(pem))
}

const deps: FilterDependencies = {
  policy: new Policy(undefined),
  policies: [],
  memory: new TrafficMemory().of('shop'),
  rules: undefined,
  onLearnt: () => undefined,
}

/** Whether a client that shows the certificate is let in. */
function isLetIn(
  rules: readonly SnapshotCertificateRule[],
  presented: X509Certificate | undefined,
  authorized = true,
): boolean {
  const socket = { authorized, getPeerX509Certificate: () => presented }
  const exchange = { request: { socket }, violations: [], judge: { policy: deps.policy } }
  const filter = clientCertificates.make({ certificateRules: rules } as unknown as SnapshotService, deps)
  return filter?.onRequest?.(exchange as unknown as Exchange) === undefined
}

test('the first rule that fits a certificate decides, and none keeps nobody out', () => {
  const ann = certificate('/C=DE/O=Acme, Inc./OU=Sales/CN=Ann')
  const bob = certificate('/C=DE/O=Acme, Inc./OU=Lab/OU=Roof/CN=Bob', '0x0fff')
  const rules: SnapshotCertificateRule[] = [
    { name: 'ann', does: 'allow', subject: { CN: 'ann', C: 'DE' } },
    { name: 'acme', does: 'deny', subject: { O: 'ACME, *' } },
  ]
  assert.equal(isLetIn(rules, ann), true)
  assert.equal(isLetIn(rules, bob), false)
  assert.equal(isLetIn(rules, certificate('/O=Other/CN=Eve')), true)
  assert.equal(isLetIn([{ name: 'roof', does: 'deny', subject: { OU: 'roof' } }], bob), false)
  assert.equal(isLetIn([{ name: 'serial', does: 'deny', subject: {}, serial: 'FFF' }], bob), false)
  assert.equal(isLetIn([{ name: 'serial', does: 'deny', subject: {}, serial: 'FFF' }], ann), true)
})

test('clients without a certificate that is trusted are none of the rules’ business', () => {
  const everybody: SnapshotCertificateRule[] = [{ name: 'all', does: 'deny', subject: {} }]
  assert.equal(isLetIn(everybody, undefined), true)
  assert.equal(isLetIn(everybody, certificate('/CN=Eve'), false), true)
  assert.equal(isLetIn(everybody, certificate('/CN=Ann')), false)
})
