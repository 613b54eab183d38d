import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupSource } from '@palisade/agent-protocol'
import type { Place } from './locate.ts'
import { type Machine, pathOf } from './machine.ts'

const writableByAll = 0o002

/**
 * Everything that the system calls a volume: an image by its path without links; a device by its own path and by all
 * links to it in /dev; a partition also by its own device, beside its disk and its number.
 */
export async function systemNamesOf(
  machine: Machine,
  { source, device }: Place,
): Promise<readonly BackupSource[]> {
  const links = await linksIn(machine.dev)
  const namesAt = async (path: string) => {
    const real = await realOr(path)
    return [path, real, ...links.filter((link) => link.real === real).map((link) => link.path)]
  }
  const names = (await namesAt(source.path)).map((path) => ({ ...source, path }))
  if (source.partition === undefined || device === undefined) return names
  return [...names, ...(await namesAt(pathOf(machine, device))).map((path) => ({ path }))]
}

interface Link {
  readonly path: string
  readonly real: string
}

/** The links that the system has made: none of a folder where everybody may make some, such as /dev/shm. */
async function linksIn(folder: string): Promise<readonly Link[]> {
  try {
    if (((await stat(folder)).mode & writableByAll) !== 0) return []
    const links: Link[] = []
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) links.push(...(await linksIn(path)))
      if (entry.isSymbolicLink()) links.push({ path, real: await realOr(path) })
    }
    return links
  } catch {
    // The system has no such folder, or has just removed it with the device whose links were there.
    return []
  }
}

/** The path without links; as it is when it leads nowhere. */
async function realOr(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}
