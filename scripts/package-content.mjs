// What is in the package that users install: the bundled command and its licences, the units of systemd, the installer of the agent, and
// what Prometheus and Grafana need to watch it.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './set-up.mjs'

const command = join(root, 'programs', 'palisade')

/**
 * Machine code, which the registry has for each kind of machine, and what loads it. npm chooses; a bundle cannot. Argon2 hashes
 * passwords, BLAKE2b names chunks, and koffi calls the C library (agent) and libmodsecurity (proxy).
 */
const native = ['@napi-rs/blake-hash', '@node-rs/argon2', 'koffi']

/** The runtime, for machines whose own is older than this. */
const nodeOf = (machine) => `node-${machine}`
const machines = ['linux-x64', 'linux-arm64']

/**
 * Writes the content of the package into a folder. Needs a build.
 *
 * @param {string} folder is made
 * @param {string} [version] another one than the repository's
 * @returns {string} the version
 */
export function stagePackage(folder, version) {
  const manifest = publishedCommand(version)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(command, 'deploy', 'README.md'), join(folder, 'README.md'))
  cpSync(join(command, 'bin'), join(folder, 'bin'), { recursive: true })
  chmodSync(join(folder, 'bin', 'palisade.js'), 0o755)
  mkdirSync(join(folder, 'deploy'))
  for (const name of readdirSync(join(command, 'deploy')).filter((file) => /\.(?:service|sh)$/.test(file))) {
    cpSync(join(command, 'deploy', name), join(folder, 'deploy', name))
  }
  cpSync(join(command, 'monitoring'), join(folder, 'monitoring'), { recursive: true })
  mkdirSync(join(folder, 'bundle'))
  cpSync(join(command, 'bundle', 'console'), join(folder, 'bundle', 'console'), { recursive: true })
  for (const name of readdirSync(join(command, 'bundle'))) {
    if (name === 'console' || name.endsWith('.map')) continue
    const text = readFileSync(join(command, 'bundle', name), 'utf8')
    writeFileSync(join(folder, 'bundle', name), text.replace(/\n\/\/# sourceMappingURL=.*\n$/, '\n'))
  }
  return manifest.version
}

/** The `package.json` of the package; it is the repository that says the version, and the lock file those of the dependencies. */
function publishedCommand(otherVersion) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const { version, description, license, type } = read('package.json')
  const { packages } = read('package-lock.json')
  const locked = (name) => packages[`node_modules/${name}`].version
  return {
    name: 'palisade',
    version: otherVersion ?? version,
    description,
    license,
    type,
    engines: { node: '>=18' },
    os: ['linux'],
    bin: { palisade: 'bin/palisade.js' },
    dependencies: Object.fromEntries(native.map((name) => [name, locked(name)])),
    // npm installs the one that fits the machine and passes the others over, without running a script of theirs.
    optionalDependencies: Object.fromEntries(machines.map((machine) => [nodeOf(machine), locked('node')])),
  }
}
