import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A folder with more files than that is one line: the packs of a vault are many. */
const filesShownMax = 50

/** A vault may have millions; the rest is left out, and said to be. */
const entriesMax = 200_000

/** A file or a folder as a listing has it. */
interface Line {
  readonly mode: string
  readonly owner: string
  readonly size: string
  readonly changed: string
  readonly name: string
}

/**
 * What lies in a folder, with modes, owners and sizes, and no content: one line for each file, or for all files of a folder
 * that has many. What cannot be read says why.
 */
export async function folderListing(root: string): Promise<string> {
  const lines: Line[] = []
  let entries = 0
  const list = async (folder: string): Promise<void> => {
    let inside: Dirent[]
    try {
      inside = await readdir(folder, { withFileTypes: true })
    } catch (error) {
      lines.push({ ...unread, name: `${relative(root, folder) || '.'}/ ${reasonOf(error)}` })
      return
    }
    const folders = inside.filter((entry) => entry.isDirectory())
    const files = inside.filter((entry) => !entry.isDirectory())
    const shown: Line[] = []
    let bytes = 0
    for (const { name } of files) {
      if (++entries > entriesMax) break
      const line = await lineOf(join(folder, name), relative(root, join(folder, name)))
      bytes += Number(line.size) || 0
      shown.push(line)
    }
    const own = await lineOf(folder, `${relative(root, folder) || '.'}/`)
    lines.push({ ...own, size: String(bytes), name: `${own.name} ${files.length} files` })
    if (files.length <= filesShownMax) lines.push(...shown)
    for (const { name } of folders) if (entries <= entriesMax) await list(join(folder, name))
  }
  await list(root)
  const text = lines.map(({ mode, owner, size, changed, name }) =>
    [mode.padEnd(4), owner.padEnd(11), size.padStart(14), changed.padEnd(24), name].join(' '),
  )
  if (entries > entriesMax) text.push(`There is more: the first ${entriesMax} files are counted.`)
  return `${text.join('\n')}\n`
}

const unread: Omit<Line, 'name'> = { mode: '-', owner: '-', size: '-', changed: '-' }

async function lineOf(path: string, name: string): Promise<Line> {
  try {
    const { mode, uid, gid, size, mtime } = await lstat(path)
    return {
      mode: (mode & 0o7777).toString(8).padStart(4, '0'),
      owner: `${uid}:${gid}`,
      size: String(size),
      changed: mtime.toISOString(),
      name,
    }
  } catch (error) {
    return { ...unread, name: `${name} ${reasonOf(error)}` }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
