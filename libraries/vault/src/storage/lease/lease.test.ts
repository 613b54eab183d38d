import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isVaultFailure, VaultFailure } from '../../failure.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { leasesInDirectory } from '../directory-leases.ts'
import { Lease, type LeaseStorage } from './lease.ts'
import { encodeLeaseRecord, type Holder, thisHolder } from './lease-record.ts'

const leaseMs = 2000
/** Of a lease that nobody has to wait for; so long that a slow machine is no reason to doubt it. */
const longLeaseMs = 60_000
const isLocked = (error: unknown) => isVaultFailure(error, 'locked')

function onHost(host: string): Holder {
  return { host, process: 1, boot: host, processes: 'pid:[1]', startedTicks: '1' }
}

/** A storage that for a while does not show records: in readings, in listings. */
class Lying implements LeaseStorage {
  hides: { readonly reading?: RegExp; readonly listing?: RegExp } = {}
  lists = 0
  readonly #inner: LeaseStorage

  constructor(inner: LeaseStorage) {
    this.#inner = inner
  }

  async list() {
    this.lists++
    return (await this.#inner.list()).filter(({ id }) => !this.hides.listing?.test(id))
  }
  read(id: string) {
    return this.hides.reading?.test(id) ? Promise.resolve(undefined) : this.#inner.read(id)
  }
  write(id: string, content: Uint8Array) {
    return this.#inner.write(id, content)
  }
  remove(id: string) {
    return this.#inner.remove(id)
  }

  async renewed(): Promise<void> {
    for (const until = this.lists + 2; this.lists < until; ) await delay(20)
  }
}

type Operation = 'list' | 'read' | 'write' | 'remove'

/** A storage whose network can be cut, or hang. */
class Cuttable implements LeaseStorage {
  isCut = false
  readonly #inner: LeaseStorage
  #hanging:
    | { readonly operation: Operation; readonly began: () => void; readonly end: Promise<void> }
    | undefined

  constructor(inner: LeaseStorage) {
    this.#inner = inner
  }

  /** Lets the next such operation hang. Resolves when there is one, and gives what lets it go on. */
  async hangAt(operation: Operation): Promise<() => void> {
    const [start, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    this.#hanging = { operation, began: start.resolve, end: ended.promise }
    await start.promise
    return ended.resolve
  }

  list() {
    return this.#through('list', () => this.#inner.list())
  }
  read(id: string) {
    return this.#through('read', () => this.#inner.read(id))
  }
  write(id: string, content: Uint8Array) {
    return this.#through('write', () => this.#inner.write(id, content))
  }
  remove(id: string) {
    return this.#through('remove', () => this.#inner.remove(id))
  }

  async #through<Result>(operation: Operation, work: () => Promise<Result>): Promise<Result> {
    if (this.isCut) throw new VaultFailure('storage', 'no network')
    const hanging = this.#hanging
    if (hanging?.operation === operation) {
      this.#hanging = undefined
      hanging.began()
      await hanging.end
    }
    return work()
  }
}

async function folderOf(t: TestContext): Promise<string> {
  return join(await temporaryFolder(t), 'leases')
}

function take(
  folder: string,
  holder: Holder,
  settings: {
    readonly storage?: LeaseStorage
    readonly leaseMs?: number
    readonly asksHolder?: boolean
  } = {},
): Promise<Lease> {
  return Lease.take({
    storage: leasesInDirectory(folder),
    description: 'the vault',
    holder,
    leaseMs,
    ...settings,
  })
}

test('is held by one host, and free for another when it was released', async (t) => {
  const folder = await folderOf(t)
  const first = await take(folder, onHost('a'))
  await assert.rejects(
    take(folder, onHost('b')),
    (error) => isLocked(error) && error instanceof Error && /process 1 on a/.test(error.message),
  )
  await first.ensureHeld()
  await first.release()
  await first.release()
  const began = performance.now()
  await (await take(folder, onHost('b'), { leaseMs: longLeaseMs })).release()
  assert.ok(performance.now() - began < longLeaseMs * 0.9)
  assert.deepEqual(await leasesInDirectory(folder).list(), [])
})

test('is kept by its holder for as long as that lives', async (t) => {
  const folder = await folderOf(t)
  const lease = await take(folder, onHost('a'))
  await delay(leaseMs * 1.5)
  await assert.rejects(take(folder, onHost('b')), isLocked)
  await lease.ensureHeld()
  await lease.release()
})

test('tells its holder that somebody asks for it, who has it as soon as that gives way', async (t) => {
  const folder = await folderOf(t)
  const first = await take(folder, onHost('a'))
  const quiet = take(folder, onHost('b'))
  await assert.rejects(quiet, isLocked)
  await delay(leaseMs)
  assert.equal(first.isAsked, false)
  const asking = (asksHolder: boolean) => take(folder, onHost('b'), { asksHolder, leaseMs: 5 * leaseMs })
  const second = asking(true)
  while (!first.isAsked) await delay(20)
  await first.ensureHeld()
  await first.release()
  await (await second).release()

  const third = await take(folder, onHost('a'))
  await assert.rejects(asking(true), isLocked)
  await third.ensureHeld()
  await third.release()
})

test('goes to another host when its holder has been silent for long enough, and not before', async (t) => {
  const folder = await folderOf(t)
  await leasesInDirectory(folder).write(
    '0'.repeat(32),
    encodeLeaseRecord({ ...onHost('dead'), state: 'held' }),
  )
  const began = performance.now()
  const lease = await take(folder, onHost('b'))
  assert.ok(performance.now() - began >= leaseMs * 0.9)
  assert.equal((await leasesInDirectory(folder).list()).length, 1)
  await lease.release()
})

test('is free at once when its holder was a process of this machine that has ended', async (t) => {
  const folder = await folderOf(t)
  const holder = await thisHolder()
  if (holder.boot === null) return t.skip('only Linux tells')
  const child = spawn('/bin/true')
  await once(child, 'exit')
  const ended = { ...holder, process: child.pid ?? 0 }
  await leasesInDirectory(folder).write('0'.repeat(32), encodeLeaseRecord({ ...ended, state: 'held' }))
  const began = performance.now()
  const lease = await take(folder, holder, { leaseMs: longLeaseMs })
  assert.ok(performance.now() - began < longLeaseMs * 0.9)
  await assert.rejects(take(folder, holder, { leaseMs: longLeaseMs }), isLocked)
  await lease.release()
})

test('is never held by two of many who want it at the same time', async (t) => {
  const folder = await folderOf(t)
  let holders = 0
  let turns = 0
  const want = async (host: string) => {
    for (let round = 0; round < 4; round++) {
      const lease = await take(folder, onHost(host)).catch((error: unknown) => {
        if (!isLocked(error)) throw error
      })
      if (!lease) continue
      holders++
      turns++
      assert.equal(holders, 1)
      await delay(20)
      await lease.ensureHeld()
      holders--
      await lease.release()
    }
  }
  await Promise.all(['a', 'b', 'c'].map(want))
  assert.ok(turns > 0)
})

test('lets nothing through while it cannot be renewed, and goes on when it can again', async (t) => {
  const folder = await folderOf(t)
  const storage = new Cuttable(leasesInDirectory(folder))
  const lease = await take(folder, onHost('a'), { storage })
  const { signal } = lease
  storage.isCut = true
  if (!signal.aborted) await once(signal, 'abort')
  await assert.rejects(lease.ensureHeld(), (error) => isVaultFailure(error, 'storage'))
  storage.isCut = false
  await lease.ensureHeld()
  assert.equal(lease.signal.aborted, false)
  assert.equal((await leasesInDirectory(folder).list()).length, 1)
  await lease.release()
})

test('is lost for good when another host took it over meanwhile', async (t) => {
  const folder = await folderOf(t)
  const storage = new Cuttable(leasesInDirectory(folder))
  const lease = await take(folder, onHost('a'), { storage })
  storage.isCut = true
  const successor = await take(folder, onHost('b'))
  storage.isCut = false
  await assert.rejects(lease.ensureHeld(), isLocked)
  await successor.release()
  await assert.rejects(lease.ensureHeld(), isLocked)
  await lease.release()
})

test('is lost for good when a renewal ends so late that another host may have come and gone', async (t) => {
  const folder = await folderOf(t)
  const storage = new Cuttable(leasesInDirectory(folder))
  const lease = await take(folder, onHost('a'), { storage })
  const goOn = await storage.hangAt('write')
  await (await take(folder, onHost('b'))).release()
  const waiting = assert.rejects(lease.ensureHeld(), isLocked)
  goOn()
  await waiting
  assert.deepEqual(await leasesInDirectory(folder).list(), [])
  await lease.release()
})

test('goes on when nobody came while a renewal was looking for its record', async (t) => {
  const folder = await folderOf(t)
  const storage = new Cuttable(leasesInDirectory(folder))
  const lease = await take(folder, onHost('a'), { storage })
  const goOn = await storage.hangAt('list')
  if (!lease.signal.aborted) await once(lease.signal, 'abort')
  goOn()
  await lease.ensureHeld()
  await lease.release()
})

test('goes to another host when its holder is silent, though its record seems to be from the future', async (t) => {
  const folder = await folderOf(t)
  const id = '0'.repeat(32)
  await leasesInDirectory(folder).write(id, encodeLeaseRecord({ ...onHost('dead'), state: 'held' }))
  const future = new Date(Date.now() + 3_600_000)
  await utimes(join(folder, id), future, future)
  const began = performance.now()
  const lease = await take(folder, onHost('b'))
  assert.ok(performance.now() - began >= leaseMs * 0.9)
  assert.equal((await leasesInDirectory(folder).list()).length, 1)
  await lease.release()
})

test('takes what is no record for one of a holder that says nothing more', async (t) => {
  const folder = await folderOf(t)
  await leasesInDirectory(folder).write('f'.repeat(32), Buffer.from('{"state":'))
  const lease = await take(folder, onHost('a'))
  await lease.release()
  assert.deepEqual(await leasesInDirectory(folder).list(), [])
})

test('is kept though the storage does not show its record: not in readings, or not in listings', async (t) => {
  const storage = new Lying(leasesInDirectory(await folderOf(t)))
  const lease = await take('', onHost('a'), { storage })
  for (const hides of [{ reading: /./ }, { listing: /./ }]) {
    storage.hides = hides
    await storage.renewed()
    await lease.ensureHeld()
  }
  storage.hides = {}
  await lease.release()
  assert.deepEqual(await storage.list(), [])
})

test('ends when another holds it too, whom the storage did not show the record', async (t) => {
  const folder = await folderOf(t)
  const lease = await take(folder, onHost('a'))
  const lying = new Lying(leasesInDirectory(folder))
  const [{ id } = { id: '' }] = await lying.list()
  lying.hides = { reading: new RegExp(id), listing: new RegExp(id) }
  const second = await take(folder, onHost('b'), { storage: lying })
  if (!lease.signal.aborted) await once(lease.signal, 'abort')
  await assert.rejects(lease.ensureHeld(), isLocked)
  await second.ensureHeld()
  await second.release()
  await lease.release()
})
