import { HostFailure } from '../failure.ts'
import { runBounded } from '../run-bounded.ts'

const timeoutMs = 60_000

/** libvirt's own client, one command at a time. */
export class Virsh {
  readonly #uri: string
  readonly #program: string

  constructor(uri: string, program: string) {
    this.#uri = uri
    this.#program = program
  }

  /**
   * Runs a command and gives what it prints, without the empty lines at its end.
   *
   * @throws HostFailure with what virsh complained about, as well as that can be told from its words
   */
  async run(parameters: readonly string[], signal?: AbortSignal): Promise<string> {
    const all = ['--quiet', '--connect', this.#uri, ...parameters]
    const { status, stdout, stderr } = await runBounded(this.#program, all, { timeoutMs, signal })
    if (status === 0) return stdout.trimEnd()
    throw complaint(stderr)
  }

  async lines(...parameters: readonly string[]): Promise<readonly string[]> {
    return (await this.run(parameters)).split('\n').filter((line) => line !== '')
  }
}

/** virsh has one exit status for everything, so its messages (of libvirt 9, in English) have to tell. */
const meanings: readonly (readonly [RegExp, (match: RegExpExecArray) => HostFailure['problem']])[] = [
  [
    /authentication (failed|unavailable|cancelled)|access denied|socket .*Permission denied/i,
    () => ({ code: 'access-denied' }),
  ],
  [
    /failed to connect to the hypervisor|[Ff]ailed to connect socket|Cannot recv data/,
    () => ({ code: 'host-unreachable' }),
  ],
  [/failed to get domain '([^']*)'|Domain not found/, ([, id = '']) => ({ code: 'machine-absent', id })],
  [/domain '(.*)' already exists with uuid/, ([, name = '']) => ({ code: 'name-taken', name })],
  [/no network with matching name '(.*)'/, ([, switchId = '']) => ({ code: 'switch-absent', switchId })],
  [/network '(.*)' is not active/, ([, switchId = '']) => ({ code: 'switch-absent', switchId })],
  [
    /Cannot access storage file '(.*?)'|Could not open '(.*?)'/,
    ([, one, other]) => ({ code: 'disk-unusable', path: one ?? other ?? '' }),
  ],
]

function complaint(stderr: string): HostFailure {
  const text = stderr
    .replace(/^error: */gm, '')
    .trim()
    .replaceAll('\n', ': ')
  for (const [pattern, problem] of meanings) {
    const match = pattern.exec(stderr)
    if (match !== null) return new HostFailure(problem(match), `libvirt: ${text}`)
  }
  return new HostFailure({ code: 'host-error' }, `libvirt: ${text}`)
}
