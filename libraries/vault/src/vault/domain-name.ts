import { isVaultFailure } from '../failure.ts'
import { deriveKey } from '../keys/derive.ts'
import { domainNameObject } from '../object-names.ts'
import { openRecord, sealRecord } from '../record.ts'
import { readObject, type StorageBackend } from '../storage/backend.ts'
import type { Domain } from './domain.ts'

/** Writes a domain's name down beside its objects, whose names do not tell it, unless it can be read there already. */
export async function recordDomainName(
  backend: StorageBackend,
  masterKey: Uint8Array,
  domain: Domain,
): Promise<void> {
  const { tag } = domain.keys
  if ((await readDomainName(backend, masterKey, tag)) === domain.name) return
  const record = await sealRecord(
    deriveKey(masterKey, 'domain-names'),
    belongsTo(tag),
    Buffer.from(domain.name),
  )
  await backend.put(domainNameObject(tag), record)
}

/** Nothing when the name is not there, or damaged. */
export async function readDomainName(
  backend: StorageBackend,
  masterKey: Uint8Array,
  tag: string,
): Promise<string | undefined> {
  try {
    const record = await readObject(backend, domainNameObject(tag))
    if (!record) return undefined
    const name = await openRecord(deriveKey(masterKey, 'domain-names'), belongsTo(tag), record)
    return name.toString('utf8')
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return undefined
    throw error
  }
}

function belongsTo(tag: string): Buffer {
  return Buffer.from(`domain\0${tag}`)
}
