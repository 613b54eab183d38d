/**
 * The keys of a vault: its master key, the slots in which that is sealed, and the two objects that hold the slots.
 *
 *     change     vault.json is replaced in one step, then its copy
 *     open       vault.json; when it is missing or damaged, its copy, unless that is older. Whatever of the two is not
 *                what it should be is written anew, and named in `healed`, unless the vault is only looked at.
 *
 * An older copy never counts: it may still have a key that was taken away.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { isUnreadable, isVaultFailure, ObjectMissing, VaultFailure } from '../failure.ts'
import { masterKeyBytes } from '../keys/derive.ts'
import { type KeySlot, openKeySlot, sealKeySlot } from '../keys/key-slot.ts'
import { type KeySource, userKeyOf } from '../keys/master-key.ts'
import { newPassphraseParameters } from '../keys/passphrase.ts'
import { assertStored, readObject, type StorageBackend } from '../storage/backend.ts'
import {
  assertSlotCount,
  configurationCopyName,
  configurationName,
  isKeyOf,
  type KeySlots,
  keyCheckOf,
  parseConfiguration,
  serializeConfiguration,
  type VaultConfiguration,
} from './configuration.ts'

/** A key that opens the vault, without anything secret. */
export interface KeyDescription {
  readonly id: string
  readonly kind: 'key-file' | 'passphrase'
  readonly label: string
  /** Milliseconds since 1970. */
  readonly createdMs: number
}

const labelLengthMax = 200

/** The slots of an open vault: lists, adds and removes them, and keeps both copies of the configuration alike. */
export class KeyRing {
  readonly masterKey: Uint8Array
  /** The objects that were written anew. */
  readonly healed: string[] = []
  readonly #backend: StorageBackend
  readonly #nowMs: () => number
  #configuration: VaultConfiguration
  /** The slots of a vault of version 1, should its keys be changed. */
  #converted: KeySlots | undefined
  #changing: Promise<unknown> = Promise.resolve()

  private constructor(
    backend: StorageBackend,
    nowMs: () => number,
    configuration: VaultConfiguration,
    masterKey: Uint8Array,
  ) {
    this.#backend = backend
    this.#nowMs = nowMs
    this.#configuration = configuration
    this.masterKey = masterKey
  }

  /** Makes the keys of a new vault; false when there is a vault already. */
  static async create(
    backend: StorageBackend,
    key: KeySource,
    chunkSizeBytes: number,
    nowMs: () => number,
  ): Promise<KeyRing | undefined> {
    const id = randomUUID()
    const masterKey = randomBytes(masterKeyBytes)
    const slot = await newSlot(id, key, '', nowMs(), masterKey)
    const keyCheck = keyCheckOf(masterKey, id, chunkSizeBytes)
    const configuration = { id, chunkSizeBytes, keyCheck, keys: { changes: 0, slots: [slot] } }
    const content = serializeConfiguration(configuration)
    if ((await backend.sizeBytes(configurationCopyName)) !== undefined) return undefined
    if (!(await backend.putNew(configurationName, content))) return undefined
    await assertStored(backend, configurationName, content)
    await store(backend, configurationCopyName, content)
    return new KeyRing(backend, nowMs, configuration, masterKey)
  }

  /**
   * @param heals whether damage to the two objects is put right
   * @throws VaultFailure `not-a-vault`, `unsupported-format`, `wrong-key`, `bad-key-file`, `invalid-argument`
   */
  static async open(
    backend: StorageBackend,
    key: KeySource,
    nowMs: () => number,
    heals: boolean,
  ): Promise<KeyRing> {
    const { main, copy, failure } = await readBoth(backend)
    const first = main ?? copy
    if (!first) throw failure ?? new VaultFailure('not-a-vault', `${backend.description} holds no vault`)
    const second = main && copy && changesOf(copy) >= changesOf(main) ? copy : undefined
    for (const configuration of second ? [first, second] : [first]) {
      const masterKey = await unlock(configuration, key)
      if (!masterKey) continue
      const ring = new KeyRing(backend, nowMs, configuration, masterKey)
      if (heals) await ring.heal()
      return ring
    }
    throw new VaultFailure('wrong-key', 'the key is not a key of this vault')
  }

  get configuration(): VaultConfiguration {
    return this.#configuration
  }

  /** All keys that open the vault. */
  list(): KeyDescription[] {
    return this.#slots().slots.map(describe)
  }

  /** @throws VaultFailure `bad-key-file`, `invalid-argument` */
  async find(key: KeySource): Promise<KeyDescription | undefined> {
    const opened = await openAny(this.#configuration.id, this.#slots().slots, key)
    return opened && describe(opened.slot)
  }

  /** @throws VaultFailure `invalid-argument`, `bad-key-file`, `storage` */
  add(key: KeySource, label: string): Promise<KeyDescription> {
    return this.#change(async (slots) => {
      const slot = await this.#newSlot(key, label)
      return { slots: [...slots, slot], changed: slot }
    })
  }

  /** @throws VaultFailure `invalid-argument` when there is no such key, or it is the last one */
  async remove(id: string): Promise<void> {
    await this.#change(async (slots) => {
      const changed = slots.find((slot) => slot.id === id)
      if (!changed) throw new VaultFailure('invalid-argument', 'the vault has no such key')
      return { slots: slots.filter((slot) => slot !== changed), changed }
    })
  }

  /** @throws VaultFailure `wrong-key` when `former` opens nothing, `invalid-argument`, `bad-key-file`, `storage` */
  replace(former: KeySource, key: KeySource): Promise<KeyDescription> {
    return this.#change(async (slots) => {
      const opened = await openAny(this.#configuration.id, slots, former)
      if (!opened) throw new VaultFailure('wrong-key', 'the former key is not a key of this vault')
      const changed = await this.#newSlot(key, opened.slot.label)
      return { slots: slots.map((slot) => (slot === opened.slot ? changed : slot)), changed }
    })
  }

  /** Which of the two objects are not what they should be. */
  async damaged(): Promise<string[]> {
    const names: string[] = []
    for (const name of [configurationName, configurationCopyName]) {
      if ((await this.#stateOf(name)) !== 'sound') names.push(name)
    }
    return names
  }

  /** Writes anew what is damaged. What is said to be missing replaces nothing, should it be there: it may be the newer of the two. */
  async heal(): Promise<void> {
    const content = serializeConfiguration(this.#configuration)
    for (const name of [configurationName, configurationCopyName]) {
      const state = await this.#stateOf(name)
      if (state === 'sound') continue
      if (state === 'missing' && !(await this.#backend.putNew(name, content))) continue
      if (state === 'damaged') await this.#backend.put(name, content)
      if (!this.healed.includes(name)) this.healed.push(name)
    }
  }

  async #stateOf(name: string): Promise<'sound' | 'damaged' | 'missing'> {
    try {
      const content = await readObject(this.#backend, name)
      if (!content) return 'missing'
      return content.equals(serializeConfiguration(this.#configuration)) ? 'sound' : 'damaged'
    } catch (error) {
      if (!isVaultFailure(error, 'damaged')) throw error
      return error instanceof ObjectMissing ? 'missing' : 'damaged'
    }
  }

  /** One change after the other; until a change is durable the former keys count. */
  #change(
    change: (slots: readonly KeySlot[]) => Promise<{ slots: KeySlot[]; changed: KeySlot }>,
  ): Promise<KeyDescription> {
    const done = this.#changing.then(async () => {
      const { changes, slots: former } = this.#slots()
      const { slots, changed } = await change(former)
      assertSlotCount(slots.length)
      const configuration = { ...this.#configuration, keys: { changes: changes + 1, slots } }
      const content = serializeConfiguration(configuration)
      await store(this.#backend, configurationName, content)
      this.#configuration = configuration
      await store(this.#backend, configurationCopyName, content)
      return describe(changed)
    })
    this.#changing = done.catch(() => undefined)
    return done
  }

  #newSlot(key: KeySource, label: string): Promise<KeySlot> {
    return newSlot(this.#configuration.id, key, label, this.#nowMs(), this.masterKey)
  }

  #slots(): KeySlots {
    const { id, keys } = this.#configuration
    if ('slots' in keys) return keys
    const slot = { label: '', createdMs: 0, passphrase: keys.passphrase }
    this.#converted ??= { changes: 0, slots: [sealKeySlot(id, slot, this.masterKey, this.masterKey)] }
    return this.#converted
  }
}

function describe({ id, passphrase, label, createdMs }: KeySlot): KeyDescription {
  return { id, kind: passphrase ? 'passphrase' : 'key-file', label, createdMs }
}

async function newSlot(
  vaultId: string,
  key: KeySource,
  label: string,
  createdMs: number,
  masterKey: Uint8Array,
): Promise<KeySlot> {
  if (label.length > labelLengthMax) {
    throw new VaultFailure('invalid-argument', `the label of a key has at most ${labelLengthMax} characters`)
  }
  const passphrase = 'passphrase' in key ? newPassphraseParameters() : null
  return sealKeySlot(vaultId, { label, createdMs, passphrase }, await userKeyOf(key, passphrase), masterKey)
}

/** The master key, or nothing when the key is none of this vault. */
async function unlock(configuration: VaultConfiguration, key: KeySource): Promise<Uint8Array | undefined> {
  const { id, keys } = configuration
  const masterKey =
    'slots' in keys ? (await openAny(id, keys.slots, key))?.masterKey : await directKey(keys.passphrase, key)
  return masterKey && isKeyOf(configuration, masterKey) ? masterKey : undefined
}

async function directKey(passphrase: KeySlot['passphrase'], key: KeySource): Promise<Uint8Array | undefined> {
  return 'passphrase' in key && !passphrase ? undefined : userKeyOf(key, passphrase)
}

/** The first slot that the key opens. Each passphrase slot costs as much as its parameters say. */
async function openAny(
  vaultId: string,
  slots: readonly KeySlot[],
  key: KeySource,
): Promise<{ slot: KeySlot; masterKey: Uint8Array } | undefined> {
  for (const slot of slots) {
    if ('passphrase' in key !== (slot.passphrase !== null)) continue
    const masterKey = openKeySlot(vaultId, slot, await userKeyOf(key, slot.passphrase))
    if (masterKey) return { slot, masterKey }
  }
  // A key that cannot be one is told from a wrong one.
  if (!('passphrase' in key)) await userKeyOf(key, null)
  return undefined
}

async function readBoth(
  backend: StorageBackend,
): Promise<{ main?: VaultConfiguration; copy?: VaultConfiguration; failure?: VaultFailure }> {
  const main = await readOne(backend, configurationName)
  // What a newer program wrote is not for us to mend.
  if (isVaultFailure(main, 'unsupported-format')) throw main
  const copy = await readOne(backend, configurationCopyName)
  return {
    ...(main && !isVaultFailure(main) ? { main } : {}),
    ...(copy && !isVaultFailure(copy) ? { copy } : {}),
    ...(isVaultFailure(main) ? { failure: main } : {}),
  }
}

async function readOne(
  backend: StorageBackend,
  name: string,
): Promise<VaultConfiguration | VaultFailure | undefined> {
  try {
    const content = await readObject(backend, name)
    return content && parseConfiguration(content)
  } catch (error) {
    if (isVaultFailure(error, 'not-a-vault') || isUnreadable(error)) return error
    throw error
  }
}

/** Without these objects nothing in the vault can be opened: an acknowledgement of the storage is not enough. */
async function store(backend: StorageBackend, name: string, content: Uint8Array): Promise<void> {
  await backend.put(name, content)
  await assertStored(backend, name, content)
}

function changesOf({ keys }: VaultConfiguration): number {
  return 'slots' in keys ? keys.changes : -1
}
