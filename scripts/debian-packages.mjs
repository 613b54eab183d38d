// Installs Debian packages by their names, as root:
//   node scripts/debian-packages.mjs wrk caddy
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run } from './set-up.mjs'

/** Installs packages with what they need and no more. A failure ends this process. */
export function installDebianPackages(names) {
  const quiet = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  run('apt-get', ['-qq', 'update'], quiet)
  startingNoServices(() => {
    run('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', ...names], quiet)
  })
}

/** Tests and benchmarks start what they need themselves, on loopback; packages would start their services on all addresses. */
function startingNoServices(install) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) {
    install()
    return
  }
  const remove = () => rmSync(policy, { force: true })
  // What fails ends this program on the spot.
  process.once('exit', remove)
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  install()
  remove()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installDebianPackages(process.argv.slice(2))
