// Which libraries are published, and how their packages differ from their workspaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './set-up.mjs'

export const publishedLibraries = ['seclang', 'virtual-disk']

/** The `package.json` that is published: without what only this repository can use. */
export function publishedManifest(library) {
  const {
    devDependencies: _,
    exports,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'libraries', library, 'package.json'), 'utf8'))
  const doors = Object.entries(exports)
    .filter(([path]) => path !== './testing')
    .map(([path, { source: _, ...built }]) => [path, built])
  return { ...manifest, exports: Object.fromEntries(doors) }
}
