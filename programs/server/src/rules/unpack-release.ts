import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ReadEntry, UnpackSync } from 'tar'
import { RuleFailure } from './rule-failure.ts'

/** A release has some 60 files of together 2 MB. */
const entriesMax = 5_000
const unpackedBytesMax = 128 * 1024 * 1024

/** What of a release is read: rules with their data, plugins, and the settings that it ships. */
const wantedPaths = /^[^/]+\/((rules|plugins)(\/|$)|crs-setup\.conf\.example$|LICENSE$)/

/**
 * Unpacks the archive of a release of the Core Rule Set, `.tar.gz` as the project publishes it, without the outermost folder of the
 * archive. What a release does not need is left out.
 *
 * @param source what the archive is called in errors
 * @param target a folder that is made
 * @returns the release, such as `4.20.0`, as the rules themselves say
 * @throws RuleFailure when it is no such archive, leads out of the folder, or has anything but files in the place of rules
 */
export function unpackRelease(archive: Buffer, source: string, target: string): string {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  try {
    const tar = uncompressed(archive)
    new UnpackSync({
      cwd: target,
      strip: 1,
      strict: true,
      preserveOwner: false,
      noMtime: true,
      filter: entryFilter(),
    }).end(tar)
  } catch (error) {
    throw new RuleFailure(
      `${source} is no .tar.gz archive of the Core Rule Set: ${error instanceof Error ? error.message : error}`,
    )
  }
  return releaseIn(join(target, 'rules'), source)
}

/** At once and with a limit, so that a small archive cannot become a large one. */
function uncompressed(archive: Buffer): Buffer {
  let tar: Buffer
  try {
    tar = gunzipSync(archive, { maxOutputLength: unpackedBytesMax })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Error(`it holds more than ${unpackedBytesMax} bytes`)
  }
  // POSIX, pax, "ustar Header Block": the magic field. What is not tar would be guessed at, and uncompressed once more.
  if (tar.toString('latin1', 257, 262) !== 'ustar') throw new Error('what was compressed is no tar archive')
  return tar
}

/** Says which entries are taken, and throws at those that nobody publishes. */
function entryFilter(): (path: string, entry: ReadEntry | object) => boolean {
  let entries = 0
  return (path, entry) => {
    entries++
    if (entries > entriesMax) throw new Error(`it holds more than ${entriesMax} entries`)
    if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`${path} leads out of it`)
    if (!wantedPaths.test(path)) return false
    // What is extracted has a type; what lies on a disk has not, and does not come here.
    const type = 'type' in entry ? entry.type : undefined
    if (type !== 'File' && type !== 'Directory') throw new Error(`${path} is neither a file nor a folder`)
    return true
  }
}

/** @param source named where the folder holds no rules of the Core Rule Set */
export function releaseIn(rules: string, source: string): string {
  let text: string
  try {
    text = readFileSync(join(rules, 'REQUEST-901-INITIALIZATION.conf'), 'utf8')
  } catch {
    throw new RuleFailure(
      `${source} holds no rules of the Core Rule Set: rules/REQUEST-901-INITIALIZATION.conf is missing`,
    )
  }
  const release = /\bver:'OWASP_CRS\/(\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[\w.]{1,20})?)'/.exec(text)?.[1]
  if (release === undefined)
    throw new RuleFailure(`the rules in ${source} do not say of which release they are`)
  return release
}
