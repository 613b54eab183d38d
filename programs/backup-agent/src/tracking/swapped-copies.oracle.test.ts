/**
 * Images in a folder that belongs to somebody else, who puts other things in the place of what the agent keeps there. He gets no file of
 * root's made anywhere else, and holds up nothing.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run } from '../testing/tool.ts'
import { type TrackedImage, withTrackedImage } from '../testing/volumes/tracked-image.ts'

const attackerId = 65_533
const attackerProgram = fileURLToPath(new URL('../testing/agent/folder-attacker.ts', import.meta.url))
/** How often an image is backed up while it is attacked; `PALISADE_ATTACKS` says it for a long run. */
const backups = Number(process.env.PALISADE_ATTACKS ?? 40)

/** Has the owner of the images' folder swap the folder of the copies for a link while the image is backed up again and again. */
async function backUpUnderAttack(t: TestContext, bench: TrackedImage, target: string): Promise<number> {
  chmodSync(bench.folder, 0o755)
  chownSync(bench.folder, attackerId, attackerId)
  const parameters = ['--conditions=source', attackerProgram, 'swap-file']
  const attacker = spawn(process.execPath, [...parameters, join(bench.folder, '.palisade-agent'), target], {
    uid: attackerId,
    gid: attackerId,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(attacker, 'exit')
  t.after(async () => {
    attacker.kill('SIGKILL')
    await ended
  })
  assert.ok(attacker.stdout)
  let output = ''
  attacker.stdout.on('data', (data) => {
    output += data
  })
  await once(attacker.stdout, 'data')
  let succeeded = 0
  for (let count = 0; count < backups; count++) {
    const id = randomUUID()
    const outcome = bench.agent.server.outcomeOf(id)
    bench.agent.server.start({ type: 'start-backup', id, source: { path: bench.image } })
    const ended = await outcome
    if (ended.state === 'SUCCESS') succeeded++
  }
  attacker.kill('SIGKILL')
  await ended
  assert.match(output, /swapped/, 'the folder was never swapped')
  return succeeded
}

test('no copy of an image gets into a folder that a link leads to', { timeout: 300_000 }, async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be attacked by another user')
  await withTrackedImage(t, 'xfs', async (bench) => {
    // On the same file system, as a root file system with images on it has it.
    const root = join(bench.folder, '..', basename(bench.folder), 'cron.d')
    mkdirSync(root, { mode: 0o700 })
    await backUpUnderAttack(t, bench, root)
    assert.deepEqual(readdirSync(root), [])
  })
})

test('a pipe in the place of a kept copy holds up nothing', { timeout: 300_000 }, async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be attacked by another user')
  await withTrackedImage(t, 'xfs', async (bench) => {
    await bench.backUp()
    const [copy] = bench.copies
    assert.ok(copy !== undefined)
    const trap = join(bench.folder, 'trap')
    mkdirSync(trap)
    chownSync(trap, attackerId, attackerId)
    run('mkfifo', '-m', '666', join(trap, basename(copy)))
    await backUpUnderAttack(t, bench, trap)
    rmSync(trap, { recursive: true })
  })
})
