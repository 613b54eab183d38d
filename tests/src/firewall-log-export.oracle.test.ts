import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

const application = createServer((_, response) => response.end('served'))
const folder = newFolder()
const output = join(folder, 'received')
const jsonLogs = join(folder, 'json')
let receiver: ChildProcess
let ports: { tcp: number; tls: number; udp: number }
let management: Management
let service: number

before(async () => {
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  ports = { tcp: await freePort(), tls: await freePort(), udp: await freePort() }
  receiver = startReceiver()
  const server = await Server.start(newFolder(), {
    ...provisioned,
    firewall: { ...provisioned.firewall, jsonLogsFolder: jsonLogs },
  })
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  service = await management.protect('shop', (application.address() as AddressInfo).port)
  await management.untilHealth('services/shop', 'Up')
})
after(async () => {
  receiver.kill()
  application.close().closeAllConnections()
  await cleanUp()
})

/** A syslog receiver of others, which writes down what it understood of each message. */
function startReceiver(): ChildProcess {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  if (!existsSync(key)) {
    const parameters = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
    ]
    execFileSync(
      'openssl',
      [...parameters, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
      { stdio: 'ignore' },
    )
  }
  const file = join(folder, 'rsyslog.conf')
  writeFileSync(
    file,
    `global(workDirectory="${folder}" maxMessageSize="16k"
  defaultNetstreamDriverCAFile="${certificate}" defaultNetstreamDriverCertFile="${certificate}" defaultNetstreamDriverKeyFile="${key}")
module(load="imtcp") module(load="imudp")
template(name="seen" type="string" string="%inputname% %syslogfacility-text% %syslogseverity-text% %hostname% %app-name% %msgid% %protocol-version% %msg%\\n")
ruleset(name="write") { action(type="omfile" file="${output}" template="seen") }
input(type="imtcp" name="tcp" address="127.0.0.1" port="${ports.tcp}" ruleset="write")
input(type="imtcp" name="tls" address="127.0.0.1" port="${ports.tls}" ruleset="write" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imudp" name="udp" address="127.0.0.1" port="${ports.udp}" ruleset="write")
`,
  )
  return spawn('/usr/sbin/rsyslogd', ['-n', '-f', file, '-i', join(folder, 'pid')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function lines(fits: RegExp, countMin = 1): Promise<string[]> {
  return eventually(
    `${countMin} lines like ${fits}`,
    async () => {
      const all = existsSync(output) ? readFileSync(output, 'utf8').split('\n') : []
      const fitting = all.filter((line) => fits.test(line))
      return fitting.length >= countMin ? fitting : undefined
    },
    20_000,
  )
}

const visit = (path: string) => fetch(`http://127.0.0.1:${service}${path}`).then((reply) => reply.text())

test('access, web firewall and audit logs reach a syslog receiver over TCP, TLS and UDP', async () => {
  await management.call('POST', 'trusted-ca-certificate', {
    name: 'receiver',
    certificate: readFileSync(join(folder, 'certificate.pem')).toString('base64'),
  })
  await management.call('PUT', 'system/export-log-filters', { 'web-firewall-log-severity': '5-Notice' })
  for (const [name, type, port, host] of [
    ['tcp', 'TCP', ports.tcp, '127.0.0.1'],
    ['tls', 'SSL', ports.tls, 'localhost'],
    ['udp', 'UDP', ports.udp, '127.0.0.1'],
  ] as const) {
    await management.call('POST', 'syslog-servers', {
      name,
      'server-type': 'Syslog NG',
      'ip-address': host,
      port,
      'connection-type': type,
      'validate-server-certificate': 'Yes',
    })
  }
  await management.call('PUT', 'system/syslog-settings', { 'web-firewall-log-facility': 'local3' })
  await visit('/first?id=1%27%20or%20%271%27=%271%20union%20select%201')
  for (const over of ['tcp', 'tls', 'udp']) {
    const [access] = await lines(
      new RegExp(`^${over} local0 notice \\S+ palisade access 1 .* TR .* GET HTTP .* /first `),
    )
    assert.ok(access)
    await lines(
      new RegExp(
        `^${over} local3 \\w+ \\S+ palisade web-firewall 1 .* WF CRITICAL|^${over} local3 crit`,
        'i',
      ),
    )
    await lines(new RegExp(`^${over} .* palisade audit 1 .* AUDIT admin `))
  }
})

test('a format of the administrator counts, and a log that is not to be exported stays', async () => {
  await management.call('PUT', 'system/logs-format', {
    'access-logs-standard-format': 'Customized Formats',
    'access-logs-custom-format': 'visited=%u by=%ci',
  })
  await management.call('PUT', 'system/export-log-settings', { 'export-web-firewall-logs': 'Disable' })
  const before = (await lines(/ web-firewall /)).length
  await visit('/second?id=1%27%20or%20%271%27=%271%20union%20select%201')
  await lines(/^tcp .* access 1 visited=\/second by=127\.0\.0\.1$/)
  assert.equal((await lines(/ web-firewall /)).length, before)
})

test('what was logged while the receiver was away comes when it is back', async () => {
  receiver.kill()
  await once(receiver, 'exit')
  await visit('/away')
  await management.entries('access-logs', ({ url }) => url === '/away')
  receiver = startReceiver()
  await lines(/^tcp .* visited=\/away /)
  await lines(/^tls .* visited=\/away /)
})

test('the same entries are in files of JSON lines', async () => {
  await eventually('the entry in a file', async () => {
    const [file] = readdirSync(jsonLogs).filter((name) => /^access-\d{4}-\d\d-\d\d\.jsonl$/.test(name))
    const text = file === undefined ? '' : readFileSync(join(jsonLogs, file), 'utf8')
    const entries = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    return entries.some(({ url, method }) => url === '/away' && method === 'GET') ? true : undefined
  })
})
