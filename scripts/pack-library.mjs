// Builds a package from its sources alone and packs it for the npm registry, as it is to be published:
//
//     node scripts/pack-library.mjs NAME [FOLDER]
//
// Prints the path of the archive, which lies in FOLDER (the current one by default).
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { publishedManifest, publishedPackages } from './published-libraries.mjs'
import { fail, node, root } from './set-up.mjs'

/**
 * @param {string} library such as `seclang`
 * @param {string} folder where to put the archive
 * @returns {string} its path
 */
function packLibrary(library, folder) {
  const from = join(root, publishedPackages[library])
  const stage = mkdtempSync(join(tmpdir(), `pack-${library}-`))
  try {
    const documents = readdirSync(from).filter((name) => name === 'LICENSE' || name.endsWith('.md'))
    for (const name of documents) cpSync(join(from, name), join(stage, name))
    cpSync(join(from, 'src'), join(stage, 'src'), {
      recursive: true,
      filter: (path) => !/\.test\.ts$|[\\/](?:testing|fuzz)$/.test(path),
    })
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(publishedManifest(library), null, 2)}\n`)
    compile(stage, from)
    const packed = run(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)],
      stage,
    )
    return join(resolve(folder), JSON.parse(packed)[0].filename)
  } finally {
    rmSync(stage, { recursive: true })
  }
}

/** Into `dist`, with the compiler's settings of this repository and nothing else of it. */
function compile(stage, library) {
  const optionsIn = (file) => JSON.parse(readFileSync(file, 'utf8')).compilerOptions
  const { composite: _, tsBuildInfoFile: __, ...shared } = optionsIn(join(root, 'tsconfig.base.json'))
  const options = { ...shared, ...optionsIn(join(library, 'tsconfig.json')) }
  const settings = {
    compilerOptions: { ...options, preserveSymlinks: true },
    include: ['src'],
  }
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(settings))
  symlinkSync(join(root, 'node_modules'), join(stage, 'node_modules'))
  run(node, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', stage], stage)
  rmSync(join(stage, 'node_modules'))
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}

const [library, folder = '.'] = process.argv.slice(2)
if (!Object.hasOwn(publishedPackages, library)) {
  fail(
    `Usage: node scripts/pack-library.mjs NAME [FOLDER], where NAME is ${Object.keys(publishedPackages).join(' or ')}`,
  )
}
console.log(packLibrary(library, folder))
