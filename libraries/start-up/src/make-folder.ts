import { lstatSync, mkdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OpenToOthers, refuseOpenFolder, systemCode } from '@palisade/private-files'

/** A folder that an operator named cannot be used; the message is one sentence without a full stop that says which one and why. */
export class FolderFailure extends Error {
  override readonly name = 'FolderFailure'
}

/**
 * Makes a folder, and those above it that are missing. One that is there stays as it is. Ends in any case, which
 * `mkdirSync(path, { recursive: true })` does not below `/proc`.
 *
 * @param path relative ones begin at the working directory; links on the way are followed
 * @param named what names it, such as "dataDirectory" or "--state"
 * @param mode of every folder that is made
 * @returns the absolute path
 * @throws FolderFailure
 */
export function makeFolder(path: string, named: string, mode = 0o700): string {
  const folder = resolve(path)
  for (const place of missingFolders(folder)) {
    try {
      mkdirSync(place, { mode })
    } catch (error) {
      // Another process may have made it a moment ago.
      if (!isFolder(place)) throw folderFailureOf(error, { folder, named, place })
    }
  }
  return folder
}

/**
 * Makes a folder for what is ours alone, as `makeFolder` does.
 *
 * @throws FolderFailure, also when it is there and others may write in it
 */
export function makePrivateFolder(path: string, named: string): string {
  const folder = makeFolder(path, named)
  try {
    refuseOpenFolder(folder)
  } catch (error) {
    throw error instanceof OpenToOthers ? new FolderFailure(`${named}: ${error.message}`) : error
  }
  return folder
}

/** From the top down, and the folder itself in any case. */
function missingFolders(folder: string): string[] {
  const missing = [folder]
  for (let above = dirname(folder); !isThere(above); above = dirname(above)) missing.unshift(above)
  return missing
}

/** What cannot be looked at is there: making something in it says what is wrong. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // Whoever asks knows better what is wrong.
    return false
  }
}

/**
 * Why a folder cannot be used, by what the system has thrown.
 *
 * @param at.place what was to be made or written: the folder, something above it or a file in it
 */
export function folderFailureOf(
  error: unknown,
  { folder, named, place }: { readonly folder: string; readonly named: string; readonly place: string },
): FolderFailure {
  return new FolderFailure(`${named} names ${folder}, which cannot be used: ${reasonOf(error, place)}`)
}

function reasonOf(error: unknown, place: string): string {
  const above = dirname(place)
  switch (systemCode(error)) {
    case 'EEXIST':
      return whatIsAt(place)
    case 'ENOTDIR':
      return `${above} is a file`
    case 'EISDIR':
      return `${place} is a folder, and should be a file`
    case 'ENOENT':
      return isThere(above) ? `the system makes nothing in ${above}` : `there is no folder ${above}`
    case 'EROFS':
      return `${above} is on a file system that is read-only`
    case 'EACCES':
    case 'EPERM':
      return `this user may not write in ${above}`
    case 'ENOSPC':
    case 'EDQUOT':
      return `there is no space left in ${above}`
    case 'ELOOP':
      return `${above} has a link in it that leads back to itself`
    case 'ENAMETOOLONG':
      return 'the name is too long'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

function whatIsAt(place: string): string {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()
    ? `${place} is a link to ${readlinkSync(place)}, which is not there or no folder`
    : `${place} is a file`
}
