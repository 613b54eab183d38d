/**
 * `vault.json`, the only object of a vault that is not sealed; it holds nothing secret:
 *
 *     {
 *       "format": "palisade-vault", "version": 2,
 *       "id": "<random UUID>",
 *       "chunkSizeBytes": 524288,
 *       "keyCheck": "<hex>",
 *       "changes": 0,
 *       "keySlots": [ … ]                     keys/key-slot.ts
 *     }
 *
 * `keyCheck` is HMAC-SHA256 over `<id>:<chunkSizeBytes>` under the `key-check` key. It tells a wrong key from damage
 * and cannot be turned back into the key. `changes` counts the changes of the slots.
 *
 * Version 1 has instead of the last two members `"passphrase"`, null or the parameters of keys/passphrase.ts: its key
 * file, or the key of its passphrase, is the master key itself. It becomes version 2 when its keys are changed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { VaultFailure } from '../failure.ts'
import { deriveKey } from '../keys/derive.ts'
import type { KeySlot } from '../keys/key-slot.ts'
import type { PassphraseParameters } from '../keys/passphrase.ts'

/** The object with the format, chunk size and keys of a vault. */
export const configurationName = 'vault.json'
/** Holds the same: with both lost, the keys would open nothing any more. */
export const configurationCopyName = 'vault.copy.json'
const formatName = 'palisade-vault'
const slotsMax = 16

/** The content of `vault.json`. */
export interface VaultConfiguration {
  readonly id: string
  /** A power of two from 4 KiB to 16 MiB; the same for all revisions of the vault. */
  readonly chunkSizeBytes: number
  readonly keyCheck: string
  readonly keys: KeySlots | DirectKey
}

/** Version 2. */
export interface KeySlots {
  readonly changes: number
  /** From 1 to 16. */
  readonly slots: readonly KeySlot[]
}

/** Version 1: what opens the vault is the master key. */
export interface DirectKey {
  readonly passphrase: PassphraseParameters | null
}

/** The JSON of `vault.json`, in the version of its keys. */
export function serializeConfiguration({ keys, ...rest }: VaultConfiguration): Buffer {
  const json =
    'slots' in keys
      ? { format: formatName, version: 2, ...rest, changes: keys.changes, keySlots: keys.slots }
      : { format: formatName, version: 1, ...rest, passphrase: keys.passphrase }
  return Buffer.from(`${JSON.stringify(json, null, 2)}\n`)
}

/** @throws VaultFailure `not-a-vault` or `unsupported-format` */
export function parseConfiguration(content: Uint8Array): VaultConfiguration {
  const json = parseObject(Buffer.from(content).toString('utf8'))
  if (json.format !== formatName)
    throw new VaultFailure('not-a-vault', `${configurationName} is not a vault's`)
  if (json.version !== 1 && json.version !== 2) {
    const message = `the vault has format version ${String(json.version)}, this program reads versions 1 and 2`
    throw new VaultFailure('unsupported-format', message)
  }
  const { id, chunkSizeBytes, keyCheck } = json
  const keys = json.version === 1 ? parseDirectKey(json) : parseSlots(json)
  const valid = typeof id === 'string' && typeof keyCheck === 'string' && isChunkSize(chunkSizeBytes)
  if (!valid || !keys)
    throw new VaultFailure('not-a-vault', `${configurationName} has missing or invalid members`)
  return { id, chunkSizeBytes, keyCheck, keys }
}

/** @throws VaultFailure `invalid-argument` */
export function assertSlotCount(count: number): void {
  if (count >= 1 && count <= slotsMax) return
  throw new VaultFailure('invalid-argument', `a vault has from 1 to ${slotsMax} keys`)
}

/** Whether a value is a power of two from 4 KiB to 16 MiB. */
export function isChunkSize(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    value >= 4096 &&
    value <= 16 * 1024 * 1024 &&
    Number.isInteger(Math.log2(value))
  )
}

/**
 * By this an opener knows that a master key is the right one for the vault: hexadecimal HMAC-SHA-256 over id and chunk
 * size.
 */
export function keyCheckOf(masterKey: Uint8Array, id: string, chunkSizeBytes: number): string {
  return createHmac('sha256', deriveKey(masterKey, 'key-check'))
    .update(`${id}:${chunkSizeBytes}`)
    .digest('hex')
}

/** Whether this is the master key of the vault. */
export function isKeyOf(configuration: VaultConfiguration, masterKey: Uint8Array): boolean {
  const expected = Buffer.from(keyCheckOf(masterKey, configuration.id, configuration.chunkSizeBytes))
  const recorded = Buffer.from(configuration.keyCheck)
  return expected.length === recorded.length && timingSafeEqual(expected, recorded)
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (cause) {
    throw new VaultFailure('not-a-vault', `${configurationName} is not JSON`, { cause })
  }
  throw new VaultFailure('not-a-vault', `${configurationName} is not a JSON object`)
}

function parseDirectKey({ passphrase }: Record<string, unknown>): DirectKey | undefined {
  return passphrase === null || isPassphraseParameters(passphrase) ? { passphrase } : undefined
}

function parseSlots({ changes, keySlots }: Record<string, unknown>): KeySlots | undefined {
  if (typeof changes !== 'number' || !Number.isSafeInteger(changes) || !Array.isArray(keySlots))
    return undefined
  const slots: unknown[] = keySlots
  const valid = slots.length >= 1 && slots.length <= slotsMax && slots.every(isKeySlot)
  return valid ? { changes, slots: slots.filter(isKeySlot) } : undefined
}

function isKeySlot(value: unknown): value is KeySlot {
  return (
    isRecord(value) &&
    [value.id, value.label, value.sealed].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(value.createdMs) &&
    (value.passphrase === null || isPassphraseParameters(value.passphrase))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPassphraseParameters(value: unknown): value is PassphraseParameters {
  if (!isRecord(value)) return false
  const numbers = [value.memoryKibibytes, value.passes, value.lanes]
  return (
    value.algorithm === 'argon2id' &&
    typeof value.salt === 'string' &&
    numbers.every((number) => Number.isSafeInteger(number))
  )
}
