import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { hasTools, run } from '../../testing/tool.ts'

/**
 * In a mount and a network namespace of its own, so that nothing of this machine's libvirt, if there is one, is touched; the
 * socket is reached from outside through the folder that is mounted over /run.
 */
const startScript = `
mount --make-rprivate /
for pair in etc:/etc/libvirt run:/run lib:/var/lib/libvirt cache:/var/cache/libvirt log:/var/log/libvirt; do
  mount --bind "$1/\${pair%%:*}" "\${pair#*:}"
done
ip link set lo up
exec libvirtd --config /etc/libvirt/libvirtd.conf
`

const qemuConfiguration = `user = "root"
group = "root"
dynamic_ownership = 0
security_driver = "none"
stdio_handler = "file"
namespaces = []
cgroup_controllers = []
`

/** Without addresses on it, it needs neither dnsmasq nor a firewall. */
const network = '<network><name>test</name><bridge name="palisade0"/></network>'

/** A libvirtd that runs as long as the tests of one file. */
export interface PrivateLibvirt {
  readonly uri: string
  readonly switchId: string
  /** Of the daemon, whose mount namespace is its own. */
  readonly pid: number
  stop(): Promise<void>
}

/** Starts one, or skips the test and says why that is not possible here. */
export async function startPrivateLibvirt(t: Pick<TestContext, 'skip'>): Promise<PrivateLibvirt | undefined> {
  if (!hasTools(t, 'libvirtd', 'virsh', 'unshare', 'ip', 'qemu-system-x86_64')) return undefined
  if (spawnSync('unshare', ['-m', '-n', 'true']).status !== 0) {
    t.skip('this user may not make namespaces, in which a libvirtd of its own could run')
    return undefined
  }
  const directory = mkdtempSync(join(tmpdir(), 'palisade-libvirt-'))
  const daemon = start(directory)
  const stop = async () => {
    daemon.kill('SIGTERM')
    await ended(daemon)
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const uri = `qemu:///system?socket=${join(directory, 'run', 'libvirt', 'libvirt-sock')}`
    await answers(uri, daemon)
    const file = join(directory, 'network.xml')
    writeFileSync(file, network)
    for (const command of [
      ['net-define', file],
      ['net-start', 'test'],
    ])
      run('virsh', '-q', '-c', uri, ...command)
    const switchId = run('virsh', '-q', '-c', uri, 'net-uuid', 'test').trim()
    return { uri, switchId, pid: daemon.pid ?? 0, stop }
  } catch (error) {
    const log = readFileSync(join(directory, 'daemon.log'), 'utf8')
    await stop()
    t.skip(
      `libvirtd cannot be used here: ${error instanceof Error ? error.message : error}\n${log.slice(-500)}`,
    )
    return undefined
  }
}

function start(directory: string): ChildProcess {
  for (const name of ['etc', 'run', 'lib', 'cache', 'log']) mkdirSync(join(directory, name))
  cpSync('/etc/libvirt', join(directory, 'etc'), { recursive: true })
  writeFileSync(join(directory, 'etc', 'qemu.conf'), qemuConfiguration)
  writeFileSync(
    join(directory, 'etc', 'libvirtd.conf'),
    'auth_unix_rw = "none"\nunix_sock_rw_perms = "0700"\n',
  )
  const log = join(directory, 'daemon.log')
  const script = `${startScript.trim()} >"$1/daemon.log" 2>&1`
  writeFileSync(log, '')
  return spawn('unshare', ['-m', '-n', 'sh', '-c', script, 'sh', directory], { stdio: 'ignore' })
}

async function answers(uri: string, daemon: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { status, stderr } = spawnSync('virsh', ['-q', '-c', uri, 'version'], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    if (status === 0) return
    if (Date.now() > deadline || daemon.exitCode !== null) throw new Error(stderr)
    await delay(200)
  }
}

async function ended(daemon: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10_000
  while (daemon.exitCode === null && daemon.signalCode === null) {
    if (Date.now() > deadline) daemon.kill('SIGKILL')
    await delay(50)
  }
}
