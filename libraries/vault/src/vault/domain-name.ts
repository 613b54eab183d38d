import { VaultFailure } from '../failure.ts'
import { deriveKey } from '../keys/derive.ts'
import { domainNameObject } from '../object-names.ts'
import { openRecord, sealRecord } from '../record.ts'
import { readObject, type StorageBackend } from '../storage/backend.ts'
import type { Domain } from './domain.ts'

/** Writes a domain's name down beside its objects, whose names do not tell it. */
export async function recordDomainName(
  backend: StorageBackend,
  masterKey: Uint8Array,
  domain: Domain,
): Promise<void> {
  const { tag } = domain.keys
  if ((await backend.sizeBytes(domainNameObject(tag))) !== undefined) return
  const record = await sealRecord(
    deriveKey(masterKey, 'domain-names'),
    belongsTo(tag),
    Buffer.from(domain.name),
  )
  await backend.put(domainNameObject(tag), record)
}

/** @throws VaultFailure `damaged` */
export async function readDomainName(
  backend: StorageBackend,
  masterKey: Uint8Array,
  tag: string,
): Promise<string> {
  const record = await readObject(backend, domainNameObject(tag))
  if (!record) throw new VaultFailure('damaged', `${domainNameObject(tag)} has disappeared`)
  const name = await openRecord(deriveKey(masterKey, 'domain-names'), belongsTo(tag), record)
  return name.toString('utf8')
}

function belongsTo(tag: string): Buffer {
  return Buffer.from(`domain\0${tag}`)
}
