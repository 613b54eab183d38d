import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import {
  type PermittedReaders,
  refuseOpenMode,
  refuseReplaceable,
  refuseWritableMode,
} from './open-to-others.ts'

const readableByOthers = 0o004

/**
 * Reads a file with a secret.
 *
 * @throws OpenToOthers when more users may read or write it than `readers` says, or put another file in its place; the system's error
 *   when it cannot be read
 */
export function readPrivateFile(path: string, readers: PermittedReaders): Buffer {
  return readChecked(path, (mode) => refuseOpenMode(path, mode, readers))
}

/**
 * Reads a file that decides what a program does, and that anybody may know.
 *
 * @throws OpenToOthers when others may write it or put another file in its place; the system's error when it cannot be read
 */
export function readUnforgedFile(path: string): Buffer {
  return readChecked(path, (mode) => refuseWritableMode(path, mode))
}

/** Whether every user of the machine may read a file. */
export function mayBeReadByOthers(path: string): boolean {
  return process.platform !== 'win32' && withOpen(path, (fd) => (fstatSync(fd).mode & readableByOthers) !== 0)
}

function readChecked(path: string, check: (mode: number) => void): Buffer {
  return withOpen(path, (fd) => {
    check(fstatSync(fd).mode)
    refuseReplaceable(path)
    return readFileSync(fd)
  })
}

function withOpen<Result>(path: string, use: (fd: number) => Result): Result {
  const fd = openSync(path, 'r')
  try {
    return use(fd)
  } finally {
    closeSync(fd)
  }
}
