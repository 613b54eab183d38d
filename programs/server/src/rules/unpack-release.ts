import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extract, type ReadEntry } from 'tar'
import { RuleFailure } from './rule-failure.ts'

/** A release has some 60 files of together 2 MB. */
const entriesMax = 5_000
const unpackedBytesMax = 128 * 1024 * 1024

/** What of a release is read: rules with their data, plugins, and the settings that it ships. */
const wantedPaths = /^[^/]+\/((rules|plugins)\/|crs-setup\.conf\.example$|LICENSE$)/

/**
 * Unpacks the archive of a release of the Core Rule Set, `.tar.gz` as the project publishes it. Only files and folders are taken,
 * without the outermost folder of the archive; links and everything else in it are left out.
 *
 * @param target a folder that is made
 * @returns the release, such as `4.20.0`, as the rules themselves say
 * @throws RuleFailure when it is no such archive
 */
export async function unpackRelease(archive: string, target: string): Promise<string> {
  let entries = 0
  let sizeBytes = 0
  mkdirSync(target, { recursive: true, mode: 0o700 })
  try {
    await extract({
      file: archive,
      cwd: target,
      strip: 1,
      strict: true,
      preserveOwner: false,
      noMtime: true,
      filter: (path, entry) => {
        entries++
        sizeBytes += entry.size ?? 0
        if (entries > entriesMax || sizeBytes > unpackedBytesMax) {
          throw new RuleFailure(`it holds more than ${entriesMax} entries or ${unpackedBytesMax} bytes`)
        }
        return isFileOrFolder(entry) && wantedPaths.test(path)
      },
    })
  } catch (error) {
    throw new RuleFailure(
      `${archive} is no .tar.gz archive of the Core Rule Set: ${error instanceof Error ? error.message : error}`,
    )
  }
  return releaseIn(join(target, 'rules'), archive)
}

/** What is extracted has a type; what lies on a disk has a mode, which does not come here. */
function isFileOrFolder(entry: ReadEntry | object): boolean {
  return 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
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
