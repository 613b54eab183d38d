import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VaultFailure } from '../failure.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUp, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const settings = { key, packSizeBytes: 16_000 }
const volume = noise('a', 20 * 4096)
/** Of four chunks one is another: what lives of the packs of `volume` is a quarter then. */
const quarter = Buffer.concat(
  Array.from({ length: 20 }, (_, chunk) =>
    (chunk % 4 === 0 ? volume : noise('b', volume.length)).subarray(chunk * 4096, (chunk + 1) * 4096),
  ),
)

/** The storage of a process whose deletion of a pack arrives late, and from which nothing is taken afterwards. */
class LateBackend extends MemoryBackend {
  readonly #inner: MemoryBackend
  readonly sent = Promise.withResolvers<void>()
  readonly arrives = Promise.withResolvers<void>()
  #isHeld = true

  constructor(inner: MemoryBackend) {
    super()
    this.#inner = inner
    for (const name of [
      'put',
      'putNew',
      'create',
      'sizeBytes',
      'read',
      'list',
      'removeUnfinished',
    ] as const) {
      Object.defineProperty(this, name, { value: inner[name].bind(inner) })
    }
  }

  override async delete(name: string): Promise<void> {
    if (!name.includes('/packs/')) return this.#inner.delete(name)
    if (!this.#isHeld) throw new VaultFailure('locked', 'the vault was taken over')
    this.#isHeld = false
    this.sent.resolve()
    await this.arrives.promise
    return this.#inner.delete(name)
  }
}

for (const { what, kept } of [
  { what: 'without a living chunk', kept: undefined },
  { what: 'whose living chunks were copied', kept: quarter },
]) {
  test(`the late deletion of a pack ${what} takes nothing from whoever has the vault by then`, async () => {
    const memory = new MemoryBackend()
    const late = new LateBackend(memory)
    const former = await createVault({ ...settings, backend: late, chunkSizeBytes: 4096 })
    await backUp(former, domain, '1', volume)
    if (kept) await backUp(former, domain, '2', kept)
    await former.deleteRevision(domain, '1')
    const collecting = former.collect().catch((error: unknown) => error)
    await late.sent.promise

    const next = await openVault({ ...settings, backend: memory })
    await backUp(next, domain, '3', volume)
    late.arrives.resolve()
    await collecting
    if (kept) assert.deepEqual(await restore(next, domain, '2'), kept)
    assert.deepEqual(await restore(next, domain, '3'), volume)
    await next.collect()
    await next.close()

    const afterwards = await openVault({ ...settings, backend: memory })
    assert.deepEqual(await afterwards.check({ readData: true }), [])
    assert.deepEqual(await restore(afterwards, domain, '3'), volume)
    assert.deepEqual(
      (await memory.list('')).filter((name) => name.includes('/deletions/')),
      [],
    )
  })
}
