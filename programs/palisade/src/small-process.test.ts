import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { type SmallProcess, smallAgent, smallServer } from './small-process.ts'

const program = `
import { becomeSmall } from ${JSON.stringify(import.meta.resolve('./small-process.ts'))}
console.log('began')
becomeSmall(JSON.parse(process.argv.at(-1)))
console.log(JSON.stringify({ pid: process.pid, words: process.argv.slice(-1), flags: process.execArgv, arenas: process.env.MALLOC_ARENA_MAX, kept: process.env.KEPT }))
`

async function assertBeginsAnewOnce(small: SmallProcess): Promise<void> {
  const word = JSON.stringify(small)
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, word], {
    env: { ...process.env, KEPT: 'yes' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => {
    output += bytes
  })
  const [status] = await once(child, 'close')
  assert.equal(status, 0)
  const lines = output.trim().split('\n')
  assert.deepEqual(lines.slice(0, -1), ['began', 'began'])
  const { pid, words, flags, arenas, kept } = JSON.parse(lines.at(-1) ?? '')
  assert.deepEqual([pid, words, arenas, kept], [child.pid, [word], undefined, 'yes'])
  for (const flag of small.flags) assert.ok(flags.includes(flag), flag)
}

for (const [name, small] of Object.entries({ agent: smallAgent, server: smallServer })) {
  test(
    `the process of the ${name} begins anew once, as the same one, with what it was given`,
    {
      skip: process.platform !== 'linux' && 'only Linux lets a process begin anew',
    },
    () => assertBeginsAnewOnce(small),
  )
}
