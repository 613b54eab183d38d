/**
 * `vault.json`, the only object of a vault that is not sealed; it holds nothing secret:
 *
 *     {
 *       "format": "palisade-vault", "version": 1,
 *       "id": "<random UUID>",
 *       "chunkSizeBytes": 1048576,
 *       "passphrase": null, or the parameters of keys/passphrase.ts,
 *       "keyCheck": "<hex>"
 *     }
 *
 * `keyCheck` is HMAC-SHA256 over `<id>:<chunkSizeBytes>` under the `key-check` key. It tells a wrong key from damage
 * and cannot be turned back into the key.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { VaultFailure } from '../failure.ts'
import { deriveKey } from '../keys/derive.ts'
import type { PassphraseParameters } from '../keys/passphrase.ts'

export const configurationName = 'vault.json'
const formatName = 'palisade-vault'
const formatVersion = 1

export interface VaultConfiguration {
  readonly id: string
  /** A power of two from 4 KiB to 16 MiB; the same for all revisions of the vault. */
  readonly chunkSizeBytes: number
  readonly passphrase: PassphraseParameters | null
  readonly keyCheck: string
}

export function serializeConfiguration(configuration: VaultConfiguration): Buffer {
  return Buffer.from(
    `${JSON.stringify({ format: formatName, version: formatVersion, ...configuration }, null, 2)}\n`,
  )
}

/** @throws VaultFailure `not-a-vault` or `unsupported-format` */
export function parseConfiguration(content: Uint8Array): VaultConfiguration {
  const json = parseObject(Buffer.from(content).toString('utf8'))
  if (json.format !== formatName)
    throw new VaultFailure('not-a-vault', `${configurationName} is not a vault's`)
  if (json.version !== formatVersion) {
    const message = `the vault has format version ${String(json.version)}, this program reads version ${formatVersion}`
    throw new VaultFailure('unsupported-format', message)
  }
  const { id, chunkSizeBytes, passphrase, keyCheck } = json
  const valid =
    typeof id === 'string' &&
    typeof keyCheck === 'string' &&
    isChunkSize(chunkSizeBytes) &&
    (passphrase === null || isPassphraseParameters(passphrase))
  if (!valid) throw new VaultFailure('not-a-vault', `${configurationName} has missing or invalid members`)
  return { id, chunkSizeBytes, passphrase, keyCheck }
}

export function isChunkSize(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    value >= 4096 &&
    value <= 16 * 1024 * 1024 &&
    Number.isInteger(Math.log2(value))
  )
}

export function keyCheckOf(masterKey: Uint8Array, id: string, chunkSizeBytes: number): string {
  return createHmac('sha256', deriveKey(masterKey, 'key-check'))
    .update(`${id}:${chunkSizeBytes}`)
    .digest('hex')
}

/** @throws VaultFailure `wrong-key` */
export function assertKeyOf(configuration: VaultConfiguration, masterKey: Uint8Array): void {
  const expected = Buffer.from(keyCheckOf(masterKey, configuration.id, configuration.chunkSizeBytes))
  const recorded = Buffer.from(configuration.keyCheck)
  if (expected.length === recorded.length && timingSafeEqual(expected, recorded)) return
  throw new VaultFailure('wrong-key', 'the key is not the key of this vault')
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
