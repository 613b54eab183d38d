import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const run = promisify(execFile)
const databases = join(import.meta.dirname, 'support/firewall/geoip')

/** Addresses of this machine, as the databases have them. */
const [french, american, unclassified] = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

const files = newFolder()
const database = join(files, 'countries.mmdb')
const lists = join(files, 'lists')
/** Two workers, since each reads the files for itself. */
const configuration = {
  workers: 2,
  ipReputation: { geoipDatabase: database, listsFolder: lists },
}
let management: Management
let server: Server
let proxy: ProxyProcess
let shopPort: number
before(async () => {
  mkdirSync(lists)
  server = await Server.start()
  proxy = await ProxyProcess.start(server, newFolder(), configuration)
  management = await Management.connect(server)
  shopPort = await application((_, response) => response.end('reached'))
  await management.call('POST', 'geo-pools', { name: 'france', region: 'france' })
  await management.call('POST', 'geo-pools', { name: 'europe', region: 'Europe, Atlantis' })
  await management.call('POST', 'self-signed-certificate', {
    name: 'site',
    'common-name': 'shop.example',
    'country-code': 'DE',
    'organization-name': 'Shop',
  })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

/** A service that blocks, with these members of ip-reputation. @returns asks it from an address: gives the status, or 000 for no answer */
async function guarded(name: string, members: object, service: object = {}, mode = 'Active') {
  const port = await management.protect(name, shopPort, { ...service, status: 'Off' })
  await management.call('PUT', `services/${name}/basic-security`, { mode, 'client-ip-addr-header': 'X-Real' })
  await management.call('PUT', `services/${name}/ip-reputation`, {
    'enable-ip-reputation-filter': 'On',
    'geoip-enable-logging': 'Yes',
    ...members,
  })
  await management.call('PUT', `services/${name}/advanced-configuration`, { 'enable-http2': 'Yes' })
  await management.call('PUT', `services/${name}`, { status: 'On' })
  await management.untilHealth(`services/${name}`, 'Up')
  const scheme = 'type' in service ? 'https' : 'http'
  return async (from: string, ...argv: readonly string[]): Promise<string> => {
    const shown = ['-sk', '--max-time', '20', '--output', '/dev/null', '--write-out', '%{http_code}']
    const asked = run('curl', [...shown, '--interface', from, ...argv, `${scheme}://127.0.0.1:${port}/`])
    const { stdout } = await asked.catch(({ stdout }: { stdout: string }) => ({ stdout }))
    return stdout
  }
}

const told = (...addresses: readonly string[]) =>
  addresses.flatMap((address) => ['--header', `X-Real: ${address}`])

const entriesOf = (service: string, countMin: number) =>
  management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === service && entry.attack === 'deny-acl-matched',
    countMin,
  )

test('without a database nobody is refused, and the service says so, until there is one', async () => {
  const ask = await guarded('waiting', {
    'geo-pool': 'france',
    'apply-policy-at': 'Application Layer',
    'tor-nodes': 'Block',
  })
  assert.equal(await ask(french), '200')
  await management.untilHealth('services/waiting', 'Up', /no GeoIP database.*Nobody is refused as tor-nodes/)
  copyFileSync(join(databases, 'countries.mmdb'), database)
  writeFileSync(join(lists, 'tor-nodes.txt'), '# exits\n2001:db8::/32\n127.0.0.3 ; loopback\n192.0.2.7\n')
  await untilStatus(() => ask(french), '403')
  await untilStatus(() => ask(american), '403')
  assert.equal(await ask(unclassified), '200')
  await management.untilHealth('services/waiting', 'Up', /^(?!.*(?:GeoIP|tor-nodes))/s)
})

/** All workers have read what was brought: none of several requests in a row, which go to either, is answered otherwise. */
function untilStatus(ask: () => Promise<string>, status: string): Promise<true> {
  return eventually(`nothing but ${status}`, async () => {
    for (let count = 0; count < 8; count++) if ((await ask()) !== status) return undefined
    return true
  })
}

test('a country is kept out by its own address and by that which a header tells, over HTTP/1.1 and HTTP/2, and logged', async () => {
  const ask = await guarded('france', { 'geo-pool': 'france' }, { type: 'HTTPS', certificate: 'site' })
  for (const version of ['--http1.1', '--http2']) {
    assert.equal(await ask(french, version), '000', 'the connection is closed')
    assert.equal(await ask(american, version), '200')
    assert.equal(await ask(unclassified, version), '200')
    assert.equal(
      await ask(american, version, ...told('192.0.2.200')),
      '403',
      'others may share its connection',
    )
    assert.equal(await ask(french, version, ...told('198.51.100.1')), '000', 'whoever claims to be elsewhere')
    assert.equal(await ask(american, version, ...told('198.51.100.1', '192.0.2.200')), '403')
    assert.equal(await ask(american, version, ...told('[::ffff:192.0.2.200]:99')), '403')
    assert.equal(await ask(american, version, ...told('2001:db8:1::1')), '200')
  }
  const [entry] = await entriesOf('france', 10)
  assert.deepEqual(
    [entry?.attack, entry?.action, entry?.['country-code'], entry?.rule],
    ['deny-acl-matched', 'DENY', 'FR', 'geo-pool'],
  )
  const [access] = await management.entries('access-logs', (one) => one['client-ip'] === '2001:db8:1::1')
  assert.equal(access?.country, 'US')
})

test('a pool that is allowed keeps everybody else out of whom a country is known, but for networks that are told apart', async () => {
  const atApplication = { 'apply-policy-at': 'Application Layer' }
  const ask = await guarded('europe', { ...atApplication, 'geo-pool': 'europe', 'geoip-action': 'Allow' })
  await management.untilHealth('services/europe', 'Up', /No client is meant by these regions.*Atlantis/)
  assert.deepEqual([await ask(french), await ask(american), await ask(unclassified)], ['200', '403', '200'])
  // It is registered in the United States, and used in France.
  assert.equal(await ask(unclassified, ...told('192.0.2.200')), '200')
  await management.call('PUT', 'services/europe/ip-reputation', {
    'block-unclassified-ips': 'Block',
    'check-registered-country': 'Yes',
    'geo-pool': 'france',
    'geoip-action': 'Block',
  })
  for (const [member, path, address] of [
    ['allow', 'geoip-allowed-networks', french],
    ['block', 'geoip-blocked-networks', american],
  ] as const) {
    await management.call('POST', `services/europe/${path}`, {
      [`${member}-ip`]: address,
      [`${member}-netmask`]: '255.255.255.255',
    })
  }
  await management.untilHealth('services/europe', 'Up')
  assert.deepEqual([await ask(french), await ask(american), await ask(unclassified)], ['200', '403', '403'])
  assert.equal(await ask(french, ...told('203.0.113.1')), '200', 'a country of registration is one')
})

test('what addresses are known for counts, by list or by database, and a trusted proxy before the firewall is no client', async () => {
  const ask = await guarded('lists', {
    'apply-policy-at': 'Application Layer',
    'tor-nodes': 'Block',
    'anonymous-proxy': 'Block',
  })
  assert.equal(await ask(french), '200')
  assert.equal(await ask(american), '403', 'it is on the list')
  assert.equal(await ask(french, ...told('192.0.2.7')), '403')
  assert.equal(await ask(french, ...told('203.0.113.200')), '403', 'the database says so')
  assert.equal(await ask(american, ...told('192.0.2.1')), '403')
  await management.call('PUT', 'services/lists/advanced-configuration', {
    'proxy-list-status': 'Yes',
    'proxy-list': american,
  })
  await management.untilHealth('services/lists', 'Up')
  assert.equal(await ask(american, ...told('192.0.2.1')), '200')
  assert.equal(await ask(american, ...told('192.0.2.7')), '403')
})

test('a service that only logs lets clients in, and one that blocks does so for trusted clients and by its rules', async () => {
  const members = { 'geo-pool': 'france', 'apply-policy-at': 'Application Layer' }
  const ask = await guarded('passive', members, {}, 'Passive')
  assert.equal(await ask(french), '200')
  const [entry] = await entriesOf('passive', 1)
  assert.deepEqual([entry?.action, entry?.rule], ['LOG', 'geo-pool'])
  await management.call('PUT', 'services/passive/ip-reputation', { 'geoip-enable-logging': 'No' })
  await management.untilHealth('services/passive', 'Up', /nothing shows/)
  await management.call('POST', 'services/passive/content-rules', {
    name: 'strict',
    'host-match': '*',
    'url-match': '/*',
    mode: 'Active',
  })
  await management.untilHealth('services/passive', 'Up')
  assert.equal(await ask(french), '403')
  await management.call('POST', 'trusted-host-groups', { name: 'us' })
  await management.call('POST', 'trusted-host-groups/us/trusted-hosts', {
    name: 'one',
    version: 'IPv4',
    'ip-address': french,
    mask: '255.255.255.255',
  })
  await management.call('PUT', 'services/passive/basic-security', {
    'trusted-hosts-action': 'Allow',
    'trusted-hosts-group': 'us',
  })
  await management.untilHealth('services/passive', 'Up')
  assert.equal(await ask(french), '200')
  assert.equal((await entriesOf('passive', 1)).length, 1, 'what was asked after the first is not logged')
})

test('files are read anew when they change; broken ones leave those of before, also when the proxy starts again', async () => {
  const ask = await guarded('changing', { 'geo-pool': 'france', 'apply-policy-at': 'Application Layer' })
  await untilStatus(() => ask(french), '403')
  copyFileSync(join(databases, 'newer-countries.mmdb'), database)
  await untilStatus(() => ask(french), '200')
  assert.equal(await ask(american), '403')
  writeFileSync(database, 'no database')
  await management.untilHealth(
    'services/changing',
    'Up',
    /is not used: it is no database.*one before goes on/,
  )
  assert.equal(await ask(american), '403')
  await proxy.program.stop()
  proxy = await ProxyProcess.start(server, proxy.folder, configuration)
  await management.untilHealth('services/changing', 'Up', /is not used: it is no database/)
  assert.deepEqual([await ask(american), await ask(french)], ['403', '200'])
  rmSync(join(lists, 'tor-nodes.txt'))
  await management.untilHealth('services/lists', 'Up', /Nobody is refused as tor-nodes/)
})

test('a list of clients is downloaded by each proxy from a server that its own authority vouches for, and survives a restart without it', async () => {
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(files, name)) as [
    string,
    string,
  ]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '9', '-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', ...made, ...subject])
  let list: string | undefined = `# feed\n${american}\n`
  const feed = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (request, response) => {
      const isReader =
        request.headers.authorization === `Basic ${Buffer.from('reader:word').toString('base64')}`
      response.writeHead(isReader && list !== undefined ? 200 : 403).end(list)
    },
  )
  feed.listen(0, '127.0.0.1')
  await once(feed, 'listening')
  const url = `https://reader:word@localhost:${(feed.address() as AddressInfo).port}/bad.txt`
  const ask = await guarded('downloaded', { 'custom-blacklisted-ip-status': 'Block' })
  await management.call('PUT', 'custom-ip-blocklist', { 'custom-ip-list': 'Download', 'download-url': url })
  await management.untilHealth(
    'services/downloaded',
    'Up',
    /Nobody is blocked by custom-ip-blocklist: .*SELF_SIGNED_CERT/,
  )
  assert.equal(await ask(american), '200', 'whoever gives the list is not who it should be')
  await management.call('POST', 'trusted-ca-certificate', {
    name: 'feeds',
    certificate: readFileSync(certificate).toString('base64'),
  })
  await management.call('PUT', 'custom-ip-blocklist', { 'trusted-certificate': 'feeds' })
  await untilStatus(() => ask(american), '403')
  assert.equal(await ask(french), '200')
  await management.untilHealth('services/downloaded', 'Up', /^(?!.*custom-ip-blocklist)/s)
  const [entry] = await entriesOf('downloaded', 1)
  assert.equal(entry?.rule, 'custom-ip-blocklist')
  list = undefined
  feed.close()
  feed.closeAllConnections()
  await proxy.program.stop()
  proxy = await ProxyProcess.start(server, proxy.folder, configuration)
  await management.untilHealth('services/downloaded', 'Up')
  assert.equal(await ask(american), '403')
  assert.doesNotMatch(proxy.program.output, /reader:word/)
  await management.call('PUT', 'custom-ip-blocklist', {
    'custom-ip-list': 'Upload',
    'blacklisted-ips': french,
  })
  await untilStatus(() => ask(american), '200')
  assert.equal(await ask(french), '403')
})
