import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createKeyFile } from '../keys/key-file.ts'
import type { KeySource } from '../keys/master-key.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { createVault } from '../vault/open-vault.ts'
import { temporaryFolder } from './temporary-folder.ts'

const reader = fileURLToPath(new URL('../../../../docs/formats/read-vault.py', import.meta.url))

/** A Python that has the modules, Debian's before any other. */
export function pythonWith(t: TestContext, ...modules: string[]): string | undefined {
  const program = `import ${modules.join(', ')}`
  const python = ['/usr/bin/python3', 'python3'].find(
    (candidate) => spawnSync(candidate, ['-c', program]).status === 0,
  )
  if (!python) t.skip(`needs Python with ${modules.join(', ')}`)
  return python
}

/** Has the reader do what the words say. */
export function read(
  python: string,
  input: string,
  ...words: string[]
): { output: Buffer; errors: string; ok: boolean } {
  const { stdout, stderr, status } = spawnSync(python, [reader, ...words], { input, maxBuffer: 2 ** 30 })
  return { output: stdout, errors: String(stderr), ok: status === 0 }
}

/** A vault of small chunks and packs in a folder. */
export async function newVault(folder: string, key: KeySource) {
  return createVault({
    backend: new DirectoryBackend(folder),
    key,
    chunkSizeBytes: 4096,
    packSizeBytes: 30_000,
  })
}

/** A vault in a folder of its own, with its key in a file beside it. */
export async function newVaultWithKeyFile(t: TestContext) {
  const folder = await temporaryFolder(t)
  const keyFile = join(folder, 'key')
  await createKeyFile(keyFile)
  const vaultFolder = join(folder, 'vault')
  return { keyFile, vaultFolder, vault: await newVault(vaultFolder, { file: keyFile }) }
}
