import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { basic, bearer, firewallToken } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

const freePorts = [
  ...['--firewall-listen-http', '0', '--firewall-listen-https', '0'],
  ...['--services-listen-http', '0', '--services-listen-https', '0'],
]

describe('starting from a configuration file', () => {
  test('opens both listeners on HTTP and HTTPS, and says when it is ready', async () => {
    const server = await Server.start(newFolder())
    try {
      const health = await fetch(`${server.services}/healthz`)
      assert.deepEqual([health.status, await health.json()], [200, { status: 'ok' }])
      const ready = await fetch(`${server.services}/readyz`)
      assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready' }])
      assert.match(await (await fetch(`${server.services}/metrics`)).text(), /palisade_http_request_duration/)
      const certificates = await Promise.all(
        [server.ports.firewall.https, server.ports.services.https].map(presentedCertificate),
      )
      assert.equal(certificates.length, 2)
      for (const certificate of certificates) assert.match(certificate, /CN=Palisade/)
    } finally {
      await server.program.stop()
    }
  })

  test('applies what it provisions at each start, and forgets nothing of what was made since', async () => {
    const home = newFolder()
    const first = await Server.start(home)
    const token = await firewallToken(first)
    const reply = await fetch(`${first.firewall}/restapi/v3.2/services`, {
      method: 'POST',
      headers: { ...basic(token), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'app1', 'ip-address': '127.1.0.1', port: 80 }),
    })
    assert.equal(reply.status, 201)
    await first.program.stop()

    const more = structuredClone(provisioned)
    more.email.accounts[0]?.domains.push({ id: 5, name: 'example.net', status: 'UNVERIFIED', type: 'ESS' })
    const second = await Server.start(home, more)
    try {
      const services = await fetch(`${second.firewall}/restapi/v3.2/services`, { headers: basic(token) })
      const { data } = (await services.json()) as { data: Record<string, unknown> }
      assert.deepEqual(Object.keys(data), ['app1'])
      const listing = await fetch(`${second.services}/email/beta/accounts/5584599/ess/domains`, {
        headers: await bearer(second, 'email'),
      })
      assert.equal(((await listing.json()) as { itemsTotal: number }).itemsTotal, 2)
    } finally {
      await second.program.stop()
    }
  })

  test('serves the firewall’s management beside the other services, unless told not to', async () => {
    const server = await Server.start(newFolder())
    const token = basic(await firewallToken(server))
    const beside = `${server.services}/firewall/restapi/v3.2`
    const creation = await fetch(`${beside}/services`, {
      method: 'POST',
      headers: { ...token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'app1', 'ip-address': '127.1.0.1', port: 80 }),
    })
    assert.equal(creation.status, 201)
    const service = await fetch(`${server.firewall}/restapi/v3.2/services/app1`, { headers: token })
    assert.equal(service.status, 200)
    const unknown = await fetch(`${beside}/nothing`, { headers: token })
    assert.equal(Object(await unknown.json()).error.status, '404', 'in the words of the firewall')
    assert.equal(
      (await fetch(`${server.firewall}/firewall/restapi/v3.2/services`, { headers: token })).status,
      404,
    )
    await server.program.stop()

    const services = { ...provisioned.services, serveFirewall: false }
    const without = await Server.start(server.folder, { ...provisioned, services })
    try {
      const reply = await fetch(`${without.services}/firewall/restapi/v3.2/services`, { headers: token })
      assert.equal(reply.status, 404)
      const shopReply = await fetch(`${without.firewall}/restapi/v3.2/services/app1`, { headers: token })
      assert.equal(shopReply.status, 200)
    } finally {
      await without.program.stop()
    }
  })

  test('leaves backups to another server when told so: none of their addresses, and no vault', async () => {
    const home = newFolder()
    const server = await Server.start(home, {
      ...provisioned,
      backup: { ...provisioned.backup, serve: false },
    })
    try {
      const token = await fetch(`${server.services}/backup/oauth2/token`, { method: 'POST' })
      assert.equal(token.status, 404)
      await bearer(server, 'email')
      assert.ok(!existsSync(join(home, 'data', 'vault')))
      assert.ok(!existsSync(join(home, 'data', 'vault.key')))
    } finally {
      await server.program.stop()
    }
  })

  test('reads YAML as well as JSON, and flags and variables override single members', async () => {
    const home = newFolder()
    const file = join(home, 'palisade.yaml')
    writeFileSync(file, `dataDirectory: ${join(home, 'from-file')}\nlog: { level: silent }\n`)
    const program = new Program(
      ['serve', '--config', file, ...freePorts, '--data-directory', join(home, 'from-flag')],
      { PALISADE_LOG_LEVEL: 'info', PALISADE_DATA_DIRECTORY: join(home, 'from-environment') },
    )
    await program.line(/"msg":"ready"/)
    await program.stop()
    assert.ok(readFileSync(join(home, 'from-flag', 'secret.key')).length === 32)
  })

  const wrong: [string, string, RegExp][] = [
    ['an unknown member', 'firewal: {}', /firewal/],
    ['a member of the wrong type', 'services: { listen: { http: eighty } }', /services\.listen\.http/],
    ['a port that none is', 'firewall: { listen: { https: 70000 } }', /firewall\.listen\.https/],
    [
      'a member that lacks what it must have',
      'email: { accounts: [{ name: "Example" }] }',
      /email\.accounts\.0.*id/,
    ],
    ['a database that nobody knows', 'database: mysql://host/db', /database/],
    ['what is no YAML', 'a: [', /palisade\.yaml:1:5: wrong indentation, or a bracket/],
    ['text after a quoted one', 'database: "p4ss"x', /palisade\.yaml:1:17: unexpected token/],
    [
      'a member given twice',
      '{"log": {}, "database": "p4ss", "log": {}}',
      /palisade\.yaml:1:33: log is given twice/,
    ],
    ['text that is taken for an alias', 'database: *p4ss', /alias/],
    ['text that is taken for a tag', 'database: !p4ss', /tag/],
  ]
  for (const [what, yaml, member] of wrong) {
    test(`refuses ${what}, naming its path`, async () => {
      const file = join(newFolder(), 'palisade.yaml')
      writeFileSync(file, yaml)
      const program = new Program(['serve', '--config', file])
      assert.equal((await program.ended()).status, 1)
      assert.match(program.output, member)
      assert.doesNotMatch(program.output, /\n\s+at /, 'no stack trace')
      assert.doesNotMatch(program.output, /p4ss/, 'nothing that may be a password')
    })
  }

  test('refuses a misspelt environment variable', async () => {
    const program = new Program(['serve', ...freePorts], { PALISADE_LOGLEVEL: 'debug' })
    assert.equal((await program.ended()).status, 1)
    assert.match(program.output, /PALISADE_LOGLEVEL/)
  })

  test('starts where the variables of the command line are set', async () => {
    const page = readFileSync(join(root, 'docs/operating/command-line.md'), 'utf8')
    const variables = page.match(/PALISADE_\w+/g) ?? []
    assert.ok(variables.length >= 8)
    const environment = Object.fromEntries(variables.map((name) => [name, 'a value']))
    const data = join(newFolder(), 'data')
    const program = new Program(['serve', '--data-directory', data, ...freePorts], environment)
    await program.line(/"msg":"ready"/)
    assert.equal(await program.stop(), 0)
  })

  test('tells in the log and at /readyz of accounts, users and domains that are none, and knows those of earlier starts', async () => {
    const home = newFolder()
    const [mail] = provisioned.email.apiClients
    const [backup] = provisioned.backup.apiClients
    const settings = {
      ...provisioned,
      backup: { ...provisioned.backup, apiClients: [{ ...backup, accounts: ['acme', 'acmee'] }] },
      email: { ...provisioned.email, apiClients: [{ ...mail, accounts: ['5584598'] }] },
    }
    const [account] = provisioned.email.accounts
    const first = await Server.start(home, {
      ...settings,
      awareness: { ...provisioned.awareness, apiKeys: [{ key: 'KEY-1', username: 'nobody@example.org' }] },
      email: {
        ...settings.email,
        accounts: [
          { ...account, domains: [{ id: 4, name: 'no domain', status: 'UNVERIFIED', type: 'ESS' }] },
        ],
      },
    })
    const correct = (service: string) => `add what is missing to ${service}.accounts, or correct the list.`
    const logged = [
      'awareness.apiKeys.0.username is "nobody@example.org", and there is no such user',
      `backup.apiClients.0 has the account "acmee", which is not there ("acme" is): ${correct('backup')}`,
      'email.accounts.0.domains.0.name is "no domain", which is no name of a domain',
      `email.apiClients.0 has the account "5584598", which is not there ("5584599" is): ${correct('email')}`,
    ]
    await first.program.line(/"msg":"ready"/)
    for (const sentence of logged) {
      assert.ok(
        first.program.output.includes(JSON.stringify(sentence)),
        `${sentence}\n${first.program.output}`,
      )
    }
    const { warnings } = (await (await fetch(`${first.services}/readyz`)).json()) as {
      warnings: { service: string; condition: string; message: string }[]
    }
    assert.deepEqual(
      warnings.map(({ service, condition }) => [service, condition]),
      [
        ['awareness', 'unknown-user'],
        ['backup', 'unknown-account'],
        ['email', 'no-domain-name'],
        ['email', 'unknown-account'],
      ],
    )
    for (const { message } of warnings) assert.match(message, /^1 (of|domains) .*: the log names them\.$/)
    await first.program.stop()

    const later = {
      ...settings,
      backup: {
        accounts: [],
        apiClients: settings.backup.apiClients.map((one) => ({ ...one, accounts: ['acme'] })),
      },
    }
    const second = await Server.start(home, { ...later, email: provisioned.email })
    assert.deepEqual(await (await fetch(`${second.services}/readyz`)).json(), { status: 'ready' })
    await second.program.stop()
  })

  test('asks for the secret.key that the store was made with, and makes none in its place', async () => {
    const home = newFolder()
    const key = join(home, 'data', 'secret.key')
    const first = await Server.start(home)
    await first.program.stop()
    const own = readFileSync(key)
    writeFileSync(key, randomBytes(32))
    const wrong = new Program(['serve', '--config', join(home, 'palisade.json')])
    assert.equal((await wrong.ended()).status, 1)
    assert.match(wrong.output, /secret\.key is not the key that the database was made with/)
    rmSync(key)
    const missing = new Program(['serve', '--config', join(home, 'palisade.json')])
    assert.equal((await missing.ended()).status, 1)
    assert.match(missing.output, /secret\.key is missing, and the database was made with it/)
    assert.ok(!existsSync(key))
    writeFileSync(key, own, { mode: 0o600 })
    const again = await Server.start(home)
    await again.program.stop()
  })
})

describe('the first start without a file', () => {
  test('makes an administrator for each service and prints the credentials once', async () => {
    const data = join(newFolder(), 'data')
    const argv = ['serve', '--data-directory', data, ...freePorts]
    const first = new Program(argv)
    const [ready] = await first.line(/^\{.*"msg":"ready"\}$/)
    const [, password = ''] = await first.line(/firewall +username admin +password (\S+)/)
    for (const service of ['awareness', 'backup', 'email']) await first.line(new RegExp(`^ +${service} `))
    const login = await fetch(
      `http://127.0.0.1:${JSON.parse(ready).ports.firewall.http}/restapi/v3.2/login`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password }),
      },
    )
    assert.equal(login.status, 200)
    assert.equal(await first.stop(), 0)

    const second = new Program(argv)
    await second.line(/"msg":"ready"/)
    await second.stop()
    assert.doesNotMatch(second.output, /password|client_secret|api_key/)
  })
})

describe('one data directory', () => {
  test('is refused to a second server while the first runs, and free again after a kill', async () => {
    const home = newFolder()
    const first = await Server.start(home)
    const second = new Program(['serve', '--config', join(home, 'palisade.json')])
    assert.equal((await second.ended()).status, 1)
    assert.match(second.output, /is in use by another Palisade server/)
    await first.program.stop('SIGKILL')
    const third = await Server.start(home)
    assert.equal(await third.program.stop(), 0)
  })
})

describe('ending', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} ends the server cleanly, also while clients keep connections open`, async () => {
      const server = await Server.start(newFolder())
      await fetch(`${server.services}/healthz`, { keepalive: true })
      assert.equal(await server.program.stop(signal), 0)
    })
  }
})

test('a server that drains serves on, says so to load balancers, and ends after its time or with the next signal', async () => {
  const server = await Server.start(newFolder(), {
    ...provisioned,
    services: { ...provisioned.services, drainSeconds: 300 },
  })
  server.program.signal('SIGTERM')
  await server.program.line(/"msg":"draining"/)
  const ready = await fetch(`${server.services}/readyz`)
  assert.deepEqual([ready.status, await ready.json()], [503, { status: 'draining' }])
  await bearer(server, 'backup')
  assert.equal(await server.program.stop('SIGTERM'), 0)

  const briefly = await Server.start(newFolder(), {
    ...provisioned,
    services: { ...provisioned.services, drainSeconds: 1 },
  })
  assert.equal(await briefly.program.stop('SIGTERM'), 0)
  assert.match(briefly.program.output, /"msg":"draining"[\s\S]*"msg":"stopping"/)
})

test('secrets that pass through do not show in the output', async () => {
  const verbose = { ...provisioned, log: { level: 'trace' } }
  const server = await Server.start(newFolder(), verbose)
  await firewallToken(server)
  await bearer(server, 'backup')
  await fetch(`${server.services}/awareness/campaigns?access_token=SECRET-IN-QUERY`)
  await server.program.stop()
  for (const secret of [
    'correct horse',
    'battery staple',
    'KEY-1',
    'enrol-me',
    'backup secret',
    'SECRET-IN-QUERY',
  ]) {
    assert.ok(!server.program.output.includes(secret), secret)
  }
})

function presentedCertificate(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, rejectUnauthorized: false }, (reply) => {
      const socket = reply.socket as import('node:tls').TLSSocket
      resolve(socket.getPeerX509Certificate()?.subject ?? '')
      reply.resume()
    })
    call.on('error', reject)
    call.end()
  })
}
