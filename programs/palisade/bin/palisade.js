#!/usr/bin/env node
// The palisade command. On an older Node it starts itself again on the one that was installed beside it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Makes process.nextTick, which every request calls several times, meet its usual arguments before anything else.
 * V8 otherwise meets two kinds of them while modules load, and from then on builds its record the slow way: a
 * tenth of the time of a small request (measured on Node 24.21; harmless where that is no longer so).
 */
function settleNextTick() {
  for (let count = 0; count < 20_000; count++) process.nextTick(() => {})
}

const oldestNode = 24
const bundled = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
  settleNextTick()
  const { main } = await import('../bundle/main.js')
  process.exitCode = await main(process.argv.slice(2))
} else if (existsSync(bundled)) {
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status) => {
    process.exitCode = status ?? 1
  })
} else {
  process.stderr.write(`Palisade needs Node 24 or newer; this is ${process.version}.\n`)
  process.exitCode = 1
}
