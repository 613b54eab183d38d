import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { newFolder } from '../programs/server.ts'

/** Where Debian's package modsecurity-crs puts its rules. */
export const debianRules = '/usr/share/modsecurity-crs/rules'

/** The archive of a release, as the project of the Core Rule Set publishes them. */
export interface ReleaseArchive {
  readonly file: string
  readonly sha256: string
}

/**
 * Packs Debian's rules as a release of another number.
 *
 * @param more files of rules beside them, by their names
 */
export function packRelease(release: string, more: Readonly<Record<string, string>> = {}): ReleaseArchive {
  const folder = newFolder()
  const name = `coreruleset-${release}`
  const rules = join(folder, name, 'rules')
  mkdirSync(rules, { recursive: true })
  for (const file of readdirSync(debianRules)) {
    const from = join(debianRules, file)
    if (!file.endsWith('.conf')) copyFileSync(from, join(rules, file))
    else
      writeFileSync(
        join(rules, file),
        readFileSync(from, 'utf8').replaceAll(/OWASP_CRS\/[\d.]+/g, `OWASP_CRS/${release}`),
      )
  }
  for (const [file, text] of Object.entries(more)) writeFileSync(join(rules, file), text)
  copyFileSync('/etc/modsecurity/crs/crs-setup.conf', join(folder, name, 'crs-setup.conf.example'))
  const file = join(folder, `${name}.tar.gz`)
  // GitHub's archives begin with a comment that names the commit.
  execFileSync('tar', [
    '--format=pax',
    '--pax-option=comment=0123456789abcdef',
    '-C',
    folder,
    '-czf',
    file,
    name,
  ])
  return archive(file)
}

/** @param entries what comes in the archive before the files of the release */
export function withEntries(release: ReleaseArchive, entries: readonly Buffer[]): ReleaseArchive {
  const file = join(newFolder(), 'release.tar.gz')
  writeFileSync(
    file,
    gzipSync(Buffer.concat([...entries, gunzipSync(readFileSync(release.file))]), { level: 1 }),
  )
  return archive(file)
}

/** A release as it lies in a file, with its digest. */
export function archive(file: string): ReleaseArchive {
  return { file, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }
}

/** Kinds of entries in a tar archive, by POSIX (pax, "ustar Interchange Format"). */
export const tarTypes = {
  file: '0',
  'hard link': '1',
  'symbolic link': '2',
  'character device': '3',
  'block device': '4',
  folder: '5',
  pipe: '6',
} as const

/** One entry of a tar archive, whatever its path and type, which no ordinary program would write. */
export function tarEntry(
  path: string,
  type: keyof typeof tarTypes,
  { content = Buffer.alloc(0), target = '' }: { content?: Buffer; target?: string } = {},
): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(path, 0, 100)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(content.length, 12), 124)
  header.write(octal(0, 12), 136)
  header.write(' '.repeat(8), 148)
  header.write(tarTypes[type], 156)
  header.write(target, 157, 100)
  header.write('ustar\0', 257)
  header.write('00', 263)
  // The null device, for devices.
  header.write(octal(1, 8), 329)
  header.write(octal(3, 8), 337)
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      8,
    ),
    148,
  )
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}
