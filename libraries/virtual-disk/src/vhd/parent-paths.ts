import { type ByteSource, readBytes } from '../byte-source.ts'
import type { ParentReference } from '../disk/virtual-disk.ts'
import { KIB } from '../extent.ts'
import type { DynamicHeader, ParentLocator } from './dynamic-header.ts'

/** Longer than any path; keeps a damaged locator from reading the whole file. */
const LOCATOR_SIZE_BYTES_MAX = 64 * KIB

/** Relative before absolute, as the disk may have moved with its parent. */
const platforms = [
  { code: 'W2ru', encoding: 'utf16le' },
  { code: 'W2ku', encoding: 'utf16le' },
  { code: 'MacX', encoding: 'utf8' },
] as const

/** What a differencing disk says of its parent. */
export async function readParentReference(
  source: ByteSource,
  header: DynamicHeader,
): Promise<ParentReference> {
  return { format: 'vhd', linkIds: [header.parentId], paths: await readParentPaths(source, header) }
}

/** Where a differencing disk says its parent is: the locators in the order in which to try them, then the name. */
async function readParentPaths(source: ByteSource, header: DynamicHeader): Promise<string[]> {
  const paths: string[] = []
  for (const { code, encoding } of platforms) {
    for (const locator of header.parentLocators) {
      if (locator.platform !== code || !isReadable(source, locator)) continue
      const bytes = await readBytes(source, locator.offsetBytes, locator.sizeBytes)
      paths.push(bytes.toString(encoding).replace(/\0+$/, ''))
    }
  }
  return [...paths, ...(header.parentName === '' ? [] : [header.parentName])]
}

function isReadable(source: ByteSource, { offsetBytes, sizeBytes }: ParentLocator): boolean {
  return sizeBytes <= LOCATOR_SIZE_BYTES_MAX && offsetBytes + sizeBytes <= source.sizeBytes
}
