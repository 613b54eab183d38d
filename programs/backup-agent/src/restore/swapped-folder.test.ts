import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
const content = 'only root reads and writes this'
/** No process of the machine belongs to this user. */
const attackerId = 65_533
const attacker = fileURLToPath(new URL('../testing/agent/folder-attacker.ts', import.meta.url))

/** An agent of root's, root's own file, and a folder for restores that belongs to somebody without rights, with a revision to put there. */
async function setUp(t: TestContext) {
  if (process.getuid?.() !== 0) return t.skip('only root can be attacked by another user')
  const attackers: ChildProcess[] = []
  // Before the agent's folder is removed, in which they make folders anew.
  t.after(() => {
    for (const child of attackers) child.kill('SIGKILL')
  })
  const agent = await TestAgent.start(t)
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 24 * mebibyte)
  const revision = await agent.server.backUp('b1', { path: image })
  const precious = join(agent.directory, 'precious')
  writeFileSync(precious, content, { mode: 0o600 })
  mkdirSync(agent.target)
  chownSync(agent.target, attackerId, attackerId)
  // The attacker has to get there.
  chmodSync(agent.directory, 0o755)
  return { agent, revision, precious, attackers }
}

/** Starts somebody without rights who does one thing to a folder, again and again. */
async function startAttacker(attackers: ChildProcess[], ...words: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [attacker, ...words], {
    uid: attackerId,
    gid: attackerId,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  attackers.push(child)
  await once(child.stdout, 'data')
  return child
}

test('a restore does not write through a link that the owner of its folder puts in the place of the disk', async (t) => {
  const at = await setUp(t)
  if (at === undefined) return
  const { agent, revision, precious, attackers } = at
  const child = await startAttacker(attackers, 'swap-files', agent.target, precious)
  let swaps = ''
  child.stdout?.on('data', (text) => {
    swaps += text
  })
  for (const [index, format] of (['Vhdx', 'Vhd', 'Vhdx', 'Vhd'] as const).entries()) {
    const outcome = await agent.server.restore(`r${index}`, agent.target, format, [revision])
    assert.ok(readFileSync(precious, 'latin1') === content, 'the file of root is as it was')
    assert.deepEqual([statSync(precious).mode & 0o777, statSync(precious).uid], [0o600, 0])
    if (outcome.state !== 'SUCCESS') continue
    const [file = ''] = outcome.files ?? []
    assert.ok(lstatSync(file).isFile(), 'a disk that was restored is a file')
  }
  assert.ok(swaps.includes('swapped'), 'the attacker came in time')
})

test('a restore does not leave the folder that its owner names, whatever becomes of the folders on the way', async (t) => {
  const at = await setUp(t)
  if (at === undefined) return
  const { agent, revision, attackers } = at
  const elsewhere = join(agent.directory, 'elsewhere')
  mkdirSync(elsewhere, { mode: 0o700 })
  const child = await startAttacker(attackers, 'swap-folder', join(agent.target, 'inner'), elsewhere)
  let swaps = ''
  child.stdout?.on('data', (text) => {
    swaps += text
  })
  await agent.stop()
  await agent.start({ restoreTo: [agent.target] })
  // More rounds where the attacker was too slow for all of the first.
  for (let round = 0; round < 6 || (round < 60 && !swaps.includes('swapped')); round++) {
    await agent.server.restore(`r${round}`, join(agent.target, 'inner'), 'Vhdx', [revision])
    assert.deepEqual(readdirSync(elsewhere), [], 'nothing is written behind the link')
  }
  assert.ok(swaps.includes('swapped'), 'the attacker came in time')
})
