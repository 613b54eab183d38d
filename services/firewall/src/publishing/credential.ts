import { hkdfSync } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { equalInConstantTime } from '@palisade/platform'
import { OpenToOthers, readPrivateFile } from '@palisade/private-files'

const keySizeBytes = 32

/** Where a proxy on the same machine finds the credential: a file in the data directory, readable by its owner alone. */
export const credentialFileName = 'firewall-proxy.key'

/** What proxies prove themselves with; the same as long as the installation has the same secret. */
export function proxyCredential(installationKey: Buffer): string {
  return Buffer.from(
    hkdfSync('sha256', installationKey, '', 'palisade-firewall/proxies', keySizeBytes),
  ).toString('base64url')
}

/**
 * Puts the credential where a proxy on the same machine, or whoever sets up another machine, can take it from.
 *
 * @throws OpenToOthers when it lies there and others may read or replace it; its group may be that of a proxy with a user of its own
 */
export function keepCredential(dataDirectory: string, credential: string): void {
  const file = join(dataDirectory, credentialFileName)
  if (contentOf(file) === credential) return
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, credential, { mode: 0o600 })
  renameSync(temporary, file)
}

/** @param authorization the header of a request */
export function isCredential(authorization: string | undefined, credential: string): boolean {
  const [, presented = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return equalInConstantTime(presented, credential)
}

function contentOf(file: string): string | undefined {
  try {
    return readPrivateFile(file, 'group-reads').toString()
  } catch (error) {
    if (error instanceof OpenToOthers) throw error
    // Not there yet, or not ours to read: then writing says why.
    return undefined
  }
}
