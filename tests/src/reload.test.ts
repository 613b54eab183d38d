import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { serverCertificate } from '@palisade/platform'
import { freePort, Management } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { descendantsOf } from './support/programs/process-state.ts'
import { Program, palisade } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const own = { username: 'ada', password: 'battery staple x', grants: [{ role: 'owner' }] }

/** The configuration of the tests with somebody new wherever somebody may log in. */
const withMore = {
  ...provisioned,
  log: { level: 'debug' },
  administration: { operators: [own] },
  firewall: {
    ...provisioned.firewall,
    administrators: [
      ...provisioned.firewall.administrators,
      { username: 'second', password: 'correct horse 2', role: 'guest' },
    ],
  },
  awareness: {
    ...provisioned.awareness,
    users: [...provisioned.awareness.users, { username: 'second@example.org', password: 'battery staple 2' }],
    apiKeys: [...provisioned.awareness.apiKeys, { key: 'KEY-2' }],
  },
  backup: {
    accounts: [...provisioned.backup.accounts, { id: 'second' }],
    apiClients: [
      ...provisioned.backup.apiClients,
      {
        clientId: 'second',
        clientSecret: 'backup secret 2',
        accounts: ['second'],
        scopes: ['computers_read'],
      },
    ],
  },
  email: {
    accounts: [...provisioned.email.accounts, { id: 'second' }],
    apiClients: [
      ...provisioned.email.apiClients,
      {
        clientId: 'second',
        clientSecret: 'email secret 2',
        accounts: ['second'],
        scopes: ['ess:account:read'],
      },
    ],
  },
}

const changedMembers = [
  'firewall.administrators',
  'administration.operators',
  'awareness.users',
  'awareness.apiKeys',
  'backup.accounts',
  'backup.apiClients',
  'email.accounts',
  'email.apiClients',
  'log.level',
]

const fileOf = ({ folder }: Server) => join(folder, 'palisade.json')

/** Writes the file of a server anew, one member in a line. */
function rewrite(server: Server, configuration: object): void {
  const text = JSON.stringify({ dataDirectory: join(server.folder, 'data'), ...configuration }, null, 1)
  writeFileSync(fileOf(server), text, { mode: 0o600 })
}

async function reload(...argv: string[]): Promise<{ status: number | null; lines: readonly string[] }> {
  const program = new Program(['config', 'reload', ...argv])
  const { status } = await program.ended()
  return { status, lines: program.output.split('\n') }
}

async function post(url: string, body: object | URLSearchParams): Promise<number> {
  const isForm = body instanceof URLSearchParams
  const reply = await fetch(url, {
    method: 'POST',
    ...(isForm ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  await reply.text()
  return reply.status
}

/** The statuses with which those log in who are new in `withMore`, by the service. */
async function loginsOfTheNew({ firewall, services }: Server): Promise<Record<string, number>> {
  const token = (service: string) =>
    post(
      `${services}/${service}/oauth2/token`,
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'second',
        client_secret: `${service} secret 2`,
      }),
    )
  return {
    administration: await post(`${services}/admin/v1/session`, {
      username: own.username,
      password: own.password,
    }),
    firewall: await post(`${firewall}/restapi/v3.2/login`, {
      username: 'second',
      password: 'correct horse 2',
    }),
    awareness: await post(`${services}/awareness/authenticate`, {
      bof_ticket_user: 'second@example.org',
      bof_ticket_pw: 'battery staple 2',
      api_key: 'KEY-2',
    }),
    backup: await token('backup'),
    email: await token('email'),
  }
}

async function nobodyNewLogsIn(server: Server): Promise<void> {
  const logins = Object.values(await loginsOfTheNew(server))
  assert.equal(logins.length, 5)
  for (const status of logins) assert.ok(status === 401 || status === 400 || status === 403, `${status}`)
}

async function everybodyNewLogsIn(server: Server): Promise<void> {
  const logins = Object.entries(await loginsOfTheNew(server))
  assert.equal(logins.length, 5)
  for (const [service, status] of logins) assert.ok(status === 200 || status === 201, `${service}: ${status}`)
}

/** The serial number of the certificate that a listener presents. */
function presentedAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? '')
      socket.end()
    })
    socket.on('error', reject)
  })
}

test('SIGHUP applies a changed file while the server runs, and the log says what counts after a restart', async () => {
  const server = await Server.start()
  await nobodyNewLogsIn(server)
  rewrite(server, {
    ...withMore,
    backup: { ...withMore.backup, vault: { directory: join(server.folder, 'elsewhere') } },
    services: { listen: { http: 1, https: 0 } },
  })
  server.program.signal('SIGHUP')
  const [reloaded] = await server.program.line(/^\{.*"msg":"reloaded the configuration"\}$/)
  assert.deepEqual(JSON.parse(reloaded).applied, changedMembers)
  const [left] = await server.program.line(
    /^\{.*"msg":"changes of the configuration count after a restart only"\}$/,
  )
  assert.deepEqual(JSON.parse(left).members, ['services.listen.http', 'backup.vault'])
  await everybodyNewLogsIn(server)
  assert.ok(!existsSync(join(server.folder, 'elsewhere')))
  await server.remove()
})

test('config reload tells the outcome, and the log level counts from then on', async () => {
  const server = await Server.start()
  assert.deepEqual(await reload(fileOf(server)), {
    status: 0,
    lines: [`Reloaded the configuration ${fileOf(server)}.`, 'Nothing has changed that counts now.'],
  })
  rewrite(server, { ...withMore, log: { level: 'silent' }, database: 'postgres://u:s3cret@127.0.0.1:1/x' })
  assert.deepEqual(await reload(fileOf(server)), {
    status: 0,
    lines: [
      `Reloaded the configuration ${fileOf(server)}.`,
      `These changes count now: ${changedMembers.join(', ')}.`,
      'These count after a restart only, and are as before: database.',
    ],
  })
  await everybodyNewLogsIn(server)
  await server.program.stop()
  assert.ok(!server.program.output.includes('"msg":"stopping"'), 'a silent log is silent')
  assert.ok(!server.program.output.includes('s3cret'))
})

/** A provider of single sign-on that lets nobody in, and keeps the secrets that clients have shown at its token endpoint. */
async function refusingProvider() {
  const secrets: string[] = []
  const server = createServer((request, response) => {
    const isToken = request.url === '/token'
    if (isToken) {
      const [, credentials = ''] = request.headers.authorization?.split(' ') ?? []
      const [, secret = ''] = Buffer.from(credentials, 'base64').toString().split(':')
      secrets.push(decodeURIComponent(secret))
    }
    response.writeHead(isToken ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isToken ? { error: 'invalid_grant' } : discovery))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  }
  return { issuer, secrets, stop: () => server.close().closeAllConnections() }
}

/** Signs in at the provider `company`, as far as the provider lets anybody. */
async function signIn({ services }: Server): Promise<void> {
  const login = `${services}/admin/v1/login/company`
  const begun = await fetch(login, { redirect: 'manual' })
  assert.equal(begun.status, 303, await begun.text())
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const back = await fetch(`${login}/callback?code=1&state=${state}`, {
    headers: { cookie },
    redirect: 'manual',
  })
  await back.text()
}

test('a provider of single sign-on, its secret and the public address count without a restart, and a secret that cannot be read changes nothing', async () => {
  const server = await Server.start()
  const ways = async () => (await fetch(`${server.services}/admin/v1/login`)).json()
  assert.deepEqual(await ways(), { providers: [], hasPasskeys: false })
  const clientSecretFile = join(server.folder, 'client.secret')
  const { issuer, secrets, stop } = await refusingProvider()
  const provider = { name: 'company', issuer, clientId: 'palisade', clientSecretFile }
  const administration = { publicUrl: 'https://palisade.example.org', openid: [provider] }
  rewrite(server, { ...provisioned, administration })
  const refused = await reload(fileOf(server))
  assert.equal(refused.status, 1)
  assert.match(
    refused.lines.join('\n'),
    /administration\.openid\.0\.clientSecretFile names .*client\.secret, which cannot be read/,
  )
  assert.deepEqual(await ways(), { providers: [], hasPasskeys: false })
  writeFileSync(clientSecretFile, 'the-first-secret', { mode: 0o600 })
  const applied = 'These changes count now: administration.openid, administration.publicUrl.'
  assert.deepEqual((await reload(fileOf(server))).lines.slice(1).sort(), [applied])
  assert.deepEqual(await ways(), { providers: ['company'], hasPasskeys: true })

  await signIn(server)
  writeFileSync(clientSecretFile, 'the-second-secret')
  await signIn(server)
  const outcomes = ['These changes count now: administration.openid.', 'Nothing has changed that counts now.']
  for (const outcome of outcomes) assert.equal((await reload(fileOf(server))).lines[1], outcome)
  await signIn(server)
  assert.deepEqual(secrets, ['the-first-secret', 'the-first-secret', 'the-second-secret'])
  stop()
  assert.ok(!server.program.output.includes('the-second-secret'))

  rewrite(server, { ...provisioned, administration: { publicUrl: 'https://palisade.example.org' } })
  server.program.signal('SIGHUP')
  await eventually('a reload without the provider', async () =>
    Object(await ways()).providers.length === 0 ? true : undefined,
  )
  assert.deepEqual(await ways(), { providers: [], hasPasskeys: true })
  const gone = await fetch(`${server.services}/admin/v1/login/company`)
  assert.equal(gone.status, 404)
  await server.remove()
})

/** A certificate authority that opens no account, and keeps with which keys of an external account it was asked to. */
async function refusingAuthority(t: TestContext, detail: string) {
  const folder = newFolder()
  await serverCertificate(folder, undefined, ['localhost'])
  const caFile = join(folder, 'self-signed.pem')
  const pem = readFileSync(caFile)
  const bindings: { readonly protected: string; readonly payload: string; readonly signature: string }[] = []
  const server = createTlsServer({ cert: pem, key: pem }, async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const isAccount = incoming.url === '/account'
    if (isAccount) {
      const payload = Buffer.from(JSON.parse(body).payload, 'base64url').toString()
      bindings.push(JSON.parse(payload).externalAccountBinding)
    }
    const type = isAccount ? 'application/problem+json' : 'application/json'
    response.writeHead(isAccount ? 403 : 200, { 'content-type': type, 'replay-nonce': 'once' })
    const refusal = { type: 'urn:ietf:params:acme:error:unauthorized', detail }
    response.end(JSON.stringify(isAccount ? refusal : addresses))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const directory = `https://localhost:${(server.address() as AddressInfo).port}`
  const addresses = {
    newNonce: `${directory}/nonce`,
    newAccount: `${directory}/account`,
    newOrder: `${directory}/order`,
  }
  /** Whether the last account was asked for with that key. */
  const isBoundBy = (hmacKey: string) => {
    const {
      protected: header,
      payload,
      signature,
    } = bindings.at(-1) ?? assert.fail('no account was asked for')
    const digest = createHmac('sha256', Buffer.from(hmacKey, 'base64url')).update(`${header}.${payload}`)
    return digest.digest('base64url') === signature
  }
  t.after(() => server.close().closeAllConnections())
  return { directory, caFile, isBoundBy }
}

test('another authority of certificates, its key and where it is answered count without a restart, and a key that cannot be read changes nothing', async (t) => {
  const server = await Server.start()
  const management = await Management.connect(server)
  const isRefused = (by: RegExp) =>
    assert.rejects(
      management.call('POST', 'certificates/letsencrypt', { name: 'shop', 'common-name': 'shop.example' }),
      by,
    )
  const namesNone = /400 .*firewall\.acme\.directory .* names none/
  await isRefused(namesNone)
  const first = await refusingAuthority(t, 'the first refuses')
  const second = await refusingAuthority(t, 'the second refuses')
  const eabHmacKeyFile = join(server.folder, 'authority.key')
  const port = await freePort()
  const acme = {
    directory: first.directory,
    caFile: first.caFile,
    eabKeyId: 'kid-1',
    eabHmacKeyFile,
    challengeListener: { host: '127.0.0.1', port },
  }
  const withAcme = (more: object) => ({
    ...provisioned,
    firewall: { ...provisioned.firewall, acme: { ...acme, ...more } },
  })
  const isAnswered = () =>
    fetch(`http://127.0.0.1:${port}/.well-known/acme-challenge/other`).then(
      ({ status }) => status === 404,
      () => false,
    )
  rewrite(server, withAcme({}))
  const refused = await reload(fileOf(server))
  assert.equal(refused.status, 1)
  assert.match(
    refused.lines.join('\n'),
    /firewall\.acme\.eabHmacKeyFile names .*authority\.key, which cannot be read/,
  )
  await isRefused(namesNone)
  assert.equal(await isAnswered(), false)

  const applied = 'These changes count now: firewall.acme.'
  writeFileSync(eabHmacKeyFile, 'AAAA', { mode: 0o600 })
  assert.deepEqual((await reload(fileOf(server))).lines.slice(1), [applied])
  await isRefused(/400 .*the first refuses/)
  assert.ok(first.isBoundBy('AAAA'))
  assert.equal(await isAnswered(), true)

  writeFileSync(eabHmacKeyFile, 'BBBB')
  for (const outcome of [applied, 'Nothing has changed that counts now.'])
    assert.equal((await reload(fileOf(server))).lines[1], outcome)
  await isRefused(/400 .*the first refuses/)
  assert.ok(first.isBoundBy('BBBB'))

  const { directory, caFile } = second
  rewrite(server, withAcme({ directory, caFile, challenges: ['dns-01'] }))
  assert.equal((await reload(fileOf(server))).lines[1], applied)
  await isRefused(/400 .*Nothing could answer the authority by dns-01/)
  rewrite(server, withAcme({ directory, caFile }))
  assert.equal((await reload(fileOf(server))).lines[1], applied)
  await isRefused(/400 .*the second refuses/)

  rewrite(server, provisioned)
  server.program.signal('SIGHUP')
  await eventually('a reload without the listener', async () => ((await isAnswered()) ? undefined : true))
  await isRefused(namesNone)
  assert.ok(!server.program.output.includes('BBBB'))
  await server.remove()
})

test('a wrong file changes nothing at all, and command and log say why, with line and column', async () => {
  const server = await Server.start()
  const email = { ...withMore.email, verification: { mailHost: 'no host' } }
  rewrite(server, { ...withMore, logg: {}, email })
  const text = JSON.stringify({ dataDirectory: '', ...withMore, logg: {}, email }, null, 1).split('\n')
  const lineOf = (member: string) => text.findIndex((line) => line.includes(`"${member}":`)) + 1
  const faults = [
    `${fileOf(server)}:${lineOf('logg')}:2: logg is no member of the configuration: did you mean log?`,
    `${fileOf(server)}:${lineOf('mailHost')}:4: email.verification.mailHost must be the name of a host, of at most 212 characters`,
  ].toSorted()
  const { status, lines } = await reload(fileOf(server))
  assert.equal(status, 1)
  assert.deepEqual(lines.toSorted(), faults)
  server.program.signal('SIGHUP')
  const [line] = await server.program.line(/^\{.*"msg":"the configuration is not valid: .*"\}$/)
  assert.deepEqual(JSON.parse(line).faults.toSorted(), faults)
  await nobodyNewLogsIn(server)
  rewrite(server, withMore)
  assert.equal((await reload(fileOf(server))).status, 0)
  await everybodyNewLogsIn(server)
  await server.remove()
})

test('what contradicts the store changes nothing at all, and its place is told', async () => {
  const server = await Server.start()
  const [account] = provisioned.email.accounts
  const [domain] = account?.domains ?? []
  const administrators = [
    ...withMore.firewall.administrators,
    { username: 'third', password: 'correct horse', role: 'king' },
  ]
  const configuration = {
    ...withMore,
    firewall: { ...withMore.firewall, administrators },
    email: {
      ...withMore.email,
      accounts: [...withMore.email.accounts.slice(1), { ...account, domains: [{ ...domain, id: 5 }] }],
    },
  }
  rewrite(server, configuration)
  const { status, lines } = await reload(fileOf(server))
  assert.equal(status, 1)
  assert.equal(lines.length, 4, lines.join('\n'))
  assert.equal(lines[0], `The configuration ${fileOf(server)} is not valid:`)
  assert.match(
    lines[1] ?? '',
    /palisade\.json:\d+:5: firewall\.administrators\.2\.role must be one of the roles that there are: /,
  )
  assert.match(
    lines[2] ?? '',
    /palisade\.json:\d+:7: email\.accounts\.1\.domains\.0\.id must be 4, which the domain has in the database$/,
  )
  assert.equal(lines[3], 'Nothing of it is applied, and the server goes on as before.')
  await nobodyNewLogsIn(server)
  await server.remove()
})

test('renewed certificates are presented without a restart, and a wrong one leaves the old', async () => {
  const folder = newFolder()
  const pem = join(folder, 'certificate.pem')
  /** Puts a new certificate, with its key in the same file, in the place of the old one. */
  const renew = async () => {
    const target = join(folder, `${Math.random()}`)
    mkdirSync(target)
    await serverCertificate(target, undefined, ['localhost'])
    renameSync(join(target, 'self-signed.pem'), pem)
  }
  await renew()
  const certificate = { certificateFile: pem, keyFile: pem }
  const configuration = {
    ...provisioned,
    firewall: { ...provisioned.firewall, certificate },
    services: { ...provisioned.services, certificate },
  }
  const server = await Server.start(newFolder(), configuration)
  const httpsPorts = [server.ports.firewall.https, server.ports.services.https]
  const presented = async () => [...new Set(await Promise.all(httpsPorts.map(presentedAt)))]
  const first = await presented()
  assert.equal(first.length, 1)

  await renew()
  const renewed = await reload(fileOf(server))
  assert.equal(renewed.lines[1], 'These changes count now: services.certificate, firewall.certificate.')
  const second = await presented()
  assert.equal(second.length, 1)
  assert.notDeepEqual(second, first)

  writeFileSync(pem, 'no certificate')
  chmodSync(pem, 0o600)
  server.program.signal('SIGHUP')
  const [line] = await server.program.line(/^\{.*"msg":"the configuration is not valid: .*"\}$/)
  assert.equal(JSON.parse(line).faults.length, 2)
  assert.match(
    JSON.parse(line).faults[0],
    /palisade\.json:\d+:\d+: firewall\.certificate\.certificateFile names .*, which does not begin with a certificate in PEM$/,
  )
  assert.deepEqual(await presented(), second)

  // Without a file, the self-signed one.
  rewrite(server, provisioned)
  assert.equal((await reload(fileOf(server))).status, 0)
  assert.notDeepEqual(await presented(), second)
  await server.remove()
})

test('the socket is for the user of the server alone, and one that a kill has left is no obstacle', async () => {
  const server = await Server.start()
  const socket = join(server.folder, 'data', 'palisade.sock')
  assert.equal(statSync(socket).mode & 0o777, 0o600)
  assert.ok(statSync(socket).isSocket())
  await server.program.kill()
  const none = `palisade config reload: no server runs on the data directory ${join(server.folder, 'data')}`
  assert.deepEqual(await reload(fileOf(server)), { status: 1, lines: [none] })
  const again = await Server.start(server.folder)
  assert.equal((await reload(fileOf(again))).status, 0)
  await again.program.stop()
  assert.ok(!existsSync(socket))
  assert.deepEqual(await reload(fileOf(again)), { status: 1, lines: [none] })
})

test('a server refuses to reload for who names another file than its own', async () => {
  const server = await Server.start()
  const other = join(newFolder(), 'other.json')
  writeFileSync(other, JSON.stringify({ dataDirectory: join(server.folder, 'data') }))
  assert.deepEqual(await reload(other), {
    status: 1,
    lines: [`The server on this data directory has the configuration ${fileOf(server)}, and not ${other}.`],
  })
  assert.equal((await reload('--data-directory', join(server.folder, 'data'))).status, 0)
  await server.remove()
})

test('the file that was moved to another data directory is reloaded by naming the old one', async () => {
  const server = await Server.start()
  rewrite(server, { ...provisioned, dataDirectory: join(server.folder, 'new') })
  const { status, lines } = await reload(fileOf(server), '--data-directory', join(server.folder, 'data'))
  assert.equal(status, 0)
  assert.equal(lines[2], 'These count after a restart only, and are as before: dataDirectory.')
  await server.remove()
})

test('a server whose terminal is closed ends, as before', async () => {
  const folder = newFolder()
  const file = join(folder, 'palisade.json')
  writeFileSync(file, JSON.stringify({ ...provisioned, dataDirectory: join(folder, 'data') }), {
    mode: 0o600,
  })
  const { PATH = '' } = process.env
  const terminal = spawn(
    'script',
    ['-qefc', `${process.execPath} ${palisade} serve --config ${file}`, '/dev/null'],
    {
      env: { PATH, TERM: 'xterm' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const isReady = new Promise<void>((resolve) => {
    createInterface({ input: terminal.stdout }).on('line', (line) => {
      if (line.includes('ready')) resolve()
    })
  })
  await isReady
  const started = descendantsOf(terminal.pid ?? 0)
  assert.ok(started.length > 0)
  terminal.kill('SIGKILL')
  await eventually(
    'the end of the server',
    async () => started.every((pid) => !existsSync(`/proc/${pid}`)) || undefined,
  )
})

test('signals that come during the start, and several at once, are obeyed', async () => {
  const folder = newFolder()
  const file = join(folder, 'palisade.json')
  writeFileSync(file, JSON.stringify({ ...provisioned, dataDirectory: join(folder, 'data') }), {
    mode: 0o600,
  })
  const program = new Program(['serve', '--config', file])
  while (!existsSync(join(folder, 'data', 'palisade.lock')))
    await new Promise((resolve) => setTimeout(resolve, 5))
  program.signal('SIGHUP')
  await program.line(/"msg":"reloaded the configuration"/)
  for (let count = 0; count < 5; count++) {
    const log = { level: count % 2 === 0 ? 'debug' : 'info' }
    const text = JSON.stringify({ ...withMore, dataDirectory: join(folder, 'data'), log })
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    program.signal('SIGHUP')
  }
  await program.line(/"applied":\[[^\]]*"awareness\.users".*"msg":"reloaded the configuration"/)
  assert.equal(await program.stop(), 0)
  assert.doesNotMatch(program.output, /"level":50/)
})
