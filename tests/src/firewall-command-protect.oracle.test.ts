import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type FirewallCommand, firewallCommandOf } from './support/firewall/firewall-command.ts'
import { application, cleanUpApplications, freePort, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(async () => {
  await cleanUp()
  cleanUpApplications()
})

const execute = promisify(execFile)

describe('palisade firewall protect', () => {
  let server: Server
  let firewall: FirewallCommand
  let origin: string
  let port: number
  before(async () => {
    server = await Server.start()
    await ProxyProcess.start(server)
    firewall = firewallCommandOf(server)
    const app = await application((request, reply) => {
      reply.end(`Hello at ${request.headers.host}\n`)
    })
    origin = `http://127.0.0.1:${app}`
    port = await freePort()
  })
  after(() => server.remove())

  const attack = '/item?id=1%27%20or%20%271%27%3D%271'
  const protect = (...more: string[]) =>
    firewall.done('protect', origin, '--domain', 'app.example.org', 'www.example.org', ...more)
  const listen = () => ['--listen', `127.0.0.1:${port}`]
  /** As curl prints it: the status behind the body. */
  const curl = async (scheme: string, path: string, ...more: string[]) => {
    const { stdout } = await execute('curl', [
      ...['-s', '--max-time', '10', '-w', '%{http_code}', ...more],
      ...['--resolve', `app.example.org:${port}:127.0.0.1`, `${scheme}://app.example.org:${port}${path}`],
    ])
    return stdout
  }

  test('goes from nothing to an application that answers and is watched, and does nothing the second time', async () => {
    const output = await protect(...listen(), '--passive')
    assert.match(output, /answers through the firewall, at 127\.0\.0\.1:/)
    assert.match(output, /Attacks are logged and pass/)
    assert.match(await curl('http', '/'), /^Hello at app\.example\.org:\d+\n200$/)
    assert.match(await curl('http', attack), /200$/)
    const before = await firewall.done('logs', 'audit', '--filter', 'transaction-type=Config', '--quiet')
    await protect('--passive')
    assert.equal(
      await firewall.done('logs', 'audit', '--filter', 'transaction-type=Config', '--quiet'),
      before,
    )
  })

  test('refuses attacks when it is run without --passive, and shows them', async () => {
    await firewall.done('set', 'service', 'app.example.org', 'comments=mine')
    const output = await protect()
    assert.match(output, /Attacks are refused/)
    const status = await eventually('the refusal', async () =>
      /403$/.test(await curl('http', attack)) ? '403' : undefined,
    )
    assert.equal(status, '403')
    assert.match(await curl('http', '/'), /200$/)
    assert.match(await firewall.done('get', 'service', 'app.example.org'), /^comments +mine$/m)
    const line = await eventually('the entry', async () => {
      const lines = await firewall.done(
        'logs',
        '--since',
        '10m',
        '--filter',
        'action=DENY',
        '--filter',
        'rule=942100',
      )
      return lines === '' ? undefined : lines
    })
    assert.match(line, /^\d{4}-\d\d-\d\dT\S+Z {2}DENY {2}127\.0\.0\.1 {2}\/item {2}942100 {2}/m)
  })

  test('shows what rules took for attacks, rejects an exception, and accepts it all the same', async () => {
    const proposal = await eventually('a proposal', async () => {
      const proposals = JSON.parse(await firewall.done('exceptions', 'list', 'app.example.org', '-o', 'json'))
      return (proposals as { id: string; rule: string }[]).find(({ rule }) => rule === '942100')
    })
    assert.match(
      await firewall.done('exceptions', 'show', 'app.example.org', proposal.id),
      /^lets-through-alone +\d/m,
    )
    const rejecting = ['exceptions', 'reject', 'app.example.org', proposal.id]
    assert.equal(await firewall.done(...rejecting), `The proposal ${proposal.id} is rejected.`)
    const listed = ['exceptions', 'list', 'app.example.org', '--quiet']
    assert.ok(!(await firewall.done(...listed)).split('\n').includes(proposal.id))
    assert.equal(await firewall.done(...listed, '--rejected'), proposal.id)
    const accepted = await firewall.done(
      'exceptions',
      'accept',
      'app.example.org',
      proposal.id,
      '--comment',
      'tests',
    )
    const [, name = ''] = /delete rule-exception (\S+)"/.exec(accepted) ?? []
    assert.match(await firewall.done('get', 'rule-exception', name), /942100/)
    await firewall.done('delete', 'rule-exception', name)
    assert.equal(await firewall.done('profiles', 'list', 'app.example.org', '--quiet'), '')
    await firewall.done('profiles', 'accept', 'app.example.org')
    await firewall.done('profiles', 'forget', 'app.example.org')
  })

  test('has clients come by HTTPS, with a self-signed certificate and then with an uploaded one and the next', async () => {
    const output = await protect('--self-signed')
    assert.match(output, /https:\/\/app\.example\.org:\d+\//)
    assert.match(await curl('https', '/', '--insecure'), /200$/)
    const folder = newFolder()
    for (const days of ['30', '40']) {
      const [key, certificate] = [join(folder, `${days}.key`), join(folder, `${days}.pem`)]
      const names = ['-subj', '/CN=app.example.org', '-addext', 'subjectAltName=DNS:app.example.org']
      const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', days, ...names]
      execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
      await protect('--certificate', certificate, '--key', key)
      const selfSigned = await eventually('the certificate', async () => {
        try {
          return await curl('https', '/', '--cacert', certificate)
        } catch {
          return undefined
        }
      })
      assert.match(selfSigned, /200$/)
    }
    await protect()
    assert.match(await curl('https', '/', '--insecure'), /200$/, 'what is not said stays')
  })

  test('says in the words of the server why no certificate is obtained, and changes nothing of the service', async () => {
    const before = await firewall.done('get', 'service', 'app.example.org', '--all')
    const message = await firewall.refused('protect', origin, '--domain', 'app.example.org', '--acme')
    assert.match(message, /certificate/i)
    assert.equal(await firewall.done('get', 'service', 'app.example.org', '--all'), before)
  })

  test('says what keeps an application from answering', async () => {
    const nobody = await freePort()
    const message = await firewall.refused(
      ...['protect', `http://127.0.0.1:${nobody}`, '--domain', 'down.example.org'],
      ...['--listen', `127.0.0.1:${await freePort()}`, '--wait', '14'],
    )
    assert.match(message, /answered with 50\d.*The application is Down: .*ECONNREFUSED/)
    assert.match(message, /run this again when it is mended, or with --remove/)
    const remove = ['protect', `http://127.0.0.1:${nobody}`, '--domain', 'down.example.org', '--remove']
    assert.equal(await firewall.done(...remove), 'down.example.org is removed.')
    assert.equal(await firewall.done(...remove), 'There is no service down.example.org.')
  })

  test('follows a log', async () => {
    const lines = firewall.follow('logs', 'access', '--follow', '--filter', 'url=/followed')
    const line = await eventually('an entry', async () => {
      await curl('https', '/followed', '--insecure')
      return lines.output === '' ? undefined : lines.output
    })
    assert.match(line, /^\d{4}-\S+Z {2}127\.0\.0\.1 {2}GET {2}app\.example\.org:\d+ {2}\/followed {2}200 {2}/)
    await lines.stop()
  })

  test('removes what it has made', async () => {
    await protect('--remove')
    assert.equal(await firewall.done('list', 'services', '--quiet'), '')
    const left = await firewall.done('certificates', 'list', '--quiet')
    assert.doesNotMatch(left, /^$/, 'certificates that were replaced stay')
    await firewall.done('certificates', 'delete', ...left.split('\n'))
  })

  test('refuses a command line that contradicts itself', async () => {
    for (const [words, fault] of [
      [['ftp://127.0.0.1'], /must be the address of an application, such as/],
      [[`${origin}/path`], /leave the path of the application out/],
      [[origin, '--certificate', 'x.pem'], /give --certificate and --key/],
    ] as const) {
      assert.match(await firewall.refused('protect', ...words, '--domain', 'x.example.org'), fault)
    }
  })
})

describe('palisade firewall', () => {
  let server: Server
  let firewall: FirewallCommand
  before(async () => {
    server = await Server.start()
    firewall = firewallCommandOf(server)
  })
  after(() => server.remove())

  test('keeps checkpoints, shows what has changed since, and goes back', async () => {
    await firewall.done('checkpoints', 'create', 'before', '--comment', 'a test')
    await firewall.done('create', 'service', 'shop', 'ip-address=127.0.0.1', 'port=18080')
    assert.equal(await firewall.done('checkpoints', 'diff', 'before'), '+ service shop')
    assert.match(
      await firewall.done('checkpoints', 'rollback', 'before', '--dry-run'),
      /^- service shop\nThis would change/,
    )
    assert.equal(await firewall.done('list', 'services', '--quiet'), 'shop')
    await firewall.done('checkpoints', 'rollback', 'before')
    assert.equal(await firewall.done('list', 'services', '--quiet'), '')
    assert.match(await firewall.done('tasks'), /rollback|checkpoint/)
    assert.match(await firewall.done('checkpoints', 'show', 'before'), /^comment +a test$/m)
    await firewall.done('checkpoints', 'delete', 'before')
    assert.doesNotMatch(await firewall.done('checkpoints', 'list', '--quiet'), /^before$/m)
  })

  test('uploads, makes, shows and downloads certificates', async () => {
    await firewall.done('certificates', 'create', 'own', 'common-name=own.example.org', 'country-code=DE')
    assert.match(await firewall.done('certificates', 'list'), /own .*own\.example\.org/)
    const file = join(newFolder(), 'own.pem')
    await firewall.done('certificates', 'download', 'own', '--to', file)
    const subject = execFileSync('openssl', ['x509', '-in', file, '-noout', '-subject'], { encoding: 'utf8' })
    assert.match(subject, /own\.example\.org/)
    await firewall.done('certificates', 'upload', 'authority', 'trusted-ca', '--certificate', file)
    assert.match(await firewall.done('certificates', 'show', 'authority'), /own\.example\.org/)
    await firewall.done('certificates', 'delete', 'own', 'authority')
    assert.match(await firewall.refused('certificates', 'obtain', 'x', 'x.example.org'), /certificate/i)
  })

  test('writes and restores backups, and makes profiles of a described API', async () => {
    const folder = newFolder()
    const written = JSON.parse(await firewall.done('backups', 'create', '-o', 'json'))
    await firewall.done('create', 'service', 'shop', 'ip-address=127.0.0.1', 'port=18080')
    assert.equal(await firewall.done('backups', 'list', '--quiet'), written.file)
    assert.match(await firewall.done('backups', 'restore', written.file, '--dry-run'), /^- service shop$/m)
    assert.match(await firewall.done('backups', 'key'), /^\S{40,}$/)
    const description = {
      openapi: '3.0.0',
      info: { title: 'orders', version: '1' },
      paths: { '/orders': { get: { responses: { 200: { description: 'All of them.' } } } } },
    }
    const file = join(folder, 'orders.json')
    writeFileSync(file, JSON.stringify(description))
    assert.match(await firewall.done('openapi', 'apply', 'shop', '-f', file), /^\+ url-profile shop\//m)
    assert.deepEqual(Object.values(JSON.parse(await firewall.done('openapi', 'download', 'shop')))[0], {
      name: 'shop',
      service: 'shop',
      applied: 'Yes',
      document: description,
    })
    assert.match(await firewall.done('openapi', 'delete', 'shop'), /^- url-profile shop\//m)
    await firewall.done('backups', 'restore', written.file)
    assert.equal(await firewall.done('list', 'services', '--quiet'), '')
  })

  test('shows rules, figures, lockouts and entries of logs', async () => {
    assert.match(await firewall.done('rules', 'status'), /^release +\S/)
    assert.match(await firewall.done('rules', 'check'), /No update/)
    assert.match(await firewall.refused('rules', 'update'), /update/)
    for (const group of ['attack', 'http', 'response', 'ssl', 'system']) {
      assert.match(await firewall.done('statistics', group), /^\S+ +\d+$/m)
    }
    assert.equal(await firewall.done('lockouts', 'list', '--quiet'), '')
    assert.match(await firewall.done('lockouts', 'release', '--all'), /Lockouts that ended: 0/)
    const [id = ''] = (await firewall.done('logs', 'audit', '--quiet', '--limit', '1')).split('\n')
    assert.match(await firewall.done('logs', 'audit', '--id', id), /^admin +admin$/m)
    assert.match(await firewall.refused('logs', 'audit', '--filter', 'admn=x'), /Did you mean admin\?/)
    assert.match(await firewall.refused('logs', 'audit', '--since', 'soon'), /soon is no time/)
  })

  test('logs in by itself, ends its token, and shows no password', async () => {
    const lines = await firewall.done('logs', 'audit', '--limit', '2')
    assert.match(lines, /Login .*\n?/)
    assert.match(lines, /Logout/)
  })
})
