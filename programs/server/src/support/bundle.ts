import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { create } from 'tar'

/**
 * Packs texts as files of a folder: tar, compressed by gzip. They lie in a private folder for temporary files meanwhile.
 *
 * @param folder the name of the folder in the archive
 */
export async function packArchive(files: Readonly<Record<string, string>>, folder: string): Promise<Buffer> {
  const scratch = mkdtempSync(join(tmpdir(), 'palisade-support-'))
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(scratch, folder, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, text, { mode: 0o600 })
    }
    const file = join(scratch, 'archive')
    await create({ cwd: scratch, gzip: true, portable: true, file }, [folder])
    return readFileSync(file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
