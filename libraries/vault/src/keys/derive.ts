/**
 * The tree of keys. Everything is HKDF-SHA256 (RFC 5869) of the 32-byte master key with an empty salt; the info is
 * a purpose, a zero byte, and the domain in UTF-8 where there is one:
 *
 *     master ─┬─ palisade-vault/1/key-check            32   recognises the key when a vault is opened
 *             ├─ palisade-vault/1/domain-names         32   seals the names of the domains
 *             └─ per domain
 *                 ├─ palisade-vault/1/chunk-naming     32   ids of chunks           } given to the agent
 *                 ├─ palisade-vault/1/chunk-sealing    32   contents of chunks      } of this domain
 *                 ├─ palisade-vault/1/chunk-marks      32   marks of chunks that are sealed end to end, given to the agent too
 *                 ├─ palisade-vault/1/tables           32   MAC of pack tables and index segments
 *                 ├─ palisade-vault/1/records          32   seals revisions
 *                 └─ palisade-vault/1/domain-tag       16   the domain's folder in the storage
 *
 * One domain's keys say nothing about another's, so a computer can neither read nor probe another's chunks.
 */
import { hkdfSync } from 'node:crypto'
import { VaultFailure } from '../failure.ts'

/** What an agent needs to name, seal and open the chunks of its domain; each key has 32 bytes. */
export interface ChunkKeys {
  readonly naming: Uint8Array
  readonly sealing: Uint8Array
}

/** What proves that sealed chunks of a domain are what they were. */
export interface VerificationKeys {
  readonly chunks: ChunkKeys
  /** Marks chunks that are sealed with a key of the computer's own; 32 bytes. */
  readonly marking: Uint8Array
}

/** All keys of a domain; only the holder of the master key has them. */
export interface DomainKeys extends VerificationKeys {
  readonly tables: Uint8Array
  readonly records: Uint8Array
  /** 16 bytes as hexadecimal. */
  readonly tag: string
}

/** A master key has 256 bits. */
export const masterKeyBytes = 32
const domainLengthMax = 512

/**
 * The keys of one domain, for example of `account/computer`. A domain is any text of 1 to 512 UTF-16 units.
 *
 * @throws VaultFailure `invalid-argument`
 */
export function deriveChunkKeys(masterKey: Uint8Array, domain: string): ChunkKeys {
  return deriveDomainKeys(masterKey, domain).chunks
}

/**
 * All keys of a domain.
 *
 * @throws VaultFailure `invalid-argument` as `deriveChunkKeys`
 */
export function deriveDomainKeys(masterKey: Uint8Array, domain: string): DomainKeys {
  if (domain.length === 0 || domain.length > domainLengthMax || !domain.isWellFormed()) {
    throw new VaultFailure('invalid-argument', `a domain is a text of 1 to ${domainLengthMax} characters`)
  }
  const derive = (purpose: string, bytes = 32) => deriveKey(masterKey, `${purpose}\0${domain}`, bytes)
  return {
    chunks: { naming: derive('chunk-naming'), sealing: derive('chunk-sealing') },
    marking: derive('chunk-marks'),
    tables: derive('tables'),
    records: derive('records'),
    tag: derive('domain-tag', 16).toString('hex'),
  }
}

/** A key for one purpose (HKDF-SHA-256). Another purpose gives an independent key. */
export function deriveKey(masterKey: Uint8Array, purpose: string, bytes = 32): Buffer {
  if (masterKey.length !== masterKeyBytes) {
    throw new VaultFailure('invalid-argument', `a master key has ${masterKeyBytes} bytes`)
  }
  return Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), `palisade-vault/1/${purpose}`, bytes))
}
