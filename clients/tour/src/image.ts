import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const mebibyte = 2 ** 20
const imageSizeBytes = 256 * mebibyte

/**
 * An image with an ext4 file system that holds documents and random data; made without root and without mounting.
 *
 * @returns what it is, in words
 */
export async function makeImage(image: string, folder: string): Promise<string> {
  const files = join(folder, 'files')
  mkdirSync(files)
  const paragraph = 'Nothing is lost when the machine is, if the volume comes back as it was.\n'
  for (let number = 1; number <= 40; number++) {
    writeFileSync(join(files, `document-${number}.txt`), `${number}: ${paragraph}`.repeat(number * 250))
  }
  for (let number = 1; number <= 6; number++) {
    writeFileSync(join(files, `picture-${number}.raw`), randomBytes(8 * mebibyte))
  }
  writeFileSync(image, '')
  truncateSync(image, imageSizeBytes)
  // mke2fs lies in a folder for administrators, which is not on everybody's path.
  execFileSync('mke2fs', ['-q', '-t', 'ext4', '-L', 'files01', '-d', files, image], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
  return `${imageSizeBytes / mebibyte} MiB, ext4, 46 files`
}

/** Overwrites a mebibyte in the head and one in every sixteenth of the image. */
export function damage(image: string): void {
  const file = openSync(image, 'r+')
  try {
    for (let at = 0; at < imageSizeBytes; at += imageSizeBytes / 16)
      writeSync(file, randomBytes(mebibyte), 0, mebibyte, at)
  } finally {
    closeSync(file)
  }
}

/** What identifies the content of a file. */
export interface FileDigest {
  readonly sizeBytes: number
  /** SHA-256, hexadecimal. */
  readonly digest: string
}

/** Reads a file to its end, a mebibyte at a time. @throws the system's error */
export function digestOfFile(path: string): FileDigest {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  const buffer = Buffer.alloc(mebibyte)
  let sizeBytes = 0
  try {
    for (;;) {
      const read = readSync(file, buffer, 0, buffer.length, null)
      if (read === 0) return { sizeBytes, digest: hash.digest('hex') }
      hash.update(buffer.subarray(0, read))
      sizeBytes += read
    }
  } finally {
    closeSync(file)
  }
}
