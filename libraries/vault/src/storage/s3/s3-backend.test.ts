import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { isVaultFailure } from '../../failure.ts'
import { noise } from '../../testing/noise.ts'
import { type S3Relay, startS3Relay } from '../../testing/s3-relay.ts'
import { type S3TestServer, startS3Server } from '../../testing/s3-server.ts'
import { readObject } from '../backend.ts'
import { testBackendConformance } from '../backend-conformance.ts'
import { S3Backend } from './s3-backend.ts'
import { S3Bucket } from './s3-bucket.ts'
import { partBytes } from './s3-writer.ts'

const servers = new Map<string, Promise<S3TestServer>>()
let prefixes = 0

/** One server of each kind for all tests of this file; each test has its own prefix. */
function server(kind: 'full' | 'plain' = 'full'): Promise<S3TestServer> {
  const started = servers.get(kind) ?? startS3Server({ plain: kind === 'plain' })
  servers.set(kind, started)
  return started
}

after(async () => {
  for (const started of servers.values()) await (await started).close()
})

for (const kind of ['full', 'plain'] as const) {
  testBackendConformance(kind === 'full' ? 's3' : 's3 without conditional writes and aborts', async () => {
    const options = { ...(await server(kind)).options, prefix: `test-${prefixes++}/` }
    return {
      backend: new S3Backend(options),
      again: () => new S3Backend(options),
      remove: async () => undefined,
    }
  })
}

/** Runs a test with a server of its own, whose requests it may fail. */
async function withServer(run: (server: S3TestServer) => Promise<void>): Promise<void> {
  const own = await startS3Server()
  try {
    await run(own)
  } finally {
    await own.close()
  }
}

test('sends a small object in one request, and a large one in parts', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    const small = await backend.create('small')
    await small.write([noise('small', partBytes)])
    await small.commit()
    assert.equal(own.requests.length, 1)
    const large = await backend.create('large')
    const content = noise('large', partBytes * 2 + 1)
    await large.write([content])
    await large.commit()
    assert.equal(own.requests.filter((request) => /partNumber=/.test(request)).length, 3)
    assert.ok((await readObject(backend, 'large'))?.equals(content))
    assert.deepEqual(await own.uploads(), [])
  }))

test('leaves no parts behind of an object that was given up or whose process has died', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    const untilThereAre = async (count: number) => {
      while ((await own.uploads()).length !== count) await delay(10)
    }
    const givenUp = await backend.create('given-up')
    await givenUp.write([noise('x', partBytes + 1)])
    await untilThereAre(1)
    await givenUp.abort()
    assert.deepEqual(await own.uploads(), [])
    const left = await backend.create('domains/left')
    await left.write([noise('x', partBytes + 1)])
    const ofAnother = await backend.create('other/program')
    await ofAnother.write([noise('x', partBytes + 1)])
    await untilThereAre(2)
    await new S3Backend(own.options).removeUnfinished()
    assert.equal((await own.uploads()).length, 1)
    await ofAnother.abort()
    await assert.rejects(left.commit(), (error) => isVaultFailure(error, 'storage'))
    assert.deepEqual(await backend.list(''), [])
  }))

test('lets the server refuse what would replace an object that came meanwhile', () =>
  withServer(async (own) => {
    const bucket = new S3Bucket(own.options)
    assert.equal(await bucket.put('object', noise('first', 10), { onlyNew: true }), 'stored')
    assert.equal(await bucket.put('object', noise('second', 10), { onlyNew: true }), 'exists')
    assert.deepEqual(await bucket.readAll('object'), noise('first', 10))
  }))

test('takes a bucket that was emptied for one that is away, and not for one without objects', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    for (const name of ['first', 'second', 'pack']) await backend.put(name, Buffer.alloc(1))
    backend.relyOn(['first', 'second'])
    await backend.delete('first')
    const begun = await backend.create('begun')
    await begun.write([noise('begun', 10)])
    const someoneElse = new S3Bucket(own.options)
    for (const name of ['second', 'pack']) await someoneElse.delete(name, undefined)
    const away = (error: unknown) =>
      isVaultFailure(error, 'storage') && /the bucket was emptied or replaced/.test(error.message)
    await assert.rejects(backend.put('x', Buffer.alloc(1)), away)
    await assert.rejects(backend.putNew('x', Buffer.alloc(1)), away)
    await assert.rejects(backend.read('pack', 0, Buffer.alloc(1)), away)
    await assert.rejects(backend.sizeBytes('pack'), away)
    await assert.rejects(backend.list(''), away)
    assert.deepEqual(await someoneElse.list(''), [])
    await someoneElse.put('second', Buffer.alloc(1))
    await backend.put('x', Buffer.alloc(1))
    await begun.commit()
    assert.deepEqual((await backend.list('')).sort(), ['begun', 'second', 'x'])
  }))

test('lists more objects than one reply holds', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    const names = Array.from({ length: 1005 }, (_, index) => `many/${String(index).padStart(4, '0')}`)
    for (let from = 0; from < names.length; from += 67) {
      await Promise.all(names.slice(from, from + 67).map((name) => backend.put(name, Buffer.alloc(1))))
    }
    assert.deepEqual((await backend.list('many/')).sort(), names)
    assert.ok(own.requests.filter((request) => /continuation-token/.test(request)).length > 0)
  }))

/** Answers every request in the name of a server of S3 with status 200 and this text. */
async function withAnswer(text: string, run: (backend: S3Backend) => Promise<void>): Promise<void> {
  const http = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  assert.ok(address !== null && typeof address === 'object')
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const endpoint = `http://127.0.0.1:${address.port}`
  try {
    await run(new S3Backend({ bucket: 'vaults', endpoint, credentials }))
  } finally {
    http.close()
    http.closeAllConnections()
  }
}

const notListings = {
  'an empty reply': '',
  'the page of a proxy': '<html><body>back soon</body></html>',
  'a listing that does not say whether it is complete':
    '<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>',
  'a listing that does not say how to go on':
    '<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>',
  'a listing that breaks off': '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</K',
}
for (const [what, text] of Object.entries(notListings)) {
  test(`takes ${what} for a failure, and no object for absent`, () =>
    withAnswer(text, async (backend) => {
      await assert.rejects(backend.list(''), (error) => isVaultFailure(error, 'storage'))
    }))
}

test('asks no further for uploads when the server does not say how', { timeout: 60_000 }, () =>
  withAnswer(
    '<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>',
    (backend) => backend.removeUnfinished(),
  ),
)

test('repeats what may pass by itself: refusals, and connections that end before or after the work', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    for (const fate of ['refused', 'cut-before', 'cut-after'] as const) {
      let failures = 2
      own.decide = () => (failures-- > 0 ? fate : 'served')
      await backend.put(fate, noise(fate, 5000))
      failures = 2
      assert.deepEqual(await readObject(backend, fate), noise(fate, 5000))
      failures = 2
      assert.equal(await backend.putNew(`new-${fate}`, noise(fate, 100)), true, fate)
    }
  }))

test('has an object that was put together although the answer to that was lost', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    let losses = 1
    own.decide = (request) => (/^POST .*uploadId=/.test(request) && losses-- > 0 ? 'cut-after' : 'served')
    const writer = await backend.create('large')
    const content = noise('large', partBytes + 1)
    await writer.write([content])
    await writer.commit()
    assert.equal(losses, -1)
    assert.ok((await readObject(backend, 'large'))?.equals(content))
  }))

/** Gives a backend whose requests go through a relay. */
async function throughRelay(
  run: (relay: S3Relay, backend: S3Backend) => Promise<void>,
  server?: Parameters<typeof startS3Server>[0],
): Promise<void> {
  const own = await startS3Server(server)
  const relay = await startS3Relay(Number(new URL(own.options.endpoint ?? '').port))
  try {
    await run(relay, new S3Backend({ ...own.options, endpoint: `http://127.0.0.1:${relay.port}` }))
  } finally {
    await relay.close()
    await own.close()
  }
}

test('asks again soon when the storage swallows a request, small or large', { timeout: 40_000 }, () =>
  throughRelay(async (relay, backend) => {
    const large = noise('large', partBytes + 1)
    await backend.put('there', noise('there', 1000))
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      put: () => backend.put('small', noise('small', 1000)),
      read: () => readObject(backend, 'there'),
      list: () => backend.list(''),
      parts: async () => {
        const writer = await backend.create('large')
        await writer.write([large])
        await writer.commit()
      },
    }
    for (const [what, work] of Object.entries(works)) {
      const before = relay.requests
      relay.disturb({ away: 'silent' })
      const worked = work()
      while (relay.requests === before) await delay(10)
      relay.disturb({})
      await worked
      assert.ok(relay.requests > before + 1, what)
    }
    assert.ok((await readObject(backend, 'large'))?.equals(large))
  }),
)

test('refuses a storage that does not keep what the vault relies on, and says what it lacks otherwise', async () => {
  const refusal = async (disturbance: Parameters<S3Relay['disturb']>[0], lies = false) => {
    let message = ''
    await throughRelay(
      async (relay, backend) => {
        relay.disturb(disturbance)
        const failure: unknown = await backend.lock().catch((error: unknown) => error)
        assert.ok(isVaultFailure(failure, 'storage'))
        message = failure.message
      },
      { lies },
    )
    return message
  }
  assert.match(
    await refusal({ unstored: '\\.probes/' }),
    /cannot hold a vault.*stored \(PUT\).*reads it next/,
  )
  assert.match(
    await refusal({ hidden: { names: '\\.probes/', from: 'listing' } }),
    /cannot hold a vault.*stored \(PUT\).*next listing/,
  )
  assert.match(await refusal({}, true), /cannot hold a vault.*If-None-Match: \*.*never acknowledged without/)
  const plain = await new S3Backend({ ...(await server('plain')).options, prefix: 'plain-lock/' }).lock()
  assert.match(plain.weaknesses?.join() ?? '', /If-None-Match/)
  await plain.release()
  const full = await new S3Backend({ ...(await server()).options, prefix: 'full-lock/' }).lock()
  assert.deepEqual(full.weaknesses, [])
  await full.release()
})

test('says why it is refused where the reply to HEAD does not, and what is wrong', () =>
  throughRelay(async (relay, backend) => {
    await backend.put('object', Buffer.alloc(1))
    relay.disturb({ refusal: { status: 403, code: 'RequestTimeTooSkewed' } })
    await assert.rejects(
      backend.sizeBytes('object'),
      (error) =>
        isVaultFailure(error, 'storage') &&
        /^asking for object in s3:\S+ at \S+: RequestTimeTooSkewed, status 403: the clocks of/.test(
          error.message,
        ) &&
        error.advice === 'the clocks of this machine and of the storage differ too much',
    )
    relay.disturb({ refusal: { status: 403, code: 'AccessDenied', methods: ['HEAD'] } })
    await assert.rejects(backend.sizeBytes('object'), (error) => isVaultFailure(error, 'storage'))
  }))

test('says what it was doing when the server refuses for good', () =>
  withServer(async (own) => {
    const backend = new S3Backend(own.options)
    own.decide = () => 'refused'
    await assert.rejects(
      backend.put('object', Buffer.alloc(1)),
      (error) =>
        isVaultFailure(error, 'storage') && /storing object in s3:\/\/vaults\/.*503/.test(error.message),
    )
    own.decide = () => 'served'
    const elsewhere = new S3Backend({ ...own.options, bucket: 'absent' })
    await assert.rejects(
      elsewhere.lock(),
      (error) => isVaultFailure(error, 'storage') && /NoSuchBucket/.test(error.message),
    )
  }))

test('names no credentials in failures, descriptions and when it is printed', () =>
  withServer(async (own) => {
    const credentials = {
      accessKeyId: 'AKIDSECRETID',
      secretAccessKey: 'very/secret',
      sessionToken: 'tokentoken',
    }
    const backend = new S3Backend({ ...own.options, credentials })
    const failures = await Promise.all([
      backend.put('object', Buffer.alloc(1)).catch((error: unknown) => error),
      backend.read('object', 0, Buffer.alloc(1)).catch((error: unknown) => error),
      backend.lock().catch((error: unknown) => error),
    ])
    for (const failure of failures) assert.ok(isVaultFailure(failure, 'storage'))
    const inspected = inspect([failures, backend, backend.description], {
      depth: 20,
      showHidden: true,
      getters: true,
    })
    assert.doesNotMatch(inspected, /AKIDSECRETID|very\/secret|tokentoken|Signature=/)
  }))

test('changes nothing any more when its lock was taken away, and reads on', { timeout: 60_000 }, () =>
  withServer(async (own) => {
    const options = { ...own.options, leaseMs: 6000 }
    const backend = new S3Backend(options)
    const lock = await backend.lock()
    await backend.put('object', noise('x', 100))
    await assert.rejects(new S3Backend(options).lock(), (error) => isVaultFailure(error, 'locked'))
    const isLocked = (error: unknown) => isVaultFailure(error, 'locked')
    const putOrFailure = () =>
      backend.put('object', noise('x', 100)).catch((error: unknown) => {
        // What is on its way when the loss is noticed is cut short.
        if (!isVaultFailure(error, 'locked') && !isVaultFailure(error, 'storage')) throw error
        return error.code
      })
    const bucket = new S3Bucket(own.options)
    // A renewal that was under way while the records went writes one more.
    do {
      for (const { name } of await bucket.list('.leases/')) await bucket.delete(name)
      await delay(50)
    } while ((await putOrFailure()) !== 'locked')
    await assert.rejects(backend.put('object', Buffer.alloc(1)), isLocked)
    await assert.rejects(backend.delete('object'), isLocked)
    const writer = await backend.create('other')
    await writer.write([Buffer.alloc(1)])
    await assert.rejects(writer.commit(), isLocked)
    assert.deepEqual(await readObject(backend, 'object'), noise('x', 100))
    await lock.release()
  }),
)

test('refuses an endpoint with a user in it, and does not repeat it', () => {
  for (const endpoint of [
    'http://me:secret@host',
    'ftp://host',
    'https://host/path',
    'host',
    'https://h?x=secret',
  ]) {
    assert.throws(
      () => new S3Backend({ bucket: 'vaults', endpoint }),
      (error) => isVaultFailure(error, 'invalid-argument') && !/secret/.test(error.message),
    )
  }
  assert.throws(
    () => new S3Backend({ bucket: 'a/b' }),
    (error) => isVaultFailure(error, 'invalid-argument'),
  )
  assert.throws(
    () => new S3Backend({ bucket: 'abc', prefix: 'no-slash' }),
    (error) => isVaultFailure(error, 'invalid-argument'),
  )
})

test('loads the client library with the first request and not before', () => {
  const index = fileURLToPath(new URL('../../index.ts', import.meta.url))
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    const { S3Backend } = await import(${JSON.stringify(index)})
    const backend = new S3Backend({ bucket: 'abc', endpoint: 'http://127.0.0.1:9' })
    const count = () => loaded.filter((url) => /@aws-sdk/.test(url)).length
    const before = count()
    await backend.list('').catch(() => undefined)
    console.log(before, count() > 0)
  `
  const output = execFileSync(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  )
  assert.equal(output.trim(), '0 true')
})
