import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from './support/programs/calls.ts'
import { Program, palisade } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'
import { Terminal } from './support/programs/terminal.ts'

after(cleanUp)

const password = 'a long enough password'

describe('the command line for operators', () => {
  const folder = newFolder()
  const passwordFile = join(folder, 'password')
  const profilesFile = join(folder, 'palisade', 'profiles.json')
  let server: Server
  before(async () => {
    writeFileSync(passwordFile, `${password}\n`)
    server = await Server.start(newFolder(), {
      ...provisioned,
      administration: {
        operators: [
          { username: 'ops', password, grants: [{ role: 'owner' }] },
          { username: 'reader', password, grants: [{ role: 'auditor' }] },
          { username: 'mail', password, grants: [{ role: 'operator', service: 'email' }] },
        ],
      },
    })
  })
  after(() => server.remove())

  const start = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    new Program(argv, { XDG_CONFIG_HOME: folder, ...environment })

  const run = async (argv: readonly string[], environment?: Readonly<Record<string, string>>) => {
    const program = start(argv, environment)
    const { status } = await program.ended()
    return { status, output: program.output }
  }

  /** Runs a command that is to be done. */
  const output = async (...argv: string[]) => {
    const { status, output } = await run(argv)
    assert.equal(status, 0, output)
    return output
  }

  const logIn = (username: string, ...more: string[]) =>
    output('login', server.services, '--username', username, '--password-file', passwordFile, ...more)

  test('logging in keeps a token that nobody else can read, and logging out withdraws it', async () => {
    const word = await logIn('reader', '--expires', '3', '--profile', 'first')
    assert.match(word, /^You are logged in to http.* as reader for 3 days \(profile first\)\.$/)
    assert.equal(statSync(profilesFile).mode & 0o777, 0o600)
    const { token } = JSON.parse(readFileSync(profilesFile, 'utf8')).profiles.first
    assert.match(token, /^palisade_/)
    const identity = JSON.parse(await output('whoami', '--output', 'json'))
    assert.deepEqual([identity.username, identity.grants], ['reader', [{ role: 'auditor' }]])
    assert.equal(await output('operators', 'passkeys', 'list', '--output', 'json'), '[]')
    const tokens = JSON.parse(await output('tokens', 'list', '--output', 'json'))
    assert.equal(tokens.length, 1)
    const days = (Date.parse(tokens[0].expiresAt) - Date.now()) / 86_400_000
    assert.ok(days > 2.9 && days < 3.1, `${days} days`)
    assert.equal(await output('sessions', 'list', '--quiet'), '', 'the session has ended')

    await logIn('reader', '--profile', 'first')
    assert.equal((await output('tokens', 'list', '--quiet')).split('\n').length, 1, 'the former is withdrawn')
    const withToken = (token: string) =>
      run(['whoami', '--server', server.services], { PALISADE_TOKEN: token })
    assert.equal((await withToken(token)).status, 3)

    const { token: second } = JSON.parse(readFileSync(profilesFile, 'utf8')).profiles.first
    await output('logout')
    const refused = await withToken(second)
    assert.equal(refused.status, 3)
    assert.match(refused.output, /withdrawn or has expired\. "palisade login"/)
    const nobody = await run(['whoami', '--server', server.services])
    assert.equal(nobody.status, 3)
    assert.equal(
      nobody.output,
      `You are not logged in to ${server.services}. "palisade login ${server.services}" logs you in.`,
    )
  })

  test('profiles are listed, chosen and forgotten', async () => {
    await logIn('reader', '--profile', 'first')
    await logIn('ops', '--profile', 'second')
    assert.match(await output('profiles', 'list'), /^first .* reader +no\nsecond .* ops +yes$/m)
    assert.equal(await output('whoami', '--quiet'), 'ops')
    assert.equal(await output('whoami', '--quiet', '--profile', 'first'), 'reader')
    await output('profiles', 'use', 'first')
    assert.equal(await output('whoami', '--quiet'), 'reader')
    await output('profiles', 'remove', 'first')
    assert.equal((await run(['profiles', 'use', 'first'])).status, 4)
    const elsewhere = join(newFolder(), 'palisade')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'profiles.json'), '{"profiles":{"first":{}}}')
    const damaged = await run(['whoami'], { XDG_CONFIG_HOME: dirname(elsewhere) })
    assert.equal(damaged.status, 1)
    assert.match(damaged.output, /profiles\.json is not what "palisade login" writes\./)
    await output('profiles', 'use', 'second')
  })

  test('a password is asked for at a terminal and not shown, and so is the code of the second factor', async () => {
    const typed = (command: string) =>
      new Terminal(`${process.execPath} ${palisade} ${command}`, { XDG_CONFIG_HOME: folder })
    const enrolment = typed(`operators totp --username ops --server ${server.services}`)
    await enrolment.answer(/Password of ops: /, password)
    const [, secret = ''] = await enrolment.shows(/this secret into the app: (\w+)/)
    const codeAt = (when: string) =>
      execFileSync('oathtool', ['--totp', '--base32', '--now', when, secret], { encoding: 'utf8' }).trim()
    await enrolment.answer(/Code that the app shows: /, codeAt('now'))
    assert.equal(await enrolment.ended(), 0, enrolment.screen)
    assert.doesNotMatch(enrolment.screen, new RegExp(password))

    const login = typed(`login ${server.services} --profile second`)
    await login.answer(/Username: /, 'ops')
    await login.answer(/Password of ops: /, password)
    await login.answer(/Code of the authenticator app: /, codeAt('now + 30 seconds'))
    assert.equal(await login.ended(), 0, login.screen)
    assert.match(login.screen, /You are logged in/)
    const without = await run([
      'login',
      server.services,
      '--username',
      'ops',
      '--password-file',
      passwordFile,
    ])
    assert.equal(without.status, 3)
    assert.match(without.output, /code of your authenticator app/)
    const nowhere = await run(['login', server.services, '--username', 'ops'])
    assert.equal(nowhere.status, 2)
    assert.equal(nowhere.output, 'There is no terminal to ask at: give --password-file.')
  })

  test('operators are added, listed, shown, changed and deleted', async () => {
    const added = await output(
      'operators',
      'create',
      'username=ada',
      `password=@${passwordFile}`,
      'grants=operator:backup:acme,auditor',
      '-o',
      'json',
    )
    assert.deepEqual(JSON.parse(added).grants, [
      { role: 'operator', service: 'backup', account: 'acme' },
      { role: 'auditor' },
    ])
    assert.doesNotMatch(added, /long enough/)
    assert.match(
      await output('operators', 'list', '--username', 'ad'),
      /^USERNAME +DISPLAY NAME .*\nada +ada +operator:backup:acme, auditor +no$/,
    )
    await output('operators', 'set', 'ada', 'displayName=Ada Lovelace', 'isDisabled=true')
    assert.match(
      await output('operators', 'show', 'ada'),
      /^displayName +Ada Lovelace$[\s\S]*^isDisabled +yes$/m,
    )
    assert.equal(
      await output('operators', 'list', '--quiet', '--order', '-username', '--limit', '2'),
      'reader\nops',
    )
    assert.match(await output('operators', 'list', '-o', 'yaml', '--username', 'ada'), /^- username: ada\n/)

    const secret = await run(['operators', 'set', 'ada', 'password=seen by everybody'])
    assert.equal(secret.status, 2)
    assert.match(secret.output, /^Others can see command lines: .*password=@FILE/)
    const misspelt = await run(['operators', 'set', 'ada', 'displayname=x'])
    assert.deepEqual(
      [misspelt.status, misspelt.output],
      [2, 'There is no displayname. There is: password, displayName, grants, isDisabled.'],
    )
    const twice = await run(['operators', 'create', 'username=ada', 'grants=auditor'])
    assert.equal(twice.status, 5, twice.output)

    assert.match(
      await output('operators', 'delete', 'ada', '--preview'),
      /^losses +the sessions and API tokens/,
    )
    assert.equal((await run(['operators', 'delete', 'ada'])).status, 2, 'nobody is there to be asked')
    const terminal = new Terminal(`${process.execPath} ${palisade} operators delete ada`, {
      XDG_CONFIG_HOME: folder,
    })
    await terminal.answer(
      /Delete ada, and with it the sessions and API tokens .*\? Nothing takes this back\. \[y\/N\] /,
      'n',
    )
    assert.equal(await terminal.ended(), 1)
    assert.match(terminal.screen, /Nothing was changed\./)
    assert.equal(await output('operators', 'delete', 'ada', '--yes'), 'ada is deleted.')
    assert.equal((await run(['operators', 'show', 'ada'])).status, 4)
  })

  test('what an operator may not do is refused with 3', async () => {
    await logIn('reader', '--profile', 'reading')
    const { status, output: words } = await run([
      'operators',
      'create',
      'username=eve',
      'grants=owner',
      '--profile',
      'reading',
    ])
    assert.equal(status, 3)
    assert.match(words, /Your grants do not allow you/)
    await output('profiles', 'use', 'second')
  })

  test('long lists arrive in pages, whole', async () => {
    for (let first = 0; first < 1200; first += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          fetch(`${server.services}/admin/v1/awareness/campaigns`, {
            method: 'POST',
            headers: { authorization: `Bearer ${tokenOf('second')}`, 'content-type': 'application/json' },
            body: JSON.stringify({ id: 1000 + first + index, name: `campaign ${first + index}` }),
          }),
        ),
      )
    }
    const ids = (await output('awareness', 'campaigns', 'list', '--quiet', '--name', 'campaign')).split('\n')
    assert.equal(new Set(ids).size, 1200)
    assert.equal(
      JSON.parse(await output('awareness', 'campaigns', 'list', '--name', 'campaign', '-o', 'json')).length,
      1200,
    )
    const table = (await output('awareness', 'campaigns', 'list', '--name', 'campaign')).split('\n')
    assert.equal(table.length, 1201, 'one heading, one line a campaign')
    assert.equal(table.filter((line) => line.startsWith('ID ')).length, 1)
    const viaHead = execFileSync(
      'bash',
      [
        '-o',
        'pipefail',
        '-c',
        `"${process.execPath}" "${palisade}" awareness campaigns list --quiet | head -n 2`,
      ],
      { env: { ...process.env, XDG_CONFIG_HOME: folder }, encoding: 'utf8' },
    )
    assert.equal(viaHead.split('\n').length, 3)
  })

  const tokenOf = (profile: string) => JSON.parse(readFileSync(profilesFile, 'utf8')).profiles[profile].token

  test('campaigns are seen by the awareness API with their results', async () => {
    const user = {
      PALISADE_AWARENESS_USERNAME: 'api@example.org',
      PALISADE_AWARENESS_PASSWORD: 'battery staple',
      PALISADE_AWARENESS_API_KEY: 'KEY-1',
    }
    await output('awareness', 'campaigns', 'create', 'id=5', 'name=Parcel', 'sent=250', 'clicked=32')
    const listed = await run(['awareness', 'api', 'campaigns', '--quiet'], user)
    assert.equal(listed.output.split('\n').length, 1202)
    const one = await run(['awareness', 'api', 'campaign', '5', '-o', 'json'], user)
    assert.deepEqual(JSON.parse(one.output).clicked, 32)
    const nobody = await run(['awareness', 'api', 'campaigns'])
    assert.equal(nobody.status, 3)
  })

  test('the email API is asked by an API client that the command line has made', async () => {
    await output('email', 'accounts', 'create', 'id=77', 'name=Example')
    await output('email', 'domains', 'create', 'name=example.net', '--account', '77')
    assert.match(
      await output('email', 'domains', 'list', '--account', '77'),
      /^1 +example\.net +UNVERIFIED +ESS/m,
    )
    const operator = JSON.parse(
      await output(
        'email',
        'api-clients',
        'create',
        'clientId=reporting',
        'accounts=77',
        'scopes=ess:account:read,ess:account:write',
        '-o',
        'json',
      ),
    )
    const changed = JSON.parse(
      await output('email', 'api-clients', 'secret', 'reporting', 'overlapHours=0', '-o', 'json'),
    )
    assert.notEqual(changed.clientSecret, operator.clientSecret)
    const client = {
      PALISADE_CLIENT_ID: 'reporting',
      PALISADE_CLIENT_SECRET: changed.clientSecret,
      PALISADE_SERVER: server.services,
    }
    const domains = await run(
      ['email', 'api', 'domains', '--account', '77', '--page', '0', '--size', '1'],
      client,
    )
    assert.match(domains.output, /^ID .*\n1 +example\.net/)
    assert.match((await run(['email', 'api', 'accounts'], client)).output, /^77 +Example/m)
    assert.match(
      (await run(['email', 'api', 'domain', 'example.net', '--account', '77'], client)).output,
      /^domainId +1$/m,
    )
    const reply = await run(['email', 'verification', 'show', 'example.net', '--account', '77'], client)
    assert.match(reply.output, /^TXT +example\.net +palisade-domain-verification=\w+$/m)

    const report = join(folder, 'report.yaml')
    const count = {
      direction: 'inbound',
      action: 'blocked',
      threatType: 'malware',
      reason: 'antivirus',
      at: new Date().toISOString(),
      count: 3,
    }
    writeFileSync(report, JSON.stringify({ report: 'gateway-1/1', counts: [count] }))
    const reporting = ['email', 'report', 'example.net', '--account', '77', '--file', report]
    assert.match((await run(reporting, client)).output, /is counted\.$/)
    assert.match((await run(reporting, client)).output, /was counted before\.$/)
    const statistics = await run(
      ['email', 'statistics', 'example.net', '--account', '77', '--period', 'hourly'],
      client,
    )
    assert.match(statistics.output, /^\S+T\S+ +inbound +blocked:malware:antivirus +3$/m)
  })

  test('the audit log is listed, followed and exported', async () => {
    const following = start(['audit', 'list', '--follow', '--action', 'createEmailAccount', '-o', 'json'])
    await output('audit', 'list', '--limit', '1')
    await eventually('an entry', async () => {
      await output('email', 'accounts', 'create', `id=audited-${Date.now()}`)
      return /createEmailAccount/.test(following.output) || undefined
    })
    await following.stop()
    const targets = following.output.split('\n').map((line) => JSON.parse(line).target)
    assert.equal(new Set(targets).size, targets.length, 'each is printed once')
    const file = join(folder, 'audit.jsonl')
    await output('audit', 'export', '--action', 'createEmailAccount', '--file', file)
    const exported = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).target)
    assert.ok(exported.includes(targets[0]))
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  test('status shows what runs and what needs attention, and --check ends with 1 for what is critical', async () => {
    const screen = await output('status')
    assert.match(
      screen,
      /^version +\d+\.\d+\.\d+ on Node 24[\s\S]*^database +(sqlite|postgres)[\s\S]*^backup +works$/m,
    )
    const { system, attention } = JSON.parse(await output('status', '-o', 'json'))
    assert.ok(system.services.length >= 4)
    const critical = attention.filter(({ severity }: { severity: string }) => severity === 'critical').length
    assert.equal((await run(['status', '--check'])).status, critical > 0 ? 1 : 0)
  })

  test('status shows an operator of one service what needs attention there', async () => {
    const apart = { XDG_CONFIG_HOME: newFolder() }
    const login = ['login', server.services, '--username', 'mail', '--password-file', passwordFile]
    assert.equal((await run(login, apart)).status, 0)
    const { status, output: screen } = await run(['status'], apart)
    assert.equal(status, 0, screen)
    assert.match(screen, /^state +told to those who may read all services$/m)
    assert.match(screen, /^(Nothing needs attention\.|This needs attention:)$/m)
    const { system, attention } = JSON.parse((await run(['status', '-o', 'json'], apart)).output)
    assert.equal(system, null)
    assert.ok(attention.every(({ service }: { service: string }) => service === 'email'))
  })

  test('an auditor reads the firewall, and is told why he changes and exports nothing of it', async () => {
    const apart = { XDG_CONFIG_HOME: newFolder() }
    const login = ['login', server.services, '--username', 'reader', '--password-file', passwordFile]
    assert.equal((await run(login, apart)).status, 0)
    const reads = [
      ['list', 'security-policy'],
      ['get', 'system'],
      ['logs', 'audit'],
      ['checkpoints', 'list'],
      ['certificates', 'list'],
    ]
    for (const words of reads) {
      const { status, output } = await run(['firewall', ...words], apart)
      assert.equal(status, 0, `${words.join(' ')}: ${output}`)
    }
    const changes = [
      ['create', 'service', 'shop', 'ip-address=192.0.2.1', 'port=80', 'type=HTTP'],
      ['checkpoints', 'create', 'mine'],
      ['export', newFolder()],
    ]
    for (const words of changes) {
      const { status, output } = await run(['firewall', ...words], apart)
      assert.match(output, /You may only read the firewall\./, words.join(' '))
      assert.equal(status, 3, words.join(' '))
    }
  })

  test('any call is made, its reply printed as it is, and its refusal told by the status', async () => {
    const { status, output: reply } = await run(['api', 'get', '/admin/v1/email/accounts/77'])
    assert.equal(status, 0)
    assert.equal(JSON.parse(reply).name, 'Example')
    const body = join(folder, 'change.json')
    writeFileSync(body, '{"name":"Another"}')
    await output('api', 'PATCH', '/admin/v1/email/accounts/77', '--data', `@${body}`, '-H', 'If-Match: *')
    assert.match(await output('email', 'accounts', 'show', '77'), /^name +Another$/m)
    assert.equal((await run(['api', 'GET', '/admin/v1/nothing'])).status, 4)
    const unconditional = await run(['api', 'PATCH', '/admin/v1/email/accounts/77', '--data', '{"name":"x"}'])
    assert.equal(unconditional.status, 5)
    assert.equal(
      (await run(['api', 'GET', '//elsewhere.example/'])).status,
      2,
      'the token goes to this server alone',
    )
  })

  test('bash completes commands, options and choices', () => {
    const complete = (line: string) => {
      const script = `palisade() { "${process.execPath}" "${palisade}" "$@"; }
source <(palisade completion bash)
compopt() { :; }
COMP_LINE='${line}' COMP_POINT=${line.length}
_palisade; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p palisade`
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
    }
    assert.deepEqual(complete('palisade em').slice(0, -1), ['email'])
    assert.deepEqual(complete('palisade se').slice(0, -1), ['sessions', 'serve'])
    assert.deepEqual(complete('palisade email domains ').slice(0, -1), [
      'list',
      'show',
      'create',
      'set',
      'delete',
      'help',
    ])
    assert.deepEqual(complete('palisade email domains list --acc').slice(0, -1), ['--account'])
    assert.deepEqual(complete('palisade status --output ').slice(0, -1), ['table', 'json', 'yaml'])
    assert.deepEqual(complete('palisade email domains create name=x --account 7 st').slice(0, -1), [
      'status=',
    ])
    assert.deepEqual(complete('palisade email domains set 18 type=').slice(0, -1), ['ESS', 'CPL'])
    assert.deepEqual(complete('palisade firewall checkpoints ro').slice(0, -1), ['rollback'])
    for (const typed of ['type=Re', 'type=Redirect\\ Se'])
      assert.deepEqual(complete(`palisade firewall create service shop ${typed}`).slice(0, -1), [
        'Redirect\\ Service',
      ])
    assert.deepEqual(complete('palisade completion ').slice(0, -1), ['bash', 'zsh', 'fish'])
    assert.match(complete('palisade ').at(-1) ?? '', /-F _palisade palisade$/)
  })

  test('prints its version, and no colour where NO_COLOR is set', async () => {
    assert.match(await output('--version'), /^\d+\.\d+\.\d+$/)
    const terminal = new Terminal(`NO_COLOR=1 ${process.execPath} ${palisade} status`, {
      XDG_CONFIG_HOME: folder,
    })
    await terminal.ended()
    assert.doesNotMatch(terminal.screen, new RegExp(`${String.fromCharCode(27)}\\[\\d`))
  })
})
