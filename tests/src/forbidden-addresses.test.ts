/** What an administrator of the firewall names leads neither to the management itself nor to where the operator has forbidden it. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

test('servers on loopback are reached by address and by name, the management and forbidden networks are not', async () => {
  const addresses: string[] = []
  const port = await application((_, response) => {
    addresses.push('application')
    response.end('the application')
  })
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, forbiddenAddresses: ['169.254.0.0/16', '127.0.0.8/29', '::1'] },
  })
  const proxy = await ProxyProcess.start(server)
  const management = await Management.connect(server)
  const { firewall, services } = server.ports
  const own = [firewall.http, firewall.https, services.http, services.https]
  for (const [address, at] of [
    ...own.map((one): [string, number] => ['127.0.0.1', one]),
    ['127.0.0.9', port],
    ['169.254.169.254', 80],
  ] satisfies [string, number][]) {
    const body = { name: 'wrong', 'ip-address': '127.0.0.1', port: await freePort() }
    await management.call('POST', 'services', body)
    await assert.rejects(
      management.call('POST', 'services/wrong/servers', { name: 'one', 'ip-address': address, port: at }),
      /the operator of this system has forbidden connections/,
      `${address} ${at}`,
    )
    await management.call('DELETE', 'services/wrong')
  }

  const respond = async (name: string, at: number): Promise<Response> => {
    const servicePort = await freePort()
    await management.call('POST', 'services', { name, 'ip-address': '127.0.0.1', port: servicePort })
    const one = { name: 'one', identifier: 'Hostname', hostname: 'localhost', port: at }
    await management.call('POST', `services/${name}/servers`, one)
    await management.untilHealth(`services/${name}`, 'Up')
    return fetch(`http://127.0.0.1:${servicePort}/`)
  }
  const allowed = await respond('allowed', port)
  assert.deepEqual([allowed.status, await allowed.text()], [200, 'the application'])
  const led = await respond('led-to-the-management', services.http)
  assert.ok(led.status >= 502, `${led.status}`)
  assert.deepEqual(addresses, ['application'])
  await proxy.program.stop()
  await server.remove()
})

test('a list with what is no network keeps the server from starting', async () => {
  const file = join(newFolder(), 'palisade.yaml')
  writeFileSync(file, 'firewall: { forbiddenAddresses: [169.254.0.0/16, metadata] }', { mode: 0o600 })
  const program = new Program(['serve', '--config', file, '--data-directory', newFolder()])
  assert.equal((await program.ended()).status, 1)
  assert.match(
    program.output,
    /palisade\.yaml:1:50: firewall\.forbiddenAddresses\.1 must be an address, or a network/,
  )
})
