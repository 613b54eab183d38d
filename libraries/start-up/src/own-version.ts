import { readFileSync } from 'node:fs'

/**
 * The version of the package that a module belongs to.
 *
 * @param moduleUrl `import.meta.url` of a module in a folder right in the package; "unknown" where the package names none
 */
export function ownVersion(moduleUrl: string): string {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8'))
  const hasVersion = typeof description === 'object' && description !== null && 'version' in description
  return hasVersion ? String(description.version) : 'unknown'
}
