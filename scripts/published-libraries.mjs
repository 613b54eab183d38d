// Which packages are published, and how they differ from their workspaces.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './set-up.mjs'

/** Their folders. The first two are libraries, whose every export is described in an API.md. */
export const publishedPackages = {
  seclang: 'libraries/seclang',
  'virtual-disk': 'libraries/virtual-disk',
  sdk: 'clients/sdk',
}

export const publishedLibraries = ['seclang', 'virtual-disk']

/** The `package.json` that is published: without what only this repository can use. */
export function publishedManifest(name) {
  const {
    devDependencies: _,
    exports,
    ...manifest
  } = JSON.parse(readFileSync(join(root, publishedPackages[name], 'package.json'), 'utf8'))
  const entryPoints = Object.entries(exports)
    .filter(([path]) => path !== './testing')
    .map(([path, { source: _, ...built }]) => [path, built])
  return { ...manifest, exports: Object.fromEntries(entryPoints) }
}
