import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVaultFailure, ObjectMissing } from '../failure.ts'
import { noise } from '../testing/noise.ts'
import { readObject, type StorageBackend } from './backend.ts'

/** A backend with nothing in it, and the same storage opened once more, as another process would. */
export interface BackendUnderTest {
  readonly backend: StorageBackend
  again(): StorageBackend
  remove(): Promise<void>
}

/**
 * Tests everything the vault relies on (see `StorageBackend`) that can be seen from outside. Every backend runs this,
 * with `create` making a fresh, empty storage.
 */
export function testBackendConformance(kind: string, create: () => Promise<BackendUnderTest>): void {
  const fact = (title: string, check: (subject: BackendUnderTest) => Promise<void>) =>
    test(`${kind}: ${title}`, async () => {
      const subject = await create()
      try {
        await check(subject)
      } finally {
        await subject.remove()
      }
    })

  fact('keeps what was put, and an empty object too', async ({ backend }) => {
    await backend.put('a/b', noise('content', 1000))
    await backend.put('empty', Buffer.alloc(0))
    assert.deepEqual(await readObject(backend, 'a/b'), noise('content', 1000))
    assert.equal(await backend.sizeBytes('empty'), 0)
  })

  fact('replaces an object as a whole', async ({ backend }) => {
    await backend.put('object', noise('long', 5000))
    await backend.put('object', noise('short', 100))
    assert.deepEqual(await readObject(backend, 'object'), noise('short', 100))
  })

  fact('stores a new object, and never in the place of another', async ({ backend }) => {
    assert.equal(await backend.putNew('object', noise('first', 1000)), true)
    assert.equal(await backend.putNew('object', noise('second', 1000)), false)
    assert.deepEqual(await readObject(backend, 'object'), noise('first', 1000))
    assert.deepEqual(await backend.list(''), ['object'])
  })

  fact('reads any part of an object, again and at once', async ({ backend }) => {
    const content = noise('parts', 100_000)
    await backend.put('object', content)
    const reads = Array.from({ length: 40 }, async (_, index) => {
      const into = Buffer.alloc(1 + index * 7)
      await backend.read('object', index * 2000, into)
      assert.deepEqual(into, content.subarray(index * 2000, index * 2000 + into.length))
    })
    await Promise.all(reads)
  })

  fact('refuses to read past the end or an absent object', async ({ backend }) => {
    await backend.put('object', Buffer.alloc(10))
    const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')
    const isMissing = (error: unknown) => isDamaged(error) && error instanceof ObjectMissing
    await assert.rejects(
      backend.read('object', 5, Buffer.alloc(6)),
      (error) => isDamaged(error) && !isMissing(error),
    )
    await assert.rejects(backend.read('absent', 0, Buffer.alloc(1)), isMissing)
    await assert.rejects(backend.read('absent', 0, Buffer.alloc(0)), isMissing)
    assert.equal(await backend.sizeBytes('absent'), undefined)
    assert.equal(await readObject(backend, 'absent'), undefined)
  })

  fact('shows an object that is written in pieces only after its commit', async ({ backend }) => {
    const writer = await backend.create('packs/one')
    const pieces = [noise('1', 70_000), Buffer.alloc(0), noise('2', 3)]
    await writer.write(pieces)
    await writer.write([noise('3', 10)])
    assert.equal(await backend.sizeBytes('packs/one'), undefined)
    assert.deepEqual(await backend.list('packs/'), [])
    await writer.commit()
    assert.deepEqual(await readObject(backend, 'packs/one'), Buffer.concat([...pieces, noise('3', 10)]))
    await writer.abort()
    assert.deepEqual(await backend.list(''), ['packs/one'])
  })

  fact('keeps an object of many pieces that is far larger than a small one', async ({ backend }) => {
    const writer = await backend.create('packs/large')
    const pieces = Array.from({ length: 20 }, (_, index) => noise(`piece ${index}`, 1_000_003))
    for (const piece of pieces) await writer.write([piece])
    assert.deepEqual(await backend.list(''), [])
    await writer.commit()
    const content = await readObject(backend, 'packs/large')
    assert.ok(content?.equals(Buffer.concat(pieces)))
  })

  fact('lets the pieces be reused once they are written', async ({ backend }) => {
    const writer = await backend.create('object')
    const piece = Buffer.alloc(64 * 1024)
    for (let round = 0; round < 5; round++) {
      piece.fill(round)
      await writer.write([piece])
    }
    piece.fill(255)
    await writer.commit()
    const content = await readObject(backend, 'object')
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((round) => content?.[round * piece.length]),
      [0, 1, 2, 3, 4],
    )
  })

  fact('leaves nothing of an object that was given up', async ({ backend }) => {
    const writer = await backend.create('object')
    await writer.write([Buffer.alloc(10)])
    await writer.abort()
    await writer.abort()
    assert.deepEqual(await backend.list(''), [])
    await assert.rejects(writer.write([Buffer.alloc(1)]))
    await assert.rejects(writer.commit())
  })

  fact('writes several objects side by side', async ({ backend }) => {
    const names = Array.from({ length: 8 }, (_, index) => `side/${index}`)
    const writers = await Promise.all(names.map((name) => backend.create(name)))
    for (let round = 0; round < 4; round++) {
      await Promise.all(writers.map((writer, index) => writer.write([noise(`${index} ${round}`, 5000)])))
    }
    await Promise.all(writers.map((writer) => writer.commit()))
    for (const [index, name] of names.entries()) {
      const expected = Buffer.concat([0, 1, 2, 3].map((round) => noise(`${index} ${round}`, 5000)))
      assert.deepEqual(await readObject(backend, name), expected)
    }
  })

  fact('lists the names below a prefix and no others', async ({ backend }) => {
    const names = ['a', 'a.b', 'x/a', 'x/y/b', 'xy/c']
    for (const name of names) await backend.put(name, Buffer.from(name))
    assert.deepEqual((await backend.list('')).sort(), names)
    assert.deepEqual((await backend.list('x/')).sort(), ['x/a', 'x/y/b'])
    assert.deepEqual(await backend.list('absent/'), [])
  })

  fact('deletes an object, and an absent one without complaint', async ({ backend }) => {
    await backend.put('x/object', Buffer.alloc(1))
    await backend.delete('x/object')
    await backend.delete('x/object')
    await backend.delete('never/there')
    assert.equal(await backend.sizeBytes('x/object'), undefined)
    assert.deepEqual(await backend.list(''), [])
  })

  fact('refuses names that are not plain', async ({ backend }) => {
    for (const name of [
      '',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/..',
      '.a',
      'a b',
      'a\\b',
      'a\0',
      'ä',
      'x'.repeat(513),
    ]) {
      await assert.rejects(backend.put(name, Buffer.alloc(1)), (error) =>
        isVaultFailure(error, 'invalid-argument'),
      )
      await assert.rejects(backend.read(name, 0, Buffer.alloc(1)), (error) =>
        isVaultFailure(error, 'invalid-argument'),
      )
      await assert.rejects(backend.delete(name), (error) => isVaultFailure(error, 'invalid-argument'))
    }
  })

  fact('is locked by one at a time', async ({ backend, again }) => {
    const lock = await backend.lock()
    await assert.rejects(again().lock(), (error) => isVaultFailure(error, 'locked'))
    await lock.release()
    await lock.release()
    const next = await again().lock()
    await next.release()
  })

  fact(
    'keeps its objects, and forgets unfinished ones, when it is opened again',
    async ({ backend, again }) => {
      await backend.put('kept', noise('kept', 100))
      const writer = await backend.create('unfinished')
      await writer.write([Buffer.alloc(100_000)])
      const reopened = again()
      await reopened.removeUnfinished()
      assert.deepEqual(await reopened.list(''), ['kept'])
      assert.deepEqual(await readObject(reopened, 'kept'), noise('kept', 100))
      // Its process is dead. Should it be alive, it has lost what it had written, or still has all of it.
      const committed = await writer.commit().then(
        () => true,
        () => false,
      )
      assert.deepEqual((await reopened.list('')).sort(), committed ? ['kept', 'unfinished'] : ['kept'])
      if (committed) assert.deepEqual(await readObject(reopened, 'unfinished'), Buffer.alloc(100_000))
    },
  )
}
