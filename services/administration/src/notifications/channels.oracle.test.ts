import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@palisade/platform/testing'
import { AddressGuard } from '@palisade/proxy-protocol'
import { SMTPServer } from 'smtp-server'
import type { Delivery, Sender } from './notice.ts'
import { senderOf } from './senders.ts'

const folder = mkdtempSync(join(tmpdir(), 'palisade-channels-'))
const keyFile = join(folder, 'key.pem')
const certificateFile = join(folder, 'certificate.pem')
execFileSync('openssl', [
  ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
  ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certificateFile],
])
after(() => rmSync(folder, { recursive: true, force: true }))

const now = Date.UTC(2030, 0, 1)
const never = new AbortController().signal
const delivery: Delivery = {
  id: '5f0c2a7e-0b51-4d8f-8f0e-2a2a6f1b7c33',
  server: 'one.example.org',
  notices: [
    {
      kind: 'raised',
      service: 'backup',
      condition: 'agent-gone',
      subject: 'computer main/0001',
      severity: 'critical',
      message: 'The agent of wéb is gone.\r\nBcc: everybody@example.org',
      remedy: 'palisade agent',
      since: now,
      resolvedAt: null,
    },
    {
      kind: 'resolved',
      service: 'email',
      condition: 'domain-lost',
      subject: 'domain 1/7',
      severity: 'warning',
      message: 'The domain has no record.',
      remedy: 'set it',
      since: now,
      resolvedAt: now + 1000,
    },
  ],
}

/** A mail server of others, on loopback, with one user. */
async function mailServer(options: { readonly isImplicit?: boolean; readonly withoutTls?: boolean } = {}) {
  const mails: { readonly text: string; readonly to: readonly string[]; readonly isEncrypted: boolean }[] = []
  const server = new SMTPServer({
    secure: options.isImplicit ?? false,
    key: readFileSync(keyFile),
    cert: readFileSync(certificateFile),
    disabledCommands: options.withoutTls ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ops' && password === 's3cret'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onData: (stream, session, done) => {
      void text(stream).then((mail) => {
        mails.push({
          text: mail,
          to: session.envelope.rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
        })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { mails, port, close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

function mailTo(port: number, more: object = {}): Sender {
  const email = {
    host: 'localhost',
    port,
    tls: 'starttls' as const,
    username: 'ops',
    password: 's3cret',
    from: 'palisade@example.org',
    to: ['ada@example.org', 'bob@example.org'],
    authorities: readFileSync(certificateFile, 'utf8'),
    ...more,
  }
  return senderOf({ email }, new AddressGuard())
}

test('mail arrives at a real server, encrypted and whole, and what is in a message makes no header', async () => {
  for (const isImplicit of [false, true]) {
    const { mails, port, close } = await mailServer({ isImplicit })
    try {
      await mailTo(port, { tls: isImplicit ? 'implicit' : 'starttls' }).send(delivery, now, never)
    } finally {
      await close()
    }
    assert.equal(mails.length, 1)
    const [mail] = mails
    assert.equal(mail?.isEncrypted, true)
    assert.deepEqual(mail?.to, ['ada@example.org', 'bob@example.org'])
    const [folded = '', ...body] = mail?.text.split('\r\n\r\n') ?? []
    const head = folded.replaceAll(/\r\n[ \t]/g, ' ')
    assert.match(
      head,
      /^Subject: \[Palisade\] CRITICAL backup: agent gone, computer main\/0001 and 1 more\r?$/m,
    )
    assert.match(head, /^Message-ID: <5f0c2a7e-0b51-4d8f-8f0e-2a2a6f1b7c33@palisade>\r?$/m)
    assert.doesNotMatch(head, /Bcc/)
    assert.match(body.join('\n'), /What to do: palisade agent/)
    assert.match(body.join('\n'), /Resolved at 2030-01-01T00:00:01\.000Z/)
  }
})

test('mail goes to no server that offers no TLS, is not trusted, or knows another password; the password is in no error', async () => {
  const plain = await mailServer({ withoutTls: true })
  const encrypted = await mailServer()
  try {
    for (const sender of [
      mailTo(plain.port),
      mailTo(encrypted.port, { authorities: undefined }),
      mailTo(encrypted.port, { host: '127.0.0.1' }),
      mailTo(encrypted.port, { password: 'wr0ng' }),
    ]) {
      await assert.rejects(sender.send(delivery, now, never), (error: Error) => {
        assert.doesNotMatch(String(error), /s3cret|wr0ng/)
        return true
      })
    }
    assert.deepEqual([plain.mails, encrypted.mails], [[], []])
  } finally {
    await Promise.all([plain.close(), encrypted.close()])
  }
})

test('messages arrive at rsyslog over TLS, as RFC 5424 has them', async () => {
  const port = await freePort()
  const received = join(folder, 'received')
  const configuration = join(folder, 'rsyslog.conf')
  writeFileSync(
    configuration,
    `global(workDirectory="${folder}" defaultNetstreamDriverCAFile="${certificateFile}"
  defaultNetstreamDriverCertFile="${certificateFile}" defaultNetstreamDriverKeyFile="${keyFile}")
module(load="imtcp")
template(name="seen" type="string" string="%syslogfacility-text% %syslogseverity-text% %hostname% %app-name% %msgid% %protocol-version% %msg%\\n")
ruleset(name="write") { action(type="omfile" file="${received}" template="seen") }
input(type="imtcp" address="127.0.0.1" port="${port}" ruleset="write" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
`,
  )
  const receiver = spawn('/usr/sbin/rsyslogd', ['-n', '-f', configuration, '-i', join(folder, 'pid')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const senderWith = (syslog: object) =>
      senderOf({ syslog: { host: 'localhost', port, ...syslog } }, new AddressGuard())
    const trusting = senderWith({ authorities: readFileSync(certificateFile, 'utf8') })
    const end = Date.now() + 15_000
    for (;;) {
      const failure = await trusting.send(delivery, now, never).catch((error: unknown) => error)
      if (failure === undefined) break
      assert.ok(Date.now() < end, String(failure))
      await delay(50)
    }
    while (!existsSync(received) || readFileSync(received, 'utf8').split('\n').length < 3) {
      assert.ok(Date.now() < end, 'nothing arrived')
      await delay(20)
    }
    assert.deepEqual(
      readFileSync(received, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.trim()),
      [
        'local0 crit one.example.org palisade agent-gone 1 CRITICAL backup: agent gone, computer main/0001: The agent of wéb is gone. Bcc: everybody@example.org What to do: palisade agent',
        'local0 notice one.example.org palisade domain-lost 1 RESOLVED email: domain lost, domain 1/7: The domain has no record.',
      ],
    )
    await assert.rejects(async () => senderWith({}).send(delivery, now, never), /self-signed certificate/)
  } finally {
    receiver.kill()
    await once(receiver, 'exit')
  }
})
