import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { packNpm } from './delivery/packages.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder } from './support/programs/server.ts'
import { runInShell } from './support/programs/shell.ts'
import { follow, passagesIn } from './support/repository/document-commands.ts'
import { root } from './support/repository/root.ts'

/*
 * What a newcomer types who has the package and no copy of the repository. The ports are those of the document, since the commands have a
 * network of their own; installing needs the one that there is.
 */

const document = 'docs/operating/first-hour.md'
const fiveMinutesMs = 5 * 60_000

/** Lines that begin commands of a user which are not of the shell or of curl. */
const command = /(?:^|[|(] *|"\$\()(?:palisade|npm) /gm

describe('the first hour', { timeout: 580_000 }, () => {
  const folder = newFolder()
  const prefix = join(folder, 'prefix')
  const env = {
    // Where the registry is, and by which way.
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) =>
        /^npm_config_|_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name),
      ),
    ),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    PATH: `${join(prefix, 'bin')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: folder,
    npm_config_prefix: prefix,
    // What was downloaded once need not be again.
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
  }
  before(() => {
    packNpm(folder)
  })
  after(cleanUp)

  test('the installed package protects an application, and backs a computer up and restores it, in less than five minutes', {
    skip: notInstalled('/usr/bin/unshare', '/usr/sbin/ip', '/usr/bin/curl'),
  }, async () => {
    const [install, ...others] = passagesIn(document, {})
    assert.match(install?.commands ?? '', /^npm install --global \.\/palisade-/)
    const begunAt = Date.now()
    await follow(install ? [install] : [], { cwd: folder, env, timeoutMs: fiveMinutesMs })
    const timeoutMs = fiveMinutesMs - (Date.now() - begunAt)
    await follow(others, { cwd: folder, env, timeoutMs, network: 'loopback' })
    const where = await runInShell('readlink -f "$(command -v palisade)"', { env, timeoutMs: 5000 })
    assert.ok(where.stdout.startsWith(`${prefix}/`), where.stdout)
  })

  test('needs ten commands at most', () => {
    const blocks = readFileSync(join(root, document), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)
    const commands = [...blocks].flatMap(([, block = '']) => block.match(command) ?? [])
    assert.ok(commands.length >= 8 && commands.length <= 10, `${commands.length} commands`)
  })
})
