import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { makePatch, patchPieces } from '../chunk/patch.ts'
import { sealChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import { RevisionChunks } from '../revision/revision-chunks.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { mapOf, patchedEntry } from '../testing/patched-volume.ts'
import { restoreFrom } from '../testing/volume.ts'
import type { BackupSession } from './backup-session.ts'
import { createVault, openVault } from './open-vault.ts'
import { openPackContributor, type PackContributor } from './pack-contributor.ts'
import type { RevisionReader } from './revision-reader.ts'
import type { Vault } from './vault.ts'

/**
 * A volume is a word; each letter is a chunk, `_` a zero one, and one with a digit behind it is patched: the digit says how, over the
 * letter alone. Words share letters and digits, so revisions share chunks, bases and patches.
 */
type Word = readonly string[]

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const settings = { key, packSizeBytes: 9000 }
type Settings = typeof settings & { readonly unusedIndexMaxBytes?: number }

const pieceBytes = chunkSizeBytes / patchPieces
const zeroId = Buffer.alloc(32)
const volumeOf = (word: Word) => Buffer.concat(word.map(contentOf))

function contentOf(letter: string): Buffer {
  const [base = '', digit] = letter
  if (base === '_') return Buffer.alloc(chunkSizeBytes)
  const content = noise(base, chunkSizeBytes)
  if (digit !== undefined) noise(digit, 3 * pieceBytes).copy(content, Number(digit) * 10 * pieceBytes)
  return content
}

/** What is stored for each letter: itself, or its base; then the patches. */
function storedOf(word: Word): Buffer[] {
  const patched = word.filter(([, digit]) => digit !== undefined)
  const patches = patched.map((letter) => {
    const [content, base] = [contentOf(letter), contentOf(letter[0] ?? '')]
    return Buffer.from(makePatch(content, mapOf(base, content)))
  })
  return [...word.map(([base = '']) => contentOf(base)), ...patches]
}

const slot = fc.nat(1)
const plain = fc.constantFrom(...'abcdefghijkl')
const patched = fc.tuple(plain, fc.constantFrom(...'1234')).map((parts) => parts.join(''))
const letter = fc.oneof(
  { arbitrary: plain, weight: 5 },
  { arbitrary: fc.constant('_'), weight: 1 },
  { arbitrary: patched, weight: 3 },
)
const word = fc.array(letter, { minLength: 1, maxLength: 12 })
const step = fc.oneof(
  fc.record({ do: fc.constant('offer' as const), slot, word }),
  fc.record({ do: fc.constant('contribute' as const), slot, word, tells: fc.boolean() }),
  fc.record({ do: fc.constant('tell' as const), slot }),
  fc.record({ do: fc.constant('commit' as const), slot, word }),
  fc.record({ do: fc.constant('abort' as const), slot }),
  fc.record({ do: fc.constant('flush' as const), slot }),
  fc.record({ do: fc.constant('delete' as const), pick: fc.nat() }),
  fc.record({ do: fc.constant('read' as const), slot, pick: fc.nat() }),
  fc.record({
    do: fc.constant('collect' as const),
    liveFractionMin: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ do: fc.constantFrom('settle' as const, 'repair' as const, 'check' as const) }),
  fc.record({ do: fc.constantFrom('reopen' as const, 'crash' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A vault beside the simplest thing that behaves like one: a map from revisions to words. */
class World {
  readonly #model = new Map<string, Word>()
  readonly #sessions: (BackupSession | undefined)[] = []
  /** Letters and digits that a session has been told are stored, or has added. */
  readonly #offered: Set<string>[] = []
  readonly #readers: ({ reader: RevisionReader; word: Word } | undefined)[] = []
  readonly #running: Promise<unknown>[] = []
  #memory = new MemoryBackend()
  #vault: Vault
  /** Writes packs beside the vault. */
  #contributor: PackContributor
  /** Packs that it has written and not told of, with the letters and digits in all that were written together. */
  #untold: { readonly packIds: string[]; readonly parts: string[] }[] = []
  readonly #settings: Settings
  #next = 0

  private constructor(memory: MemoryBackend, vault: Vault, contributor: PackContributor, settings: Settings) {
    this.#memory = memory
    this.#vault = vault
    this.#contributor = contributor
    this.#settings = settings
  }

  static async create(settings: Settings): Promise<World> {
    const backend = new MemoryBackend()
    const vault = await createVault({ backend, chunkSizeBytes, ...settings })
    return new World(backend, vault, await openPackContributor({ backend, ...settings }), settings)
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'offer') await this.#offer(step.slot, step.word)
    else if (step.do === 'contribute') await this.#contribute(step.slot, step.word, step.tells)
    else if (step.do === 'tell') await this.#tell(step.slot)
    else if (step.do === 'commit') await this.#commit(step.slot, step.word)
    else if (step.do === 'abort') await this.#abort(step.slot)
    else if (step.do === 'flush') await this.#sessions[step.slot]?.flush()
    else if (step.do === 'delete') await this.#delete(step.pick)
    else if (step.do === 'read') await this.#read(step.slot, step.pick)
    else if (step.do === 'collect') this.#running.push(this.#vault.collect(step).catch(unlessClosed))
    else if (step.do === 'settle') await this.#settle()
    else if (step.do === 'repair') await this.#repair()
    else if (step.do === 'check') assert.deepEqual(await this.#vault.check({ readData: true }), [])
    else await this.#restart(step.do === 'crash')
  }

  async assertSame(): Promise<void> {
    await this.#settle()
    const heads = await this.#vault.revisions(domain)
    assert.deepEqual(new Set(heads.map((head) => head.revision)), new Set(this.#model.keys()))
    for (const [revision, word] of this.#model) {
      const reader = await this.#vault.openRevision(domain, revision)
      assert.ok((await restoreFrom(this.#vault, domain, reader)).equals(volumeOf(word)))
      for (const portion of reader.patchedPortions(0, word.length, 20_000)) {
        assert.deepEqual(await reader.misfits(portion), [])
      }
      reader.close()
    }
    assert.deepEqual(await this.#vault.check({ readData: true }), [])
  }

  async #offer(slot: number, word: Word): Promise<void> {
    this.#sessions[slot] ??= await this.#begin(slot)
    const session = this.#sessions[slot]
    const ids = this.#chunksOf(word).stored
    const contents = storedOf(word)
    const adding = session.missing(ids).map((position) => {
      const id = ids.id(position)
      const content = contents[position] ?? Buffer.alloc(0)
      return session.add(id, sealChunk(id, content, this.#vault.chunkKeys(domain)))
    })
    await Promise.all(adding)
    for (const part of word.join('')) this.#offered[slot]?.add(part)
  }

  /** The same by another writer, which tells of its packs at once, or has not come to that yet. */
  async #contribute(slot: number, word: Word, tells: boolean): Promise<void> {
    this.#sessions[slot] ??= await this.#begin(slot)
    const session = this.#sessions[slot]
    const ids = this.#chunksOf(word).stored
    const contents = storedOf(word)
    const digits = word.flatMap(([, digit]) => digit ?? [])
    const missing = session.missing(ids)
    const packIds: string[] = []
    const contribution = this.#contributor.contribute(domain, async (packId) => {
      packIds.push(packId)
      return tells && session.takePack(packId)
    })
    const adding = missing.map((position) => {
      const id = ids.id(position)
      const content = contents[position] ?? Buffer.alloc(0)
      return contribution.add(id, sealChunk(id, content, this.#vault.chunkKeys(domain)))
    })
    await Promise.all(adding)
    const isTaken = await contribution.flush().then(
      () => true,
      (error: unknown) => {
        assert.ok(isVaultFailure(error, 'chunk-missing'), String(error))
        return false
      },
    )
    await contribution.giveUp()
    if (isTaken) for (const part of word.join('')) this.#offered[slot]?.add(part)
    const parts = missing.map((position) => word[position]?.[0] ?? digits[position - word.length] ?? '')
    if (packIds.length > 0) this.#untold.push({ packIds, parts })
  }

  /** Packs are told of late, or once more: to a session that began after they were written, or of a vault that was opened since. */
  async #tell(slot: number): Promise<void> {
    const session = this.#sessions[slot]
    for (const { packIds, parts } of this.#untold) {
      const taken: boolean[] = []
      for (const packId of packIds) if (session) taken.push(await session.takePack(packId))
      if (taken.length === 0 || taken.includes(false)) continue
      for (const part of parts) this.#offered[slot]?.add(part)
    }
  }

  #begin(slot: number): Promise<BackupSession> {
    this.#offered[slot] = new Set()
    return this.#vault.beginBackup(domain)
  }

  async #commit(slot: number, word: Word): Promise<void> {
    const session = this.#sessions[slot]
    if (!session) return
    const revision = `${this.#next++}`
    const chunks = this.#chunksOf(word)
    try {
      await session.commitRevision({
        revision,
        volume: 'v',
        capacityBytes: word.length * chunkSizeBytes,
        metadata: word,
        chunks,
      })
      this.#sessions[slot] = undefined
      this.#model.set(revision, word)
    } catch (error) {
      assert.ok(isVaultFailure(error, 'chunk-missing'), String(error))
      const unknown = [...word.join('')].filter((part) => part !== '_' && !this.#offered[slot]?.has(part))
      assert.ok(unknown.length > 0, 'a chunk was lost that the session was told is stored')
    }
  }

  async #abort(slot: number): Promise<void> {
    await this.#sessions[slot]?.abort()
    this.#sessions[slot] = undefined
  }

  async #delete(pick: number): Promise<void> {
    const revision = this.#pick(pick)
    if (revision === undefined) return
    this.#model.delete(revision)
    await this.#vault.deleteRevision(domain, revision)
  }

  /** Opens a revision; at the next such step of the slot reads it, whatever has happened since. */
  async #read(slot: number, pick: number): Promise<void> {
    const open = this.#readers[slot]
    this.#readers[slot] = undefined
    if (open) {
      assert.ok((await restoreFrom(this.#vault, domain, open.reader)).equals(volumeOf(open.word)))
      open.reader.close()
      return
    }
    const revision = this.#pick(pick)
    const word = revision === undefined ? undefined : this.#model.get(revision)
    if (revision === undefined || word === undefined) return
    this.#readers[slot] = { reader: await this.#vault.openRevision(domain, revision), word }
  }

  async #repair(): Promise<void> {
    const busy = [...this.#sessions, ...this.#readers].some((user) => user !== undefined)
    if (busy) await assert.rejects(this.#vault.repair({ domain }), (error) => isVaultFailure(error, 'busy'))
    else await this.#vault.repair({ domain, readData: true })
  }

  async #restart(crash: boolean): Promise<void> {
    if (crash) this.#memory = this.#memory.afterCrash()
    else await this.#vault.close()
    if (!crash) await this.#settle()
    this.#sessions.length = 0
    this.#readers.length = 0
    this.#vault = await openVault({ backend: this.#memory, ...this.#settings })
    this.#contributor = await openPackContributor({ backend: this.#memory, ...this.#settings })
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#running.splice(0))
  }

  #pick(pick: number): string | undefined {
    return [...this.#model.keys()][pick % this.#model.size]
  }

  #chunksOf(word: Word): RevisionChunks {
    const nameOf = (content: Buffer) => nameChunk(content, this.#vault.chunkKeys(domain).naming)
    const names = word.map((letter) => (letter === '_' ? zeroId : nameOf(contentOf(letter))))
    const stored = storedOf(word).map(nameOf)
    const patches = stored.slice(word.length)
    const table = word.flatMap(([, digit], position) => {
      const [base, patch] = [stored[position], digit === undefined ? undefined : patches.shift()]
      return base && patch ? [patchedEntry(position, base, patch)] : []
    })
    return RevisionChunks.patched(ChunkList.of(...names), Buffer.concat(table))
  }
}

/** A collection that is under way when the vault is closed ends early. */
function unlessClosed(error: unknown): void {
  if (!isVaultFailure(error, 'closed')) throw error
}

const indexes = { 'is kept': settings, 'is given up after each use': { ...settings, unusedIndexMaxBytes: 0 } }
for (const [how, wanted] of Object.entries(indexes)) {
  test(`behaves like a map from revisions to volumes, whatever happens beside it, when its index ${how}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const world = await World.create(wanted)
        for (const step of steps) await world.take(step)
        await world.assertSame()
      }),
      { numRuns: 100 },
    )
  })
}
