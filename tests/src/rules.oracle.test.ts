import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { application, cleanUpApplications, Management } from './support/firewall/proxy.ts'
import {
  debianRules,
  packRelease,
  type ReleaseArchive,
  tarEntry,
  withEntries,
} from './support/firewall/releases.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

const options = { skip: notInstalled(debianRules), timeout: 180_000 }

/** What `palisade rules` with this data directory ends with and prints. */
async function rules(data: string, ...argv: string[]): Promise<{ status: number | null; output: string }> {
  const program = new Program(['rules', ...argv, '--data-directory', data])
  const { status } = await program.ended()
  return { status, output: program.output }
}

/** @returns what it printed */
async function succeeds(data: string, ...argv: string[]): Promise<string> {
  const { status, output } = await rules(data, ...argv)
  assert.equal(status, 0, output)
  return output
}

/** Asserts that it ends with one sentence that fits, and with the status 1. */
async function isRefused(reason: RegExp, data: string, ...argv: string[]): Promise<void> {
  const { status, output } = await rules(data, ...argv)
  assert.match(output, reason)
  assert.doesNotMatch(output, /\n|^\s+at /, output)
  assert.equal(status, 1, output)
}

/** What lies in the folder of rules. */
function installed(data: string): string[] {
  const folder = join(data, 'rules')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

/** A server that runs a proxy, and an Active service of it. */
async function serveShop(firewall: object, folder = newFolder()) {
  const server = await Server.start(folder, {
    ...provisioned,
    firewall: { ...provisioned.firewall, runProxy: true, ...firewall },
  })
  await server.program.line(/"msg":"carrying traffic"/)
  const management = await Management.connect(server)
  const behind = await application((incoming, response) =>
    incoming.resume().on('end', () => response.end('served')),
  )
  const port = await management.protect('shop', behind)
  const reply = await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  return { server, management, reply, get }
}

const refusesWord = (word: string) => `SecRule ARGS "@streq ${word}" "id:1000,phase:2,deny,status:403"\n`

test(
  'installs releases from a file and from an address, each by its digest, side by side',
  options,
  async () => {
    const data = join(newFolder(), 'data')
    const [one, other] = [packRelease('4.98.1'), packRelease('4.98.2')]
    const wrong = '0'.repeat(64)
    await isRefused(
      /^The SHA-256 of .*4\.98\.1\.tar\.gz is [\da-f]{64}, and not 0{64}: nothing was installed\.$/,
      data,
      'install',
      one.file,
      '--sha256',
      wrong,
    )
    assert.deepEqual(installed(data), [])
    assert.match(
      await succeeds(data, 'install', one.file, '--sha256', one.sha256.toUpperCase()),
      new RegExp(`^4\\.98\\.1 is installed: \\d{3} rules, SHA-256 of the archive ${one.sha256}`),
    )

    let fetches = 0
    const port = await application((incoming, response) => {
      fetches++
      if (incoming.url === '/gone') response.statusCode = 404
      response.end(readFileSync(other.file))
    })
    const address = `http://127.0.0.1:${port}/coreruleset-4.98.2.tar.gz`
    await isRefused(/^An address needs --sha256/, data, 'install', address)
    assert.equal(fetches, 0)
    await isRefused(/nothing was installed/, data, 'install', address, '--sha256', one.sha256)
    await isRefused(
      /\/gone cannot be fetched: the answer has the status 404$/,
      data,
      'install',
      `http://127.0.0.1:${port}/gone`,
      '--sha256',
      other.sha256,
    )
    assert.match(await succeeds(data, 'install', address, '--sha256', other.sha256), /^4\.98\.2 is installed/)
    assert.equal(fetches, 3)
    await isRefused(/^The release 4\.98\.2 is installed already/, data, 'install', other.file)

    assert.match(await succeeds(data, 'use', '4.98.2'), /^4\.98\.2 counts from now on: \d{3} rules\./)
    const list = await succeeds(data, 'list')
    assert.match(list, /^ {2}debian .*\n {2}4\.98\.1 .*\n\* 4\.98\.2 /)
    assert.match(await succeeds(data, 'status'), /^OWASP_CRS\/4\.98\.2: \d{3} rules in /)
    await isRefused(
      /^There is no release 4\.98\.3; installed: debian, 4\.98\.1, 4\.98\.2\.$/,
      data,
      'use',
      '4.98.3',
    )
    assert.deepEqual(installed(data), ['4.98.1', '4.98.2', 'current.json'])
  },
)

test(
  'rules change while requests flow and none of them fails, and what cannot be loaded changes nothing',
  options,
  async () => {
    const { server, management, get } = await serveShop({})
    const data = join(server.folder, 'data')
    await management.untilHealth('services/shop', 'Up')
    for (const [release, word] of [
      ['4.98.1', 'first'],
      ['4.98.2', 'second'],
    ] as const) {
      const { file, sha256 } = packRelease(release, { 'REQUEST-999-OWN.conf': refusesWord(word) })
      await succeeds(data, 'install', file, '--sha256', sha256)
    }

    let [isFlowing, served] = [true, 0]
    const failures: unknown[] = []
    const flow = Promise.all(
      [1, 2].map(async () => {
        while (isFlowing) {
          try {
            const reply = await get('/?word=welcome')
            const text = await reply.text()
            if (reply.status === 200 && text === 'served') served++
            else failures.push(reply.status)
          } catch (error) {
            failures.push(error)
          }
        }
      }),
    )
    const statuses = async () => {
      const replies = await Promise.all(['first', 'second'].map((word) => get(`/?word=${word}`)))
      return replies.map(({ status }) => status).join()
    }
    const becomes = (expected: string) =>
      eventually(`answers ${expected}`, async () => ((await statuses()) === expected ? true : undefined))
    assert.equal(await statuses(), '200,200')
    await succeeds(data, 'use', '4.98.1')
    await becomes('403,200')
    await succeeds(data, 'use', '4.98.2')
    await becomes('200,403')

    const broken = packRelease('4.98.3', {
      'REQUEST-999-OWN.conf': '\nSecRule ARGS "@nonsense x" "id:1000,phase:2,deny"\n',
    })
    await isRefused(/REQUEST-999-OWN\.conf.*2.*nonsense/, data, 'install', broken.file)
    assert.deepEqual(installed(data), ['4.98.1', '4.98.2', 'current.json'])
    // One that was sound when it was installed, and is not any more.
    writeFileSync(join(data, 'rules/4.98.1/rules/REQUEST-999-OWN.conf'), 'SecRule ARGS')
    await isRefused(/REQUEST-999-OWN\.conf/, data, 'use', '4.98.1')
    await isRefused(
      /REQUEST-999-OWN\.conf/,
      data,
      'install',
      withEntries(packRelease('4.98.4'), [
        tarEntry('coreruleset-4.98.4/rules/REQUEST-999-OWN.conf', 'file', {
          content: Buffer.from('SecRule ARGS'),
        }),
      ]).file,
    )
    assert.equal(await statuses(), '200,403')
    // And whoever writes the choice without asking.
    writeFileSync(join(data, 'rules/current.json'), '{"folder":"4.98.1/rules"}')
    await server.program.line(/REQUEST-999-OWN\.conf.*The rules of before go on/)
    assert.equal(await statuses(), '200,403')
    await succeeds(data, 'use', 'debian')
    await becomes('200,200')

    isFlowing = false
    await flow
    assert.deepEqual(failures, [])
    assert.ok(served > 0)
    assert.equal(await server.program.stop(), 0)
  },
)

test('refuses hostile archives with one sentence, and leaves nothing behind', options, async () => {
  const folder = newFolder()
  const data = join(folder, 'data')
  const outside = join(folder, 'escaped')
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'secret\n')
  const sound = packRelease('4.98.1')
  const raw = (name: string, bytes: Buffer): ReleaseArchive => {
    const file = join(newFolder(), name)
    writeFileSync(file, bytes)
    return { file, sha256: '' }
  }
  const truncated = () => {
    const { file } = withEntries(sound, [])
    truncateSync(file, readFileSync(file).length - 1_000)
    return { file, sha256: '' }
  }
  const content = Buffer.from('escaped')
  const entry =
    (...args: Parameters<typeof tarEntry>) =>
    () =>
      withEntries(sound, [tarEntry(...args)])
  const up = '../'.repeat(20)
  const cases: readonly (readonly [what: string, make: () => ReleaseArchive, reason: RegExp])[] = [
    ['a path out of the folder', entry(`crs/rules/${up}${outside.slice(1)}`, 'file', { content }), /\.\./],
    ['a path out of the archive', entry('../rules/own.conf', 'file', { content }), /\.\./],
    ['an absolute path', entry(outside, 'file', { content }), /escaped/],
    ['an absolute path of rules', entry('/rules/own.conf', 'file', { content }), /\/rules\/own\.conf/],
    ['a symbolic link', entry('crs/rules/own.conf', 'symbolic link', { target: secret }), /own\.conf/],
    [
      'a symbolic link in the place of the rules',
      () =>
        withEntries(sound, [
          tarEntry('coreruleset-4.98.1/rules', 'symbolic link', { target: folder }),
          tarEntry('coreruleset-4.98.1/rules/escaped', 'file', { content }),
        ]),
      /rules/,
    ],
    [
      'a symbolic link outside of the rules',
      () =>
        withEntries(sound, [
          tarEntry('crs/plugins', 'symbolic link', { target: folder }),
          tarEntry('crs/plugins/escaped', 'file', { content }),
        ]),
      /plugins/,
    ],
    ['a hard link', entry('crs/rules/own.conf', 'hard link', { target: secret }), /own\.conf/],
    [
      'a hard link within',
      entry('crs/rules/own.conf', 'hard link', { target: 'crs/rules/iis-errors.data' }),
      /own\.conf/,
    ],
    ['a character device', entry('crs/rules/own.conf', 'character device'), /own\.conf/],
    ['a block device', entry('crs/rules/own.conf', 'block device'), /own\.conf/],
    ['a pipe', entry('crs/rules/own.conf', 'pipe'), /own\.conf/],
    [
      '10,000 entries',
      () =>
        withEntries(
          sound,
          Array.from({ length: 10_000 }, (_, index) => tarEntry(`crs/rules/${index}.data`, 'file')),
        ),
      /more than 5000 entries/,
    ],
    [
      '10,000 entries that are not wanted',
      () =>
        withEntries(
          sound,
          Array.from({ length: 10_000 }, (_, index) => tarEntry(`crs/docs/${index}`, 'folder')),
        ),
      /more than 5000 entries/,
    ],
    [
      'a bomb in a file',
      () =>
        withEntries(sound, [
          tarEntry('crs/rules/large.data', 'file', { content: Buffer.alloc(130 * 2 ** 20) }),
        ]),
      /more than 134217728 bytes/,
    ],
    [
      'a bomb after the end',
      () => raw('bomb.tar.gz', gzipSync(Buffer.alloc(130 * 2 ** 20), { level: 1 })),
      /more than 134217728 bytes/,
    ],
    ['a truncated archive', truncated, /unexpected end of file/],
    [
      'a truncated tar',
      () =>
        raw(
          'short.tar.gz',
          gzipSync(
            tarEntry('crs/rules/own.conf', 'file', { content: Buffer.alloc(2_000) }).subarray(0, 1_024),
          ),
        ),
      /./,
    ],
    [
      'text',
      () => raw('release.tar.gz', Buffer.from('SecRule ARGS\n'.repeat(100))),
      /is no \.tar\.gz archive/,
    ],
    [
      'text that was compressed',
      () => raw('release.tar.gz', gzipSync(Buffer.from('SecRule ARGS\n'.repeat(100)))),
      /is no \.tar\.gz archive/,
    ],
    ['nothing', () => raw('release.tar.gz', Buffer.alloc(0)), /is no \.tar\.gz archive/],
    [
      'an archive of something else',
      () =>
        raw(
          'release.tar.gz',
          gzipSync(Buffer.concat([tarEntry('crs/README.md', 'file'), Buffer.alloc(1_024)])),
        ),
      /holds no rules of the Core Rule Set/,
    ],
    [
      'rules of no release',
      () =>
        raw(
          'release.tar.gz',
          gzipSync(
            Buffer.concat([
              tarEntry('crs/rules/REQUEST-901-INITIALIZATION.conf', 'file', {
                content: Buffer.from("ver:'OWASP_CRS/../../x'"),
              }),
              Buffer.alloc(1_024),
            ]),
          ),
        ),
      /do not say of which release/,
    ],
    ['a folder', () => ({ file: folder, sha256: '' }), /cannot be read/],
    ['a device', () => ({ file: '/dev/zero', sha256: '' }), /cannot be read/],
    ['a file that is not there', () => ({ file: join(folder, 'gone'), sha256: '' }), /cannot be read/],
  ]
  let ran = 0
  for (const [what, make, reason] of cases) {
    const { file } = make()
    const { status, output } = await rules(data, 'install', file)
    assert.equal(status, 1, `${what}: ${output}`)
    assert.match(output, reason, what)
    assert.match(output, new RegExp(basename(file)), what)
    assert.doesNotMatch(output, /\n|\s{2}at |secret\n/, what)
    assert.deepEqual(installed(data), [], what)
    assert.ok(!existsSync(outside), what)
    ran++
  }
  assert.equal(ran, 26)
  assert.equal(readFileSync(secret, 'utf8'), 'secret\n')
  assert.deepEqual(readdirSync(folder).sort(), ['data', 'secret'])
})

test('refuses a pipe as an archive without waiting for it', options, async () => {
  const folder = newFolder()
  const pipe = join(folder, 'pipe.tar.gz')
  execFileSync('/usr/bin/mkfifo', [pipe])
  await isRefused(/pipe\.tar\.gz cannot be read: it is no file/, join(folder, 'data'), 'install', pipe)
})

test('a choice of rules that cannot be read is told in one sentence', options, async () => {
  const data = join(newFolder(), 'data')
  mkdirSync(join(data, 'rules'), { recursive: true })
  let ran = 0
  for (const text of ['', '{', 'null', '[]', '{"folder":7}']) {
    writeFileSync(join(data, 'rules/current.json'), text)
    await isRefused(/current\.json .*palisade rules use/, data, 'status')
    ran++
  }
  assert.equal(ran, 5)
  // What mends it.
  await succeeds(data, 'use', 'debian')
  assert.match(await succeeds(data, 'status'), /^OWASP_CRS\/3/)
})

/** What /readyz warns of. */
async function readinessOf(server: Server): Promise<unknown> {
  return ((await (await fetch(`${server.services}/readyz`)).json()) as { warnings?: unknown }).warnings
}

test(
  'without rules an Active service is shut, and everything that tells of it says what to do',
  options,
  async () => {
    const empty = newFolder()
    const folder = newFolder()
    mkdirSync(join(folder, 'data/rules'), { recursive: true })
    writeFileSync(join(folder, 'data/rules/current.json'), '{"folder":"4.98.1/rules"}')
    const advice = /palisade rules (install|use)/
    let ran = 0
    for (const [firewall, at, problem] of [
      [{ ruleFolder: empty }, newFolder(), new RegExp(`There are no rules in ${empty}`)],
      [{}, folder, /current\.json names .*4\.98\.1\/rules, which does not exist/],
    ] as const) {
      const { server, management, reply, get } = await serveShop(firewall, at)
      await management.untilHealth('services/shop', 'Down', problem)
      await management.untilHealth('services/shop', 'Down', advice)
      for (const pattern of [/The service shop refuses every request/, problem, advice]) {
        assert.match(String(reply.warning), pattern)
      }
      const answer = await get('/')
      assert.equal(answer.status, 503)
      await answer.arrayBuffer()
      const entries = await management.entries('web-firewall-logs', (entry) =>
        advice.test(entry['attack-detail'] ?? ''),
      )
      assert.match(entries[0]?.['attack-detail'] ?? '', problem)
      const [warning] = (await readinessOf(server)) as Record<string, string>[]
      assert.equal(warning?.service, 'firewall')
      assert.equal(warning?.condition, 'no-rules')
      assert.match(warning?.message ?? '', problem)
      assert.match(warning?.message ?? '', advice)
      const metrics = await (await fetch(`${server.services}/metrics`)).text()
      assert.match(metrics, /^palisade_firewall_rules_loaded\{proxy="[^"]+",release=""\} 0$/m)
      assert.match(metrics, /^palisade_service_warnings\{service="firewall",condition="no-rules"\} 1$/m)
      const line = server.program.output.split('\n').find((one) => problem.test(one))
      assert.match(line ?? '', advice)
      assert.equal(await server.program.stop(), 0)
      ran++
    }
    assert.equal(ran, 2)
  },
)

test('without rules, basic rules or policies alone judge where the owner says so', options, async () => {
  const basic = await serveShop({ ruleFolder: newFolder(), withoutRules: 'basic-rules' })
  assert.equal(basic.reply.warning, undefined)
  await basic.management.untilHealth('services/shop', 'Up')
  assert.equal((await basic.get("/?q=O'Neill and sons")).status, 200)
  assert.equal((await basic.get("/?q=1' or '1'='1")).status, 403)
  const [found] = await basic.management.entries('web-firewall-logs', ({ rule }) => rule === '942390')
  assert.equal(found?.attack, 'sql-injection-in-parameter')
  const [told] = (await readinessOf(basic.server)) as Record<string, string>[]
  assert.equal(told?.condition, 'rules-notice')
  assert.match(told?.message ?? '', /basic rules and security policies judge.*palisade rules install/)
  assert.equal(await basic.server.program.stop(), 0)

  const { server, management, reply, get } = await serveShop({
    ruleFolder: newFolder(),
    withoutRules: 'policies-only',
  })
  assert.equal(reply.warning, undefined)
  await management.call('POST', 'security-policies', { name: 'reading' })
  await management.call('PUT', 'security-policies/reading/url-protection', { 'allowed-methods': ['GET'] })
  await management.call('PUT', 'services/shop/basic-security', { 'web-firewall-policy': 'reading' })
  await management.untilHealth('services/shop', 'Up')
  assert.equal((await get('/')).status, 200)
  assert.equal((await get('/', { method: 'DELETE' })).status, 403)
  const [warning] = (await readinessOf(server)) as Record<string, string>[]
  assert.equal(warning?.condition, 'rules-notice')
  assert.match(warning?.message ?? '', /security policies alone judge requests.*palisade rules install/)
  assert.equal(await server.program.stop(), 0)
})
