/**
 * A program to be killed: backs up, deletes and collects in a vault until then, and says on standard output what it is
 * about to do and what it has done. Arguments: the storage as JSON, the vault's key as hexadecimal, the number of this run.
 */
import { writeSync } from 'node:fs'
import { openVault } from '../vault/open-vault.ts'
import { openStorage } from './crash-storage.ts'
import { backUpCrashVolume, crashDomain } from './crash-volume.ts'

const [storage = '', key = '', run = ''] = process.argv.slice(2)
const say = (word: string, revision: string) => writeSync(1, `${word} ${revision}\n`)
const vault = await openVault({
  backend: openStorage(JSON.parse(storage)),
  key: { bytes: Buffer.from(key, 'hex') },
  packSizeBytes: 50_000,
})
const revisions = (await vault.revisions(crashDomain)).map((head) => head.revision)
for (let number = 0; ; number++) {
  const revision = `${run}-${number}`
  const collecting = number % 3 === 1 ? vault.collect({ liveFractionMin: 0.8 }) : undefined
  await backUpCrashVolume(vault, revision)
  say('committed', revision)
  await collecting
  revisions.push(revision)
  const oldest = revisions.length > 4 ? revisions.shift() : undefined
  if (oldest === undefined) continue
  say('deleting', oldest)
  await vault.deleteRevision(crashDomain, oldest)
  say('deleted', oldest)
}
