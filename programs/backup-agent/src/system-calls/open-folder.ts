/**
 * Folders in which somebody else may write. A path is looked up anew each time it is used, and whoever owns one of its folders can
 * put a link there in between. So a folder is opened once, step by step and through no link, and everything in it is reached through
 * its descriptor:
 *
 *     /restores (the owner's own word) ──> clients ──> acme     each opened below the one before, O_NOFOLLOW
 *     /proc/self/fd/23/files01.vhdx                              a file in the last one, whatever its name is by now
 *
 * Other systems than Linux have no such paths. There the names are used as they are.
 */

import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { systemCode } from '@palisade/private-files'

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)
const hasDescriptorPaths = process.platform === 'linux'

/** A folder that stays the same until it is closed. */
export interface OpenFolder {
  /** Leads to the folder itself, by no name that could come to mean another one. */
  readonly path: string
  /** Makes the names in it durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Where a folder has to be. */
export interface FolderLimits {
  /** It is one of these or below one. Their own parents are trusted. */
  readonly roots: readonly string[]
  /** Says of a path without links that it is not to be used all the same. */
  readonly isForbidden: (path: string) => boolean
}

/** A folder is not where it has to be. */
export class OutsideOfLimits extends Error {
  override readonly name = 'OutsideOfLimits'
}

/** A path to an open file that stays the same whatever becomes of the file's name; the name itself where the system has no such paths. */
export function descriptorPath(descriptor: number, name: string): string {
  return hasDescriptorPaths ? `/proc/self/fd/${descriptor}` : name
}

/**
 * Opens a folder. Links on the way are followed as they are when this begins, and must lead to where it may be; one that is put
 * there later makes it fail.
 *
 * @param path absolute
 * @param limits anywhere when they are left out
 * @param makes whether folders that are missing are made, durably
 * @throws OutsideOfLimits when it is not where it has to be
 */
export async function openFolder(
  path: string,
  { limits, makes }: { readonly limits: FolderLimits | undefined; readonly makes: boolean },
): Promise<OpenFolder> {
  const resolved = await realPath(path)
  const top = limits === undefined ? resolved.there : await topOf(resolved.whole, limits)
  const names = resolved.whole === top ? [] : resolved.whole.slice(withSeparator(top).length).split(sep)
  let at: Step = { handle: await open(top, folderFlags), name: top }
  try {
    for (const name of names) at = await stepInto(at, name, makes)
    return folderOf(at)
  } catch (error) {
    await at.handle.close()
    throw error
  }
}

/**
 * Opens the folder that a path without links leads to.
 *
 * @param path absolute, without links
 * @throws Error when a link was put in its place, or in that of a folder above; the system's error when it cannot be opened
 */
export async function openFolderAt(path: string): Promise<OpenFolder> {
  const handle = await open(path, folderFlags)
  try {
    const place = hasDescriptorPaths ? await readlink(descriptorPath(handle.fd, path)) : path
    if (place !== path) throw new Error(`another folder was put in the place of ${path}`)
    return folderOf({ handle, name: path })
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** From where on a folder is opened step by step: what is there of the root that it is below. */
async function topOf(whole: string, { roots, isForbidden }: FolderLimits): Promise<string> {
  for (const root of roots) {
    const allowed = await realPath(root).catch(() => undefined)
    if (allowed !== undefined && isWithin(whole, allowed.whole) && !isForbidden(whole)) return allowed.there
  }
  throw new OutsideOfLimits(`${whole} is not where folders may be`)
}

/** Whether a path is a folder or below it; both absolute, without links. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(withSeparator(folder))
}

/** Where a path leads, without links: all of it as it will be when it is made, and the part that is there. */
async function realPath(path: string): Promise<{ readonly whole: string; readonly there: string }> {
  const missing: string[] = []
  for (let part = resolve(path); ; part = dirname(part)) {
    try {
      const there = await realpath(part)
      return { whole: join(there, ...missing), there }
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || dirname(part) === part) throw error
      missing.unshift(basename(part))
    }
  }
}

/** Where a path leads, without links; of what is not there yet, where it will be. */
export async function withoutLinks(path: string): Promise<string> {
  return (await realPath(path)).whole
}

interface Step {
  readonly handle: FileHandle
  readonly name: string
}

/** Opens a folder in an open one, which is closed; when this rejects it is still open. */
async function stepInto({ handle, name: parent }: Step, name: string, makes: boolean): Promise<Step> {
  const place = join(descriptorPath(handle.fd, parent), name)
  const inner = await open(place, folderFlags).catch(async (error: unknown) => {
    if (!makes || systemCode(error) !== 'ENOENT') throw error
    await makeOne(place)
    // A new folder is durable when the one that holds it is.
    await handle.sync()
    return open(place, folderFlags)
  })
  await handle.close()
  return { handle: inner, name: join(parent, name) }
}

async function makeOne(place: string): Promise<void> {
  try {
    await mkdir(place)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

function folderOf({ handle, name }: Step): OpenFolder {
  return {
    path: descriptorPath(handle.fd, name),
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}
