import { X509Certificate } from 'node:crypto'
import {
  OpenToOthers,
  type PermittedReaders,
  readPrivateFile,
  readUnforgedFile,
  systemCode,
} from '@palisade/private-files'

/** A file that an operator named cannot be read, or is not to be; the message is one sentence without a full stop that says which one and why. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure'
}

/**
 * Reads a text that an operator keeps in a file.
 *
 * @param named what names it, such as "firewall.certificate.keyFile" or "--ca"
 * @param readers who may know what is in it
 * @throws FileFailure, also when more users may read or write it, or put another file in its place
 */
export function readNamedFile(path: string, named: string, readers: PermittedReaders | 'everybody'): string {
  try {
    const content = readers === 'everybody' ? readUnforgedFile(path) : readPrivateFile(path, readers)
    return content.toString()
  } catch (error) {
    throw fileFailureOf(error, path, named)
  }
}

/** Why a file cannot be used, by what has been thrown by the system or by a look at who else may read it. */
export function fileFailureOf(error: unknown, path: string, named: string): FileFailure {
  return new FileFailure(
    error instanceof OpenToOthers
      ? `${named}: ${error.message}`
      : `${named} names ${path}, which cannot be read: ${whyUnreadable(error)}`,
  )
}

/**
 * Reads certificates that an operator keeps in a file, PEM.
 *
 * @param named what names it, such as "--ca"
 * @throws FileFailure, also when there is no certificate in it or others may write it
 */
export function readCertificates(path: string, named: string): string {
  const text = readNamedFile(path, named, 'everybody')
  try {
    new X509Certificate(text)
  } catch {
    throw new FileFailure(`${named} names ${path}, which does not begin with a certificate in PEM`)
  }
  return text
}

/** Why a file cannot be read, by what the system has thrown: "there is no such file". */
export function whyUnreadable(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return 'there is no such file'
    case 'ENOTDIR':
      return 'a part of its path is a file, not a folder'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'this user may not read it'
    case 'ELOOP':
      return 'it is a link that leads back to itself'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
