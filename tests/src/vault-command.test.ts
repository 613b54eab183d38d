import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

describe('palisade vault', () => {
  const home = newFolder()
  const data = join(home, 'data')
  const image = join(home, 'image.raw')
  let server: Server
  let revision = 0
  before(async () => {
    writeFileSync(image, randomBytes(8 * 2 ** 20))
    server = await Server.start(home)
    const agent = await Agent.start(server, home)
    revision = await (await Backups.connect(server)).backUp(image)
    await agent.program.stop()
  })
  after(async () => {
    await server.program.stop()
  })

  /** Runs a task to its end, as with the configuration of the server, or with members of it changed. */
  const vault = async (...words: string[]) => {
    const program = new Program(['vault', ...words, '--config', join(home, 'palisade.json')])
    return { status: (await program.ended()).status, output: program.output }
  }
  const secretFile = (name: string, content: string) => {
    const path = join(home, name)
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }
  const withPassphrase = (passphraseFile: string) => ({
    ...provisioned,
    backup: { ...provisioned.backup, vault: { passphraseFile } },
  })

  test('leaves the vault of a running server alone and says so, but lists its keys', async () => {
    for (const words of [['check'], ['remove-key', '0123456789abcdef'], ['repair']]) {
      const { status, output } = await vault(...words)
      assert.equal(status, 1)
      assert.match(output, /is in use by another process\nStop the server first/)
    }
    const keys = await vault('keys')
    assert.equal(keys.status, 0, keys.output)
    assert.match(keys.output, /^\w{16} {2}key-file .*\(the one of the configuration\)$/m)
    await server.program.stop()
  })

  test('explains itself, and refuses a wrong command line', async () => {
    const help = await vault('--help')
    assert.deepEqual([help.status, /^Usage: palisade vault TASK/.test(help.output)], [0, true])
    const wrong = await vault('destroy')
    assert.equal(wrong.status, 2)
    assert.equal(wrong.output, 'there is no "palisade vault destroy"; see palisade vault --help')
    const misspelt = await vault('check', '--read-dta')
    assert.equal(misspelt.status, 2)
    assert.equal(
      misspelt.output,
      'there is no option --read-dta (did you mean --read-data?); see palisade vault --help',
    )
  })

  test('finds nothing in a vault that is whole', async () => {
    for (const words of [['check'], ['check', '--read-data'], ['check', '--sample', '50']]) {
      const { status, output } = await vault(...words)
      assert.equal(status, 0, output)
      assert.match(output, /^0 findings about 1 computers/m)
    }
  })

  test('adds a passphrase, lists it, and takes it away', async () => {
    const passphraseFile = secretFile('second', 'correct horse\n')
    const added = await vault('add-key', '--new-passphrase-file', passphraseFile, '--label', 'in the safe')
    assert.equal(added.status, 0, added.output)
    const [, id = ''] = /its id is (\w+)/.exec(added.output) ?? []
    const twice = await vault('add-key', '--new-passphrase-file', passphraseFile)
    assert.match(twice.output, /opens the vault already/)
    const listed = await vault('keys')
    assert.match(listed.output, new RegExp(`^${id}  passphrase .*in the safe$`, 'm'))
    assert.match(listed.output, /key-file .*\(the one of the configuration\)$/m)
    assert.equal(listed.output.includes('correct horse'), false)
    assert.equal((await vault('remove-key', id)).status, 0)
    assert.equal((await vault('keys')).output.trim().split('\n').length, 1)
  })

  test('does not take away the key that the server starts with, nor one that there is not', async () => {
    const [id = ''] = (await vault('keys')).output.split(' ')
    const own = await vault('remove-key', id)
    assert.deepEqual([own.status, /the key of the configuration/.test(own.output)], [1, true])
    const unknown = await vault('remove-key', '0123456789abcdef')
    assert.deepEqual([unknown.status, /has no such key/.test(unknown.output)], [1, true])
  })

  test('makes a key file that is not there, for its owner only, and says what its loss means', async () => {
    const keyFile = join(home, 'made.key')
    const { status, output } = await vault('add-key', '--new-key-file', keyFile)
    assert.equal(status, 0, output)
    assert.match(output, /keep a copy elsewhere: .* every backup is lost/)
    assert.deepEqual([statSync(keyFile).size, statSync(keyFile).mode & 0o777], [32, 0o600])
  })

  test('refuses a passphrase file that others may read, and one without a passphrase', async () => {
    const open = join(home, 'open')
    writeFileSync(open, 'x\n', { mode: 0o644 })
    assert.match((await vault('add-key', '--new-passphrase-file', open)).output, /chmod 600/)
    const empty = secretFile('empty', '\nx')
    assert.match((await vault('add-key', '--new-passphrase-file', empty)).output, /empty first line/)
    assert.match(
      (await vault('add-key', '--new-passphrase-file', join(home, 'none'))).output,
      /none, which cannot be read: there is no such file/,
    )
  })

  test('changes the key of the configuration: the server starts with the new one only, and has its backups', async () => {
    const passphraseFile = secretFile('passphrase', 'battery staple\n')
    const changed = await vault('change-key', '--new-passphrase-file', passphraseFile)
    assert.equal(changed.status, 0, changed.output)
    assert.match(changed.output, /Set backup\.vault\.passphraseFile to /)
    const refused = new Program(['serve', '--config', join(home, 'palisade.json')])
    assert.equal((await refused.ended()).status, 1)
    assert.match(refused.output, /backup\.vault\.keyFile: the key is not a key of this vault/)
    server = await Server.start(home, withPassphrase(passphraseFile))
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    await backups.untilOnline()
    assert.ok(existsSync(await backups.restore(revision, join(home, 'restored'))))
    await agent.program.stop()
    await server.program.stop()
  })

  test('finds damage, repairs it, and names the revision that has suffered', async () => {
    const pack = filesBelow(join(data, 'vault')).find((file) => file.includes('/packs/'))
    assert.ok(pack)
    const content = readFileSync(pack)
    content[1000] = (content[1000] ?? 0) ^ 1
    writeFileSync(pack, content)
    const structure = await vault('check')
    assert.equal(structure.status, 0, 'a chunk is not looked into')
    const check = await vault('check', '--read-data')
    assert.equal(check.status, 1)
    assert.match(check.output, new RegExp(`^chunk-damaged .*revisions ${revision}$`, 'm'))
    const repaired = await vault('repair', '--read-data')
    assert.equal(repaired.status, 1)
    assert.match(repaired.output, /^1 packs were replaced: \d+ of their chunks were saved, 1 are lost\.$/m)
    assert.match(repaired.output, new RegExp(`^acme/0001  revision ${revision}: 1 chunks are lost`, 'm'))
    assert.equal((await vault('check', '--read-data')).status, 1, 'the revision still lacks the chunk')
  })

  test('has the next start mark what a repair could not save, until a backup has stored it again', async () => {
    const passphraseFile = join(home, 'passphrase')
    server = await Server.start(home, withPassphrase(passphraseFile))
    const agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    await backups.untilOnline()
    const becomes = (state: string) =>
      eventually(`revision ${revision} being ${state}`, async () => {
        const revisionView = await (await backups.call('GET', `/revisions/${revision}`)).json()
        return (
          (revisionView as { Verification: { State: string } | null }).Verification?.State === state ||
          undefined
        )
      })
    await becomes('DAMAGED')
    await server.program.line(/"revisions are damaged"/)
    await backups.backUp(image)
    await becomes('SUCCESS')
    await agent.program.stop()
    await server.program.stop()
  })

  test('says of no chunk that it is lost above revisions that lack some, whatever a table or a pack has named', async () => {
    const original = join(home, 'original')
    cpSync(join(data, 'vault'), original, { recursive: true })
    const [pack = ''] = filesBelow(join(data, 'vault')).filter((file) => file.includes('/packs/'))
    const damages: [RegExp, () => void][] = [
      [/^No pack had to be replaced\.$/m, () => rmSync(pack)],
      [
        /^1 packs were replaced: \d+ of their chunks were saved\.$/m,
        // The table at the end, and a chunk; with it goes the index, which knows what the table said.
        () => {
          const content = readFileSync(pack)
          content.fill(0, content.length - 200)
          content.fill(0, 100, 200)
          writeFileSync(pack, content)
        },
      ],
    ]
    for (const [summary, damage] of damages) {
      damage()
      const { status, output } = await vault('repair', '--read-data')
      assert.equal(status, 1, output)
      assert.match(output, summary)
      assert.match(output, /^acme\/0001 {2}revision \d+: \d+ chunks are lost/m)
      assert.doesNotMatch(output, /\b0 (?:chunks|are lost)/)
      rmSync(join(data, 'vault'), { recursive: true })
      cpSync(original, join(data, 'vault'), { recursive: true })
    }
    rmSync(join(data, 'vault-findings.json'))
  })

  test('reports a damaged configuration as a finding and leaves it, and repairs it by name', async () => {
    for (const name of ['vault.json', 'vault.copy.json']) {
      const path = join(data, 'vault', name)
      const content = readFileSync(path)
      writeFileSync(path, content.subarray(1))
      for (const time of ['first', 'second']) {
        const { status, output } = await vault('check')
        assert.equal(status, 1, `${time}: ${output}`)
        assert.match(output, new RegExp(`^configuration-damaged +${name}:`, 'm'))
      }
      assert.match((await vault('repair')).output, new RegExp(`^${name} was missing or damaged`, 'm'))
      assert.equal((await vault('check')).status, 0)
      assert.deepEqual(readFileSync(path), content)
    }
  })

  test('is not begun anew where the old one lies without its configuration', async () => {
    const configurations = ['vault.json', 'vault.copy.json'].map((name) => join(data, 'vault', name))
    const contents = configurations.map((path) => readFileSync(path))
    for (const path of configurations) rmSync(path)
    const refused = new Program(['serve', '--config', join(home, 'palisade.json')])
    assert.equal((await refused.ended()).status, 1)
    assert.match(refused.output, /backup\.vault\.directory .*put vault\.json or vault\.copy\.json back/)
    assert.equal(existsSync(configurations[0] ?? ''), false)
    for (const [index, path] of configurations.entries()) writeFileSync(path, contents[index] ?? '')
    assert.equal((await vault('check')).status, 0)
  })
})

test('a wrong configuration of the vault is refused at start, naming the member and no secret', async () => {
  const home = newFolder()
  const file = join(home, 'palisade.json')
  writeFileSync(file, JSON.stringify({ ...provisioned, dataDirectory: join(home, 'data') }))
  const program = new Program(['serve', '--config', file], {
    PALISADE_BACKUP_VAULT_S3_BUCKET: '-',
    PALISADE_BACKUP_VAULT_S3_SECRET_ACCESS_KEY: 'hidden',
  })
  assert.equal((await program.ended()).status, 1)
  assert.match(program.output, /backup\.vault\.s3\.bucket must be/)
  assert.match(program.output, /backup\.vault\.s3\.accessKeyId is missing/)
  assert.doesNotMatch(program.output, /hidden|\n\s+at /)
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}
