/**
 * A reader of vaults written from docs/formats/vault.md alone. It shares no code with the vault: when it fails, either the
 * document or the format has changed without the other.
 */
import assert from 'node:assert/strict'
import { argon2Sync, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { crc32, zstdDecompressSync } from 'node:zlib'
import { Blake3Hasher } from '@napi-rs/blake-hash'
import { createVault, DirectoryBackend } from './index.ts'
import { backUpPatched, changePieces } from './testing/patched-volume.ts'
import { backUp, exampleVolume } from './testing/volume.ts'

const text = (...parts: string[]) => Buffer.from(parts.join('\0'))
const keyed = (key: Buffer, ...parts: Buffer[]) =>
  Blake3Hasher.newKeyed(key).update(Buffer.concat(parts)).digestBuffer()

function open(key: Buffer, nonce: Buffer, sealed: Buffer, belongsTo: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(belongsTo)
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}

const openRecord = (key: Buffer, record: Buffer, belongsTo: Buffer) =>
  zstdDecompressSync(open(key, record.subarray(0, 12), record.subarray(12), belongsTo))

async function readVolume(
  folder: string,
  passphrase: string,
  domain: string,
  revision: string,
): Promise<Buffer> {
  const configuration = JSON.parse(await readFile(join(folder, 'vault.json'), 'utf8'))
  const [slot] = configuration.keySlots
  const { salt, memoryKibibytes, passes, lanes } = slot.passphrase
  const user = argon2Sync('argon2id', {
    message: passphrase.normalize('NFC'),
    nonce: Buffer.from(salt, 'hex'),
    memory: memoryKibibytes,
    passes,
    parallelism: lanes,
    tagLength: 32,
  })
  const slotKey = Buffer.from(hkdfSync('sha256', user, '', 'palisade-vault/2/key-slot', 32))
  const sealedMaster = Buffer.from(slot.sealed, 'hex')
  const slotOf = text('key-slot', configuration.id, slot.id)
  const master = open(slotKey, sealedMaster.subarray(0, 12), sealedMaster.subarray(12), slotOf)
  const key = (purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', master, '', `palisade-vault/1/${purpose}`, bytes))
  const check = createHmac('sha256', key('key-check')).update(
    `${configuration.id}:${configuration.chunkSizeBytes}`,
  )
  assert.equal(check.digest('hex'), configuration.keyCheck)
  const tag = key(`domain-tag\0${domain}`, 16).toString('hex')
  const base = join(folder, 'domains', tag)
  const name = openRecord(key('domain-names'), await readFile(join(base, 'domain')), text('domain', tag))
  assert.equal(name.toString(), domain)

  const chunks = new Map<string, Buffer>()
  for (const packId of await readdir(join(base, 'packs'))) {
    const pack = await readFile(join(base, 'packs', packId))
    const footer = pack.subarray(-64)
    const table = pack.subarray(Number(footer.readBigUInt64LE(8)), -64)
    assert.equal(footer.readUInt32LE(20), crc32(table))
    const mac = keyed(key(`tables\0${domain}`), pack.subarray(0, 48), table, footer.subarray(0, 24))
    assert.deepEqual(mac, footer.subarray(24, 56))
    for (let entry = 0; entry < table.length; entry += 40) {
      const offset = table.readUInt32LE(entry + 32)
      chunks.set(
        table.toString('hex', entry, entry + 32),
        pack.subarray(offset, offset + table.readUInt32LE(entry + 36)),
      )
    }
  }

  const openChunk = (id: Buffer) => {
    const sealed = chunks.get(id.toString('hex'))
    assert.ok(sealed)
    const belongsTo = Buffer.concat([sealed.subarray(0, 2), id])
    const content = open(
      key(`chunk-sealing\0${domain}`),
      sealed.subarray(2, 14),
      sealed.subarray(14),
      belongsTo,
    )
    const plain = sealed[1] === 1 ? zstdDecompressSync(content) : content
    assert.deepEqual(keyed(key(`chunk-naming\0${domain}`), plain), id)
    return plain
  }

  const object = await readFile(join(base, 'revisions', revision))
  const headRecord = object.subarray(24, 24 + object.readUInt32LE(12))
  const records = key(`records\0${domain}`)
  const head = JSON.parse(openRecord(records, headRecord, text('head', tag, revision)).toString())
  const belongsTo = Buffer.concat([text('chunks', tag, revision, ''), headRecord.subarray(-16)])
  const list = openRecord(records, object.subarray(24 + headRecord.length), belongsTo)
  const names = new Map<number, Buffer>()
  let next = Math.ceil(head.chunkCount / 8)
  for (let chunk = 0; chunk < head.chunkCount; chunk++) {
    if (((list[chunk >> 3] ?? 0) & (1 << (chunk & 7))) === 0) continue
    names.set(chunk, list.subarray(next, next + 32))
    next += 32
  }
  const table = list.subarray(next)
  assert.equal(object.readUInt32LE(8), table.length === 0 ? 1 : 2)
  assert.equal(table.length % 68, 0)
  const volume = Buffer.alloc(head.capacityBytes)
  for (let at = 0; at < table.length; at += 68) {
    const chunk = table.readUInt32LE(at)
    const content = layOver(
      openChunk(table.subarray(at + 4, at + 36)),
      openChunk(table.subarray(at + 36, at + 68)),
    )
    assert.equal(content.length, head.chunkSizeBytes)
    assert.deepEqual(keyed(key(`chunk-naming\0${domain}`), content), names.get(chunk))
    content.copy(volume, chunk * head.chunkSizeBytes)
    names.delete(chunk)
  }
  for (const [chunk, id] of names) openChunk(id).copy(volume, chunk * head.chunkSizeBytes)
  return volume
}

function layOver(base: Buffer, patch: Buffer): Buffer {
  const pieceBytes = base.length / 128
  const pieces = Array.from({ length: 128 }, (_, piece) => piece).filter(
    (piece) => (((patch[piece >> 3] ?? 0) >> (piece & 7)) & 1) === 1,
  )
  assert.equal(patch.length, 16 + pieces.length * pieceBytes)
  const content = Buffer.from(base)
  for (const [number, piece] of pieces.entries()) {
    const from = 16 + number * pieceBytes
    patch.copy(content, piece * pieceBytes, from, from + pieceBytes)
  }
  return content
}

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palisade-vault-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a vault can be read with the format document and no code of ours', async () => {
  const backend = new DirectoryBackend(folder)
  const key = { passphrase: 'correct horse' }
  const vault = await createVault({ backend, key, chunkSizeBytes: 4096, packSizeBytes: 30_000 })
  const volumes = ['a', 'b'].map((seed) => exampleVolume(seed, 4096, 50))
  for (const [index, volume] of volumes.entries()) await backUp(vault, 'acme/0001', `${index}`, volume)
  const [earlier] = volumes
  assert.ok(earlier)
  const positions = [0, 1, 3, 48]
  const patched = changePieces(earlier, 4096, 'c', (position) => (positions.includes(position) ? 60 : 0))
  await backUpPatched(vault, 'acme/0001', '2', { earlier, volume: patched, positions })
  volumes.push(patched)
  await vault.close()
  for (const [index, volume] of volumes.entries()) {
    assert.deepEqual(await readVolume(folder, key.passphrase, 'acme/0001', `${index}`), volume)
  }
})
