import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createServer } from 'node:tls'
import { Backups } from './support/backup/backups.ts'
import { type Bucket, type RunningS3, startS3 } from './support/backup/s3.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { makeCertificate } from './support/programs/make-certificate.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisionedWithUpkeep } from './support/programs/server.ts'
import { WatchedServer } from './support/programs/watched-server.ts'

after(cleanUp)

const mebibyte = 2 ** 20
const skip = notInstalled('/usr/bin/openssl')

const withVault = (vault: object) => ({
  ...provisionedWithUpkeep,
  backup: { ...provisionedWithUpkeep.backup, vault },
})

type Certificate = ReturnType<typeof makeCertificate>

/** Speaks TLS with clients in the name of a server on this machine. */
class TlsFront {
  readonly #server
  readonly #sockets = new Set<Socket>()

  constructor(targetPort: number, certificate: Certificate) {
    this.#server = createServer({}, (client) => {
      const target = connect(targetPort, '127.0.0.1')
      for (const socket of [client, target]) {
        this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)))
        socket.on('error', () => undefined)
      }
      client.pipe(target).pipe(client)
    })
    this.present(certificate)
  }

  /** From now on; connections that are open end. */
  present({ certificateFile, keyFile }: Certificate): void {
    this.#server.setSecureContext({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) })
    for (const socket of this.#sockets) socket.destroy()
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

describe('storage of the vault that refuses', { skip }, () => {
  const home = newFolder()
  const image = join(home, 'disk.img')
  const good = makeCertificate(newFolder(), -1, 30)
  const expired = makeCertificate(newFolder(), -9, -1)
  /** Both are trusted, so that nothing but its age is wrong with the second. */
  const authorities = join(home, 'authorities.pem')
  let s3: RunningS3
  let front: TlsFront
  let server: WatchedServer
  let agent: Agent
  let backups: Backups
  let bucket: Bucket

  before(async () => {
    s3 = await startS3()
    front = new TlsFront(Number(new URL(s3.bucket.endpoint).port), good)
    bucket = { ...s3.bucket, endpoint: `https://127.0.0.1:${await front.listen()}` }
    writeFileSync(authorities, [good, expired].map((one) => readFileSync(one.certificateFile)).join(''))
    server = await WatchedServer.start(withVault({ s3: { ...bucket, caFile: authorities } }), home)
    agent = await Agent.start(server.server, home)
    backups = await Backups.connect(server.server)
    await backups.untilOnline()
  })
  after(async () => {
    await agent.program.stop()
    await server.stop()
    front.close()
    await s3.stop()
  })

  /** Has a backup be in its middle when the storage begins to refuse, and gives what the task and the operator are told. */
  async function toldOfRefusal(refuse: () => Promise<void>, mend: () => Promise<void>) {
    writeFileSync(image, randomBytes(64 * mebibyte))
    await s3.disturb({ delayMs: 60 })
    const backup = await backups.startBackup(image)
    const running = () => backups.task('backups', backup)
    await eventually('the middle of the backup', async () => (await running()).bytesDone > 0 || undefined)
    await refuse()
    try {
      const message = await eventually(
        'the reason',
        async () => (await running()).error?.message || undefined,
        60_000,
      )
      const attention = await eventually(
        'attention',
        async () => (await server.list()).find(({ condition }) => condition === 'vault-not-writable'),
        60_000,
      )
      await mend()
      await s3.disturb({})
      const { state, error, revisionId } = await backups.ended('backups', backup)
      assert.equal(state, 'SUCCESS', JSON.stringify(error))
      return { message, attention, revision: revisionId ?? 0 }
    } finally {
      await mend()
      await s3.disturb({})
    }
  }

  test('what cannot be deleted is told of until it is gone', async () => {
    writeFileSync(image, randomBytes(4 * mebibyte))
    const revision = await backups.backUp(image)
    const refusal = { status: 403, code: 'AccessDenied', methods: ['DELETE'] }
    await s3.disturb({ refusal })
    const reply = await backups.call('DELETE', `/revisions/${revision}`)
    assert.equal(reply.status, 204)
    const item = await server.raised('vault-cannot-delete')
    assert.match(
      item.message,
      /still takes its space in the vault: .*must be allowed to list, read, write and delete/,
    )
    await s3.disturb({})
    await server.resolved(item)
  })

  const refusals = {
    InvalidAccessKeyId: /does not accept the credentials/,
    AccessDenied: /must be allowed to list, read, write and delete/,
    RequestTimeTooSkewed: /clocks of this machine and of the storage differ/,
  }
  let tried = 0
  for (const [code, reason] of Object.entries(refusals)) {
    test(`a backup waits while the storage answers ${code}, everybody is told why, and it goes on`, async () => {
      const refusal = { status: 403, code }
      const { message, attention } = await toldOfRefusal(
        async () => void (await s3.disturb({ refusal })),
        async () => undefined,
      )
      assert.match(message, reason)
      assert.match(attention.message, reason)
      assert.match(attention.remedy, /emergencies\.md#the-vault-cannot-be-reached/)
      assert.match(server.server.program.output, new RegExp(`${code}, status 403: `))
      tried++
    })
  }
  after(() => assert.equal(tried, Object.keys(refusals).length))

  test('the same while its certificate has expired, until it presents a good one', async () => {
    const { message, revision } = await toldOfRefusal(
      async () => front.present(expired),
      async () => front.present(good),
    )
    assert.match(message, /the certificate of the storage has expired/)
    await backups.restore(revision, join(home, 'restored'))
  })

  test('a server does not start with it, and says what is wrong', async () => {
    await agent.program.stop()
    await server.server.program.stop()
    const refused = async (vault: object) => {
      const file = join(home, 'refused.json')
      const text = JSON.stringify({ ...withVault(vault), dataDirectory: join(home, 'data') })
      writeFileSync(file, text, { mode: 0o600 })
      const program = new Program(['serve', '--config', file])
      assert.equal((await program.ended()).status, 1, program.output)
      assert.doesNotMatch(program.output, /\n\s+at /, 'no stack trace')
      return program.output
    }
    assert.match(await refused({ s3: bucket }), /backup\.vault\.s3: .*not trusted: caFile can name it/)
    assert.match(
      await refused({ s3: { ...bucket, caFile: join(home, 'data', 'nowhere.pem') } }),
      /backup\.vault\.s3\.caFile names .*nowhere\.pem, which cannot be read: there is no such file/,
    )
    for (const [code, reason] of Object.entries(refusals)) {
      await s3.disturb({ refusal: { status: 403, code } })
      const said = await refused({ s3: { ...bucket, caFile: authorities } })
      assert.match(said, new RegExp(`backup\\.vault\\.s3: .*${code}`))
      assert.match(said, reason)
    }
    await s3.disturb({})
    await server.restart(() => undefined)
    agent = await Agent.start(server.server, home)
  })
})
