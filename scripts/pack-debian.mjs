// Makes the package for Debian out of the one for npm: that one, as npm installs it, with the units of systemd, a user and settings.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fail, root } from './set-up.mjs'

const deploy = join(root, 'programs', 'palisade', 'deploy')
const debian = join(deploy, 'debian')

/** Where the program lies on the machine. */
const home = 'usr/lib/palisade'

/** Debian's names of the machines for which there is machine code. */
const architectures = { x64: 'amd64', arm64: 'arm64' }

/**
 * @param {object} of
 * @param {string} of.archive the package for npm
 * @param {string} of.version its version
 * @param {string} of.folder where to put the package
 * @param {string} of.stage a folder to work in, which is made
 * @returns {string} the path of the package
 */
export function packDebian({ archive, version, folder, stage }) {
  const architecture = architectures[process.arch] ?? fail(`there is no machine code for ${process.arch}`)
  const tree = join(stage, 'tree')
  bringProgram(join(tree, home), archive, join(stage, 'npm'))
  const write = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), content, { mode })
    chmodSync(join(tree, path), mode)
  }
  const read = (name) => readFileSync(join(debian, name), 'utf8')

  mkdirSync(join(tree, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/palisade/deploy/palisade.sh', join(tree, 'usr/bin/palisade'))
  for (const unit of readdirSync(deploy).filter((name) => name.endsWith('.service'))) {
    const text = readFileSync(join(deploy, unit), 'utf8')
    write(`lib/systemd/system/${unit}`, text.replaceAll('/opt/palisade/bin/palisade', '/usr/bin/palisade'))
  }
  const settings = ['palisade.yaml', 'proxy.json']
  for (const name of settings)
    write(`etc/palisade/${name}`, read(name), name === 'palisade.yaml' ? 0o640 : 0o644)
  write('usr/share/doc/palisade/copyright', read('copyright'))
  write('usr/share/doc/palisade/changelog.gz', gzipSync(changelog(version), { level: 9 }))
  write('usr/share/man/man1/palisade.1.gz', gzipSync(read('palisade.1'), { level: 9 }))
  write('usr/share/lintian/overrides/palisade', read('lintian-overrides'))

  const sizeKib = Math.ceil(sizeOf(tree) / 1024)
  const control = read('control')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@SIZE@', `${sizeKib}`)
  write('DEBIAN/control', control)
  write('DEBIAN/conffiles', settings.map((name) => `/etc/palisade/${name}\n`).join(''))
  for (const script of ['postinst', 'prerm', 'postrm']) write(`DEBIAN/${script}`, read(script), 0o755)

  const file = join(folder, `palisade_${version}_${architecture}.deb`)
  // The better compressions take minutes for Node alone.
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, file], stage)
  return file
}

/** What npm installs, without what only those need who compile it. */
function bringProgram(target, archive, prefix) {
  mkdirSync(prefix, { recursive: true })
  writeFileSync(join(prefix, 'package.json'), '{}')
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', archive], prefix)
  const modules = join(prefix, 'node_modules')
  mkdirSync(dirname(target), { recursive: true })
  renameSync(join(modules, 'palisade'), target)
  for (const name of ['.bin', '.package-lock.json'])
    rmSync(join(modules, name), { recursive: true, force: true })
  renameSync(modules, join(target, 'node_modules'))
  const [node] = readdirSync(join(target, 'node_modules')).filter((name) => name.startsWith('node-linux-'))
  if (node === undefined) fail('npm has not installed the Node of this machine')
  const program = `node_modules/${node}/bin/node`
  keepWhatRuns(join(target, 'node_modules'), (path) => path.endsWith(program))
  const machineCode = readdirSync(target, { recursive: true }).filter((file) => file.endsWith('.node'))
  run('strip', ['--strip-unneeded', program, ...machineCode], target)
  // One name, whatever the machine.
  symlinkSync(program, join(target, 'node'))
  const command = join(target, 'bin', 'palisade.js')
  // Only palisade.sh starts it.
  writeFileSync(command, readFileSync(command, 'utf8').replace(/^#!.*\n/, ''))
  cpSync(join(debian, 'palisade.sh'), join(target, 'deploy', 'palisade.sh'))
  setModes(target)
}

const runs = /\.(?:c?js|json|node)$|^(?:licen[cs]e|notice)/i
/** Programs of koffi that build it. */
const compiles = /^(?:cnoke|trampolines)\./

/**
 * Removes from packages what only those need who compile them or write programs: sources, declarations, documents; and machine code for
 * another C library than Debian's. Licences stay.
 */
function keepWhatRuns(path, isNeeded) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) {
      keepWhatRuns(inner, isNeeded)
      if (readdirSync(inner).length === 0 || entry.name.startsWith('musl')) rmSync(inner, { recursive: true })
    } else if (!(isNeeded(inner) || (runs.test(entry.name) && !compiles.test(entry.name)))) rmSync(inner)
  }
}

/** Those of Debian, whatever the archives of others say. */
function setModes(path) {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  if (entry.isDirectory()) {
    chmodSync(path, 0o755)
    for (const name of readdirSync(path)) setModes(join(path, name))
  } else chmodSync(path, /\/bin\/node$|\.sh$/.test(path) ? 0o755 : 0o644)
}

function sizeOf(path) {
  const entry = lstatSync(path)
  if (!entry.isDirectory()) return entry.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** In the form that Debian's tools read; what has changed is said in the repository. */
function changelog(version) {
  const { SOURCE_DATE_EPOCH } = process.env
  const date = SOURCE_DATE_EPOCH === undefined ? new Date() : new Date(Number(SOURCE_DATE_EPOCH) * 1000)
  const [day, ...rest] = date.toUTCString().replace('GMT', '+0000').split(' ')
  return `palisade (${version}) stable; urgency=medium

  * Release ${version}; its changes are in CHANGELOG.md of the sources.

 -- The Palisade project <palisade@localhost>  ${[day, ...rest].join(' ')}
`
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
}
