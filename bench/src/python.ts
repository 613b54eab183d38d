import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A request as a line of JSON each, and its reply as another; ends with its input. */
const program = `
import json, os, subprocess, sys, tempfile, time

def measure(argv, cwd, environment):
    with tempfile.TemporaryFile() as output:
        begun = time.monotonic()
        process = subprocess.Popen(argv, cwd=cwd, env={**os.environ, **environment},
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, ended, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - begun
        process.returncode = os.WEXITSTATUS(ended) if os.WIFEXITED(ended) else -os.WTERMSIG(ended)
        output.seek(0)
        return {'status': process.returncode, 'wall': wall, 'cpu': used.ru_utime + used.ru_stime,
                'peak': used.ru_maxrss * 1024, 'output': output.read().decode(errors='replace')}

def drop(paths):
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    return {}

for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = {'measure': measure, 'drop': drop}[request.pop('do')](**request)
    except OSError as error:
        reply = {'error': str(error)}
    print(json.dumps(reply), flush=True)
`

/** What Node has no call for. */
export type PythonRequest =
  | {
      /** Runs a program from its start to its end. Replies with `status`, seconds `wall` and `cpu`, bytes `peak`, and `output`. */
      readonly do: 'measure'
      readonly argv: readonly string[]
      readonly cwd: string
      /** Besides the variables of this process. */
      readonly environment: Readonly<Record<string, string>>
    }
  | {
      /** Writes files to the disk and takes them out of the system's cache. */
      readonly do: 'drop'
      readonly paths: readonly string[]
    }

let running: Python | undefined

/**
 * Has Python do something, in one process for all requests of a benchmark, since its start takes longer than most of them. One
 * request at a time.
 *
 * @returns the reply
 * @throws Error when it could not be done
 */
export async function askPython(request: PythonRequest): Promise<Readonly<Record<string, unknown>>> {
  running ??= new Python()
  const reply = await running.ask(request)
  if (reply.error !== undefined)
    throw new Error(`${JSON.stringify(request)} could not be done: ${reply.error}`)
  return reply
}

/** Ends the process of {@link askPython}, when there is one. */
export async function endPython(): Promise<void> {
  await running?.end()
  running = undefined
}

class Python {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: Interface
  readonly #closed: Promise<unknown>

  constructor() {
    this.#child = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: this.#child.stdout })
    this.#closed = once(this.#child, 'close')
    // Whoever waits for a reply is told.
    this.#closed.catch(() => {})
    this.#child.stdin.on('error', () => {})
  }

  async ask(request: PythonRequest): Promise<Readonly<Record<string, unknown>>> {
    const reply = once(this.#lines, 'line')
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    const closed = this.#closed.then(() => {
      throw new Error(`python3 ended before it replied to ${JSON.stringify(request)}`)
    })
    const [line] = await Promise.race([reply, closed])
    return JSON.parse(line)
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    await this.#closed
  }
}
