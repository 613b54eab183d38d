import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openStore, type Store } from '@palisade/platform'
import { type ServedService, settableClock } from '@palisade/platform/testing'
import { proxyAddresses } from '@palisade/proxy-protocol'
import { LockedOutClients } from '../operations/locked-out/locked-out-clients.ts'
import { callAsProxy } from '../testing/as-proxy.ts'
import { assertAlike } from '../testing/assert-alike.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { operationExamples } from './operation-examples.ts'

const directory = mkdtempSync(join(tmpdir(), 'palisade-operation-examples-'))
const clock = settableClock()
let store: Store
let served: ServedService
let client: Client

before(async () => {
  store = openStore('embedded', directory)
  served = await serveFirewall({ store, dataDirectory: directory, clock })
  client = await logIn(served.baseUrl)
})
after(async () => {
  await served.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

/** Never answered, or only by a server that tests do not have. */
const notTried = ['applyUpdate', 'obtainCertificate', 'testBackupConnection', 'tryStoredRequests']

test('what is shown of operations is taken by them, and is of the form of their replies', async () => {
  const tried = new Set<string>()
  /** Makes the call with the example's body, or with another one, and compares the reply. */
  async function compare(name: string, method: string, path: string, body?: object): Promise<unknown> {
    const example = operationExamples[name]
    const sent = body ?? example?.body
    const { status, text } = await client.call(method, path, sent)
    assert.ok(status < 300, `${name}: ${text}`)
    const { token, ...reply } = JSON.parse(text)
    assert.equal(typeof token, 'string', name)
    assertAlike(example?.reply, reply, name)
    tried.add(name)
    return reply
  }

  const checkpoints = 'configuration-checkpoints'
  await client.call('POST', 'services', { name: 'intranet', 'ip-address': '192.0.2.9' })
  await compare('createCheckpoint', 'POST', checkpoints)
  await compare('listCheckpoints', 'GET', checkpoints)
  await compare('readCheckpoint', 'GET', `${checkpoints}/before-release`)
  await client.call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.10', 'session-timeout': 300 })
  await client.call('PUT', 'services/intranet', { 'session-timeout': 300 })
  await compare('readCheckpointDifferences', 'GET', `${checkpoints}/before-release/differences`)
  await compare('exportConfiguration', 'POST', 'ops/export-configuration')

  const { filename } = Object(await compare('makeBackup', 'PUT', 'backup/manual-backup'))
  await compare('listBackups', 'GET', 'backup/get-remote-backup')
  await compare('generateBackupKey', 'GET', 'backup/generate-encryptionkey')
  await client.call('PUT', 'services/intranet', { 'session-timeout': 60 })
  const restored = { ...operationExamples.restoreBackup?.body, filename }
  await compare('restoreBackup', 'POST', 'backup/restore-backup', restored)
  await compare('rollBackToCheckpoint', 'POST', `${checkpoints}/before-release/rollback`)
  await compare('deleteCheckpoint', 'DELETE', `${checkpoints}/before-release`)
  await client.call('POST', 'services', { name: 'shop', 'ip-address': '192.0.2.10' })
  await compare('importConfiguration', 'POST', 'ops/import-configuration')
  await compare('listRunningTasks', 'GET', 'ops/running-tasks')

  await compare('addCertificate', 'POST', 'certificates')
  await compare('listCertificates', 'GET', 'certificates')
  await compare('readCertificate', 'GET', 'certificates/www.example.com')
  await compare('removeCertificate', 'DELETE', 'certificates/www.example.com')
  await compare('checkForUpdate', 'POST', 'energize-updates/check-for-update')

  const get = { responses: { 200: { description: 'all of them' } } }
  const upload = {
    ...operationExamples.importOpenApi?.body,
    operation: 'upload',
    'import-file-content': { openapi: '3.1.0', paths: { '/orders': { get } } },
  }
  assert.equal((await client.call('POST', 'ops/import-openapi', upload)).status, 200)
  await compare('importOpenApi', 'POST', 'ops/import-openapi')

  const lockedUntil = clock.now() + 60_000
  const lockedOut = new LockedOutClients({ store, clock })
  await lockedOut.lock({ service: 'shop', client: '192.0.2.20', reason: 'too many requests', lockedUntil })
  await compare('listLockedOutClients', 'GET', 'locked-out-clients')
  await compare('releaseLockedOutClients', 'DELETE', 'locked-out-clients?client=192.0.2.20')

  await learn()
  const profiles = 'services/shop/profile-proposals'
  const profile = await compare('listProfileProposals', 'GET', profiles)
  await compare('getProfileProposal', 'GET', `${profiles}/${onlyName(profile)}`)
  await compare('acceptProfileProposal', 'POST', `${profiles}/${onlyName(profile)}`)
  await compare('acceptProfileProposals', 'POST', profiles)
  await compare('forgetProfileProposals', 'DELETE', profiles)
  const exceptions = 'services/shop/rule-exception-proposals'
  const exception = await compare('listRuleExceptionProposals', 'GET', exceptions)
  await compare('getRuleExceptionProposal', 'GET', `${exceptions}/${onlyName(exception)}`)
  await compare('getRefusedRequest', 'GET', 'refused-requests/1')
  const replay = `services/shop/rule-exception-replay?exceptions=${onlyName(exception)}`
  await compare('replayRuleExceptions', 'GET', replay)
  await compare('findSmallestException', 'POST', 'refused-requests/1/smallest-exception')
  await compare('getStoredRequests', 'GET', 'services/shop/stored-requests')
  await compare('deleteStoredRequests', 'DELETE', 'services/shop/stored-requests')
  await compare('getTrafficHistory', 'GET', 'stats/history?steps=2')
  await compare('acceptRuleExceptionProposal', 'POST', `${exceptions}/${onlyName(exception)}`)
  await compare('rejectRuleExceptionProposal', 'DELETE', `${exceptions}/${onlyName(exception)}`)

  assert.deepEqual([...tried, ...notTried].sort(), Object.keys(operationExamples).sort())
})

/** What proxies saw: a form that people fill in, and a request that a rule refused. */
async function learn(): Promise<void> {
  const clients = ['192.0.2.20', '192.0.2.21']
  const parameter = {
    name: 'user',
    in: 'form',
    requests: 120,
    clients,
    instances: 1,
    length: 12,
    classes: [],
    characters: '',
    sentences: 0,
    values: [],
    hasOtherValues: true,
    extensions: [],
  }
  const url = {
    service: 'shop',
    url: '/login',
    requests: 240,
    clients,
    firstAt: clock.now() - 3 * 24 * 60 * 60 * 1000,
    lastAt: clock.now(),
    methods: ['GET', 'POST'],
    contentTypes: [],
    bodyBytes: 64,
    files: 0,
    parameters: [parameter],
  }
  assert.equal((await callAsProxy(served, directory, proxyAddresses.learnt, { urls: [url] })).status, 204)
  const finding = {
    time: clock.now(),
    'request-id': '1',
    'service-name': 'shop',
    'rule-type': 'Core Rule Set',
    severity: 'Critical',
    'client-ip': '192.0.2.20',
    method: 'POST',
    url: '/comments',
  }
  const rule = { rule: '942100', 'rule-target': 'ARGS:text', 'attack-detail': 'ARGS:text: *****' }
  const verdict = {
    rule: '949110',
    'rule-target': 'TX:ANOMALY_SCORE',
    attack: 'Inbound Anomaly Score Exceeded (Total Score: 5)',
  }
  const webFirewall = [rule, verdict].map((one) => ({ ...finding, ...one }))
  const logged = { access: [], webFirewall }
  assert.equal((await callAsProxy(served, directory, proxyAddresses.logs, logged)).status, 204)
  const counted = [{ time: clock.now(), service: 'shop', counts: { requests: 3, attacks: 1 } }]
  const counts = { proxy: 'one', message: '1', counted }
  assert.equal((await callAsProxy(served, directory, proxyAddresses.counts, counts)).status, 204)
}

function onlyName(reply: unknown): string {
  const [name = ''] = Object.keys(Object(reply).data)
  return name
}
