import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { makeExt4, tool } from './support/backup/images.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

describe('the command line', () => {
  const folder = newFolder()
  let server: Server
  let agent: Agent
  before(async () => {
    server = await Server.start()
    agent = await Agent.start(server, folder)
    makeExt4(join(folder, 'linux.img'), 64)
  })
  after(async () => {
    await agent.program.stop()
    await server.remove()
  })

  const run = async (...argv: string[]) => {
    const program = new Program([...argv, '--account', 'acme'], {
      PALISADE_SERVER: server.services,
      PALISADE_CLIENT_ID: 'automation',
      PALISADE_CLIENT_SECRET: 'backup secret',
    })
    const { status } = await program.ended()
    return { status, output: program.output }
  }

  test('lists the computers of an account', async () => {
    const { status, output } = await run('backup', 'computers')
    assert.equal(status, 0, output)
    assert.match(output, /0001.*files01.*yes.*no/)
  })

  test('backs up, lists and restores, waiting until each has ended', async () => {
    const computer = ['--computer', '0001']
    const backup = await run('backup', 'run', ...computer, '--source', join(folder, 'linux.img'))
    assert.equal(backup.status, 0, backup.output)
    const revision = /revision (\d+)/.exec(backup.output)?.[1] ?? ''
    const volumes = await run('backup', 'volumes', ...computer)
    const row = `${revision} .*not verified.*linux-data.*linux\\.img.*ext4.*67108864.*no.*`
    assert.match(volumes.output, new RegExp(row))
    const revisions = await run('backup', 'revisions', ...computer)
    assert.match(revisions.output, new RegExp(row))
    const target = join(folder, 'restored')
    const restore = await run('backup', 'restore', ...computer, '--revision', revision, '--to', target)
    assert.equal(restore.status, 0, restore.output)
    assert.match(restore.output, /^restore .* 100 % \|/m, 'a success is shown as one')
    assert.match(
      restore.output,
      new RegExp(`^revision ${revision}: .*linux\\.img \\(linux-data, ext4\\) of .`, 'm'),
    )
    const file = restore.output.trim().split('\n').at(-1) ?? ''
    assert.ok(existsSync(file), restore.output)
    assert.match(tool('qemu-img', 'check', '-f', 'vhdx', file), /No errors/)
  })

  test('compares a disk with a revision, and ends with 1 when it differs', async () => {
    const computer = ['--computer', '0001']
    const image = join(folder, 'compared.img')
    makeExt4(image, 48)
    const { output } = await run('backup', 'run', ...computer, '--source', image)
    const revision = /revision (\d+)/.exec(output)?.[1] ?? ''
    const restored = join(folder, 'to-compare')
    const restore = await run('backup', 'restore', ...computer, '--revision', revision, '--to', restored)
    const disk = restore.output.trim().split('\n').at(-1) ?? ''
    const same = await run('backup', 'compare', revision, ...computer, '--disk', disk)
    assert.equal(same.status, 0, same.output)
    assert.match(same.output, new RegExp(`as it was backed up in revision ${revision}`))
    const file = openSync(image, 'r+')
    writeSync(file, 'x', 20 * 1024 * 1024)
    closeSync(file)
    const changed = await run('backup', 'compare', revision, ...computer, '--disk', image)
    assert.equal(changed.status, 1)
    assert.match(changed.output, /not found to be as it was backed up: 1 of \d+ chunks differ/)
    const other = await run('backup', 'compare', revision, ...computer, '--disk', join(folder, 'linux.img'))
    assert.equal(other.status, 1)
    assert.match(other.output, /not found to be as it was backed up: .*no partition of the size/)
    const missing = await run('backup', 'compare', '999', ...computer, '--disk', disk)
    assert.equal(missing.status, 4, missing.output)
    const none = await run('backup', 'compare', revision, ...computer)
    assert.equal(none.status, 2)
    assert.match(none.output, /--disk/)
  })

  test('says in the words of the server what was refused, and ends with 1', async () => {
    const { status, output } = await run(
      'backup',
      'restore',
      '--computer',
      '0001',
      '--revision',
      '999',
      '--to',
      '/tmp',
    )
    assert.equal(status, 1)
    assert.match(output, /Could not create item\./)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  })

  test('ends with 2 for a wrong command line, naming in a sentence what is wrong and what would be right', async () => {
    const help = (words: string) => `\n"palisade backup ${words} --help" lists the options.`
    const cases: [words: string[], output: RegExp | string][] = [
      [
        ['run', '--computer', '0001'],
        /^--source is missing: path on the computer's own file system; PATH#2 is partition 2\.\n/,
      ],
      [
        ['run', '--computer', '0001', '--surce', '/x'],
        /^--source is missing: .* There is no option --surce\.\n/,
      ],
      [['volumes', '--computer', '0001', '--curl'], `unknown option '--curl'.${help('volumes')}`],
      [
        ['revisions', '--computer', '0001', '--limt', '3'],
        /^unknown option '--limt' \(Did you mean --limit\?\)\n"palisade/,
      ],
      [
        ['revisions', '--computer', '0001', '--limit', 'x'],
        /'x' is invalid\. It must be a whole number from 1 on\.\n/,
      ],
      [
        ['volums', '--computer', '0001'],
        /^unknown command 'volums' \(Did you mean volumes\?\)\n"palisade backup --help" lists the commands\.$/,
      ],
      ...['restore', 'restore-machine', 'prove'].map((command): [string[], RegExp] => [
        [
          command,
          '--computer',
          '0001',
          '--to',
          '/x',
          ...(command === 'restore-machine' ? ['--name', 'x'] : []),
        ],
        /^--revision is missing: ids of revisions, .* such as 12 14; "palisade backup volumes" .* list them\.\n/,
      ]),
    ]
    for (const [words, expected] of cases) {
      const { status, output } = await run('backup', ...words)
      assert.equal(status, 2, output)
      if (typeof expected === 'string') assert.equal(output, expected)
      else assert.match(output, expected)
      assert.equal(output.split('\n').length, 2, output)
    }
  })

  test('marks a damaged newest revision, and shows the older one that is whole', async () => {
    const computer = ['--computer', '0001']
    const image = join(folder, 'damaged.img')
    makeExt4(image, 32)
    const backUp = async () => {
      const { output } = await run('backup', 'run', ...computer, '--source', image)
      return /revision (\d+)/.exec(output)?.[1] ?? ''
    }
    const older = await backUp()
    const packs = packsBelow(join(server.folder, 'data/vault'))
    const file = openSync(image, 'r+')
    writeSync(file, randomBytes(2 ** 20), 0, 2 ** 20, 16 * 2 ** 20)
    closeSync(file)
    const newest = await backUp()
    for (const pack of packsBelow(join(server.folder, 'data/vault'))) if (!packs.includes(pack)) rmSync(pack)
    const restore = await run(
      'backup',
      'restore',
      ...computer,
      '--revision',
      newest,
      '--to',
      join(folder, 'lost'),
    )
    assert.equal(restore.status, 1)
    assert.match(restore.output, /DataDamaged/)
    const { output } = await eventually('the mark', async () => {
      const output = await run('backup', 'volumes', ...computer)
      return /DAMAGED/.test(output.output) ? output : undefined
    })
    assert.match(output, new RegExp(`${newest} .*DAMAGED.*damaged\\.img`))
    const [, device = ''] =
      new RegExp(`^Revision ${newest} is DAMAGED: .+\\. Older .*--device '(.+)'$`, 'm').exec(output) ?? []
    const revisions = await run('backup', 'revisions', ...computer, '--device', device)
    assert.equal(revisions.status, 0, revisions.output)
    assert.match(revisions.output, new RegExp(`${newest} .*DAMAGED`))
    assert.match(revisions.output, new RegExp(`${older} .*(not verified|verified)`))
    assert.doesNotMatch(revisions.output, /linux-data.*linux\.img/)
  })

  test('refuses a wrong secret without showing it', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'not the secret')
    const { status, output } = await run('backup', 'computers', '--client-secret-file', secret)
    assert.equal(status, 3, output)
    assert.doesNotMatch(output, /not the secret/)
  })

  test('says that the certificate of the server is not trusted, and takes the one that it is told to trust', async () => {
    const over = (url: string, more = {}) =>
      new Program(['backup', 'computers', '--account', 'acme', '--server', url], {
        PALISADE_CLIENT_ID: 'automation',
        PALISADE_CLIENT_SECRET: 'backup secret',
        ...more,
      })
    const secure = `https://localhost:${server.ports.services.https}`
    const refused = over(secure)
    assert.equal((await refused.ended()).status, 6, refused.output)
    assert.match(refused.output, /certificate .* not trusted: self-signed certificate.*NODE_EXTRA_CA_CERTS/)
    const trusted = over(secure, { NODE_EXTRA_CA_CERTS: join(server.folder, 'data/self-signed.pem') })
    assert.equal((await trusted.ended()).status, 0, trusted.output)
    const nobody = over('http://127.0.0.1:3')
    assert.equal((await nobody.ended()).status, 6)
    assert.match(nobody.output, /^The server cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:3$/)
  })

  test('shuts an agent out at once, and its enrolment key too', async () => {
    const { status, output } = await run('backup', 'revoke', '--computer', '0001')
    assert.equal(status, 0, output)
    await agent.program.line(/the server does not enrol this computer/)
    assert.match((await run('backup', 'computers')).output, /0001.*files01.*no/)
  })
})

function packsBelow(vault: string): string[] {
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/packs\/[^/]+$/.test(name))
    .map((name) => join(vault, name))
}
