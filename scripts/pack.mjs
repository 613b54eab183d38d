// Makes the package that users install, for npm, and with --debian one for Debian, too:
//
//     npm run pack [-- [--debian] [--version V] [FOLDER]]
//
// Prints the paths of the packages, which lie in FOLDER (the current one by default). The version is that of the repository.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build, fail, setUp } from './set-up.mjs'

const { values, positionals } = parseArgs({
  options: { debian: { type: 'boolean', default: false }, version: { type: 'string' } },
  allowPositionals: true,
})
const folder = resolve(positionals[0] ?? '.')
setUp()
build()
const { stagePackage } = await import('./package-content.mjs')
const { packDebian } = await import('./pack-debian.mjs')

mkdirSync(folder, { recursive: true })
const stage = mkdtempSync(join(tmpdir(), 'pack-'))
try {
  const content = join(stage, 'package')
  const version = stagePackage(content, values.version)
  const archive = packNpm(content)
  console.log(archive)
  if (values.debian) console.log(packDebian({ archive, version, folder, stage: join(stage, 'debian') }))
} finally {
  rmSync(stage, { recursive: true })
}

/** @returns {string} the path of the archive */
function packNpm(content) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: content, encoding: 'utf8' })
  if (status !== 0) fail(stderr)
  return join(folder, JSON.parse(stdout)[0].filename)
}
