import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Installation, makeTraces, type Traces, useTraces } from './delivery/daily-use.ts'
import { type Packages, pack } from './delivery/packages.ts'
import { neededPrograms, SystemdMachine } from './delivery/systemd-machine.ts'
import { cleanUpApplications, freePort } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned } from './support/programs/server.ts'

/*
 * What users install, used without the repository: a version before is installed and used, upgraded, used again, and removed.
 */

const judges = ['/usr/bin/qemu-img', '/usr/sbin/mke2fs', '/usr/share/modsecurity-crs/rules']

describe('delivery', { timeout: 1_200_000 }, () => {
  const folder = newFolder()
  let older: Packages
  let newer: Packages
  before(() => {
    older = pack(folder, '0.0.9')
    newer = pack(folder, '0.1.0')
  })
  after(async () => {
    await cleanUp()
    cleanUpApplications()
  })

  test('the package of npm is used on any Node, upgraded, and removed', {
    skip: notInstalled(...judges),
  }, async () => {
    const home = newFolder()
    const prefix = join(home, 'prefix')
    const disks = join(home, 'disks')
    mkdirSync(disks)
    const npm = (...parameters: string[]) =>
      execFileSync('npm', ['--global', '--prefix', prefix, '--loglevel=error', '--no-audit', ...parameters], {
        encoding: 'utf8',
      })
    const configuration = await onFreePorts()
    writeFileSync(
      join(home, 'palisade.json'),
      JSON.stringify({ ...configuration, dataDirectory: join(home, 'data') }),
      { mode: 0o600 },
    )
    const installation = {
      ...doorsOf(configuration),
      dataDirectory: join(home, 'data'),
      disks: { outside: disks, inside: disks },
    }
    const keyFile = join(home, 'enrolment.key')
    writeFileSync(keyFile, 'enrol-me', { mode: 0o600 })

    const whileItRuns = async (use: () => Promise<void>) => {
      const command = [join(prefix, 'bin', 'palisade')] as const
      const server = new Program(['serve', '--config', 'palisade.json'], {}, home, command)
      await server.line(/"msg":"carrying traffic"/)
      const agent = new Program(
        [
          ...[
            'agent',
            '--server',
            `${installation.services}/backup`,
            '--account',
            'acme',
            '--computer',
            '0001',
          ],
          ...[
            '--key-file',
            keyFile,
            '--state',
            join(home, 'agent'),
            '--include',
            `${disks}/*`,
            '--restore-to',
            disks,
          ],
        ],
        {},
        home,
        command,
      )
      await agent.line(/"msg":"connected"/)
      await use()
      assert.deepEqual([await agent.stop(), await server.stop()], [0, 0])
    }

    let traces: Traces | undefined
    npm('install', older.npm)
    await whileItRuns(async () => {
      traces = await makeTraces(installation)
      await useTraces(installation, traces)
    })
    npm('install', newer.npm)
    assert.match(npm('ls'), /palisade@0\.1\.0/)
    await whileItRuns(async () => {
      assert.ok(traces)
      await useTraces(installation, traces)
    })
    npm('uninstall', 'palisade')
    assert.deepEqual(
      readdirSync(prefix, { recursive: true }).filter((path) => `${path}`.includes('palisade')),
      [],
    )
  })

  test('Debian approves of its package', { skip: notInstalled('/usr/bin/lintian') }, () => {
    const { status, stdout } = spawnSync('lintian', ['--allow-root', newer.debian], { encoding: 'utf8' })
    assert.deepEqual([status, stdout], [0, ''])
  })

  const skip =
    process.getuid?.() === 0 ? notInstalled(...judges, ...neededPrograms) : 'only root may run a system'
  describe('the package of Debian', { skip }, () => {
    let machine: SystemdMachine
    let installation: Installation
    let traces: Traces
    before(async () => {
      machine = await SystemdMachine.boot()
    })
    after(() => machine?.remove())

    /** Installs a package and waits until the server is ready. */
    async function install(packageFile: string, services: string): Promise<void> {
      execFileSync('cp', [packageFile, machine.outside('/root/palisade.deb')])
      await machine.run('dpkg --force-confold --install /root/palisade.deb')
      await eventually('the server being ready', async () => {
        const reply = await fetch(`${services}/readyz`).catch(() => undefined)
        return reply?.ok ? true : undefined
      })
    }

    test('runs server, proxy and agent as services of systemd', async () => {
      const configuration = await onFreePorts()
      mkdirSync(machine.outside('/etc/palisade'))
      const { firewall, ...rest } = configuration
      const written = {
        dataDirectory: '/var/lib/palisade',
        firewall: { ...firewall, runProxy: false },
        ...rest,
      }
      writeFileSync(machine.outside('/etc/palisade/palisade.yaml'), JSON.stringify(written), { mode: 0o640 })
      await install(older.debian, doorsOf(configuration).services)
      installation = {
        ...doorsOf(configuration),
        dataDirectory: machine.outside('/var/lib/palisade'),
        disks: { outside: machine.outside('/srv'), inside: '/srv' },
      }

      const proxy = {
        server: installation.firewall,
        keyFile: '/run/credentials/palisade-proxy.service/firewall-proxy.key',
        stateDirectory: '/var/lib/palisade-proxy',
      }
      writeFileSync(machine.outside('/etc/palisade/proxy.json'), JSON.stringify(proxy))
      await machine.run(
        'install -m 600 /var/lib/palisade/firewall-proxy.key /etc/palisade && systemctl enable --now palisade-proxy',
      )

      writeFileSync(machine.outside('/root/enrolment.key'), 'enrol-me', { mode: 0o600 })
      const output = await machine.run(
        `palisade agent install --server ${installation.services}/backup --account acme --computer 0001 \
           --key-file /root/enrolment.key --restore-to /srv --options '--include /srv/*'`,
      )
      assert.match(output, /installed, and connected to \S+ as computer 0001 of acme/)
      traces = await makeTraces(installation)
      await useTraces(installation, traces)
    })

    test('is upgraded with what runs, and keeps settings and data', async () => {
      const settings =
        'cat /etc/palisade/palisade.yaml /etc/palisade/proxy.json /etc/palisade/agent.conf; stat -c "%U:%G %a %n" /etc/palisade/*'
      const stored = await machine.run(settings)
      assert.match(stored, /root:palisade 640 \/etc\/palisade\/palisade\.yaml/)
      const processes = 'systemctl show --value --property MainPID palisade palisade-proxy palisade-agent'
      const before = (await machine.run(processes)).split(/\s+/)
      await install(newer.debian, installation.services)
      const now = (await machine.run(processes)).split(/\s+/)
      assert.equal(now.filter((pid) => pid !== '' && !before.includes(pid)).length, 3, now.join(' '))
      assert.match(await machine.run('dpkg-query --show palisade'), /0\.1\.0/)
      assert.equal(await machine.run(settings), stored)
      await machine.run('systemctl is-active palisade palisade-proxy palisade-agent')
      await useTraces(installation, traces)
    })

    test('leaves settings and data when it is removed, and nothing when it is purged', async () => {
      const left = () =>
        machine.run(
          'find / -xdev -iname "*palisade*" ! -path "/proc/*" ! -path "/srv/*" ! -path "/var/log/*" ! -path "/run/*" ! -path /root/palisade.deb -prune | sort',
        )
      await machine.run('dpkg --remove palisade')
      assert.equal(
        (await machine.try('systemctl is-active palisade palisade-proxy palisade-agent')).output.trim(),
        'inactive\ninactive\ninactive',
      )
      const data = (await left())
        .trim()
        .split('\n')
        .filter((path) => !path.startsWith('/var/lib/dpkg/') && !path.startsWith('/var/lib/systemd/'))
      assert.deepEqual(data, [
        '/etc/palisade',
        ...['palisade-agent', 'palisade-proxy', 'palisade'].map(
          (unit) => `/etc/systemd/system/multi-user.target.wants/${unit}.service`,
        ),
        '/var/lib/palisade',
        '/var/lib/palisade-agent',
        '/var/lib/palisade-proxy',
        '/var/lib/private/palisade-proxy',
      ])
      await machine.run('dpkg --purge palisade')
      assert.equal(await left(), '')
    })
  })
})

type Ports = { readonly http: number; readonly https: number }

async function onFreePorts() {
  const ports = async (): Promise<Ports> => ({ http: await freePort(), https: await freePort() })
  return {
    ...provisioned,
    firewall: { ...provisioned.firewall, listen: await ports(), runProxy: true },
    services: { listen: await ports() },
  }
}

/** Addresses of a server by its configuration. */
function doorsOf({ firewall, services }: Awaited<ReturnType<typeof onFreePorts>>) {
  return {
    firewall: `http://127.0.0.1:${firewall.listen.http}`,
    services: `http://127.0.0.1:${services.listen.http}`,
  }
}
