import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { root as repository } from '../support/repository/root.ts'

/** Whoever sets Palisade up. */
export type Account = 'newcomer' | 'root'

/** An ordinary account has this number, for itself and its group. */
const newcomerId = 1000

/** Where the newcomer has a clone of the repository. */
export const clone = '/home/newcomer/palisade'

const release = 'bookworm'

/** Nothing of the system's own is set but where certificates are: registries are asked through whatever this machine is behind. */
const passedOn = ['NODE_EXTRA_CA_CERTS', 'http_proxy', 'https_proxy', 'no_proxy'] as const

/** Programs that make such a machine and run something on it. */
export const neededPrograms = ['/usr/sbin/debootstrap', '/usr/bin/unshare', '/usr/sbin/ip', '/usr/bin/git']

/**
 * The base of a Debian system with Node, npm and a clone of the repository, and nothing else: no package that the tests have brought to
 * this machine is there. Everything of it lies in one folder, in which programs run as if it were the whole system (chroot(2)), with
 * processes of their own, and with a network or with loopback alone.
 */
export class FreshMachine {
  readonly #folder: string
  readonly #running = new Set<ChildProcess>()

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Takes a minute or two. @throws Error where no package can be downloaded */
  static make(): FreshMachine {
    const folder = mkdtempSync(join(process.env.PALISADE_TESTS_SHARE ?? tmpdir(), 'fresh-machine-'))
    // Others than root are to enter it.
    chmodSync(folder, 0o755)
    const machine = new FreshMachine(folder)
    try {
      execFileSync('debootstrap', ['--variant=minbase', release, folder, mirror()], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      execFileSync('chroot', [folder, 'useradd', '--create-home', '--uid', `${newcomerId}`, 'newcomer'])
      machine.#bringSettingsOfTheNetwork()
      machine.#bringNode()
      machine.#bringClone()
      execFileSync('chown', ['-R', `${newcomerId}:${newcomerId}`, join(folder, 'home/newcomer')])
      return machine
    } catch (error) {
      machine.remove()
      throw error
    }
  }

  /** A path of the machine as it is called outside. */
  outside(path: string): string {
    return join(this.#folder, path)
  }

  /**
   * Runs a command in the clone until it ends, or until a line of its output fits: then it is killed, with all that it has started.
   *
   * @param network `loopback` is one of its own, on which all ports are free
   * @returns all that it printed, to both outputs
   * @throws Error with the output when it ends with another status than 0, or without such a line
   */
  async run(
    account: Account,
    network: 'shared' | 'loopback',
    command: readonly string[],
    until?: RegExp,
  ): Promise<string> {
    const child = spawn(
      'setpriv',
      ['--pdeathsig', 'KILL', 'unshare', ...this.#entering(account, network), ...command],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...environmentOf(account) },
      },
    )
    this.#running.add(child)
    const lines: string[] = []
    let hasFit = false
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        if (until === undefined || !until.test(line)) return
        hasFit = true
        child.kill('SIGKILL')
      })
    }
    const [status] = await once(child, 'close')
    this.#running.delete(child)
    if (until === undefined ? status !== 0 : !hasFit) {
      throw new Error(`${command.join(' ')} as ${account} ended with ${status}:\n${lines.join('\n')}`)
    }
    return lines.join('\n')
  }

  /** Ends what runs there, and removes all of it. */
  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  /**
   * Arguments of unshare(1). Mounts and processes of the machine end with its first process, which stays root's shell: what changes its
   * account is no longer told of the end of whoever started it (PR_SET_PDEATHSIG).
   */
  #entering(account: Account, network: 'shared' | 'loopback'): string[] {
    const isApart = network === 'loopback'
    const script = `
      mount -t proc proc "$1/proc"
      ${isApart ? 'ip link set lo up' : ''}
      folder=$1 user=$2; shift 2
      chroot --userspec="$user" "$folder" sh -c 'cd ${clone} && exec "$@"' sh "$@"
      exit`
    const user = account === 'root' ? '0:0' : `${newcomerId}:${newcomerId}`
    return [
      ...['--mount', '--pid', '--fork', '--kill-child', ...(isApart ? ['--net'] : [])],
      ...['sh', '-e', '-c', script, 'sh', this.#folder, user],
      ...['env', '-i', ...Object.entries(environmentOf(account)).map(([name, value]) => `${name}=${value}`)],
    ]
  }

  #bringSettingsOfTheNetwork(): void {
    const certificates = process.env.NODE_EXTRA_CA_CERTS
    const files = ['/etc/resolv.conf', '/etc/hosts', ...(certificates === undefined ? [] : [certificates])]
    for (const file of files) {
      mkdirSync(dirname(this.outside(file)), { recursive: true })
      copyFileSync(file, this.outside(file))
    }
  }

  /** The Node that runs the tests, and the npm of this machine, where an installation of Node has them. */
  #bringNode(): void {
    copyFileSync(process.execPath, this.outside('/usr/local/bin/node'))
    const npm = programOf('npm')
    // …/lib/node_modules/npm/bin/npm-cli.js
    cpSync(dirname(dirname(npm)), this.outside('/usr/local/lib/node_modules/npm'), { recursive: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', this.outside('/usr/local/bin/npm'))
    // What this machine has downloaded: npm checks each package against the lock file, wherever it comes from.
    const cache = join(homedir(), '.npm/_cacache')
    if (existsSync(cache)) cpSync(cache, this.outside('/home/newcomer/.npm/_cacache'), { recursive: true })
  }

  /** What is committed, with the changes of the working tree. */
  #bringClone(): void {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: repository,
      encoding: 'utf8',
    })
    for (const file of listed
      .split('\0')
      .filter((name) => name !== '' && existsSync(join(repository, name)))) {
      const target = this.outside(join(clone, file))
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(repository, file), target)
    }
  }
}

function environmentOf(account: Account): Record<string, string> {
  const network = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(network),
    HOME: account === 'root' ? '/root' : '/home/newcomer',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  }
}

function programOf(name: string): string {
  const folder = (process.env.PATH ?? '').split(delimiter).find((path) => existsSync(join(path, name)))
  if (folder === undefined) throw new Error(`there is no ${name} here`)
  return realpathSync(join(folder, name))
}

/** Where this machine has its Debian packages from: the address of an archive. */
export function mirror(): string {
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))]
  const text = files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const [, address = 'http://deb.debian.org/debian'] =
    /^(?:URIs:|deb (?:\[.*?\] )?) *(\S+\/debian)\/?(?:\s|$)/m.exec(text) ?? []
  return address
}
