import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** The openssl program in a directory of its own, which the test's end removes. */
export interface Openssl {
  readonly directory: string
  /** Runs it to its end, which has to be a good one, and gives what it said on both of its outputs. */
  run(...args: readonly string[]): string
  /** The same for what may fail. */
  try(...args: readonly string[]): { readonly status: number | null; readonly text: string }
  read(file: string): Buffer
  /** Gives the file's name. */
  write(file: string, content: string | Uint8Array): string
}

/** The judge of what is made here; undefined, and the test skipped, when it is not installed. */
export function openssl(t: TestContext): Openssl | undefined {
  if (spawnSync('openssl', ['version']).status !== 0) {
    t.skip('openssl is not installed')
    return undefined
  }
  const directory = mkdtempSync(join(tmpdir(), 'palisade-test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const attempt: Openssl['try'] = (...args) => {
    const { status, stdout, stderr } = spawnSync('openssl', args, {
      cwd: directory,
      encoding: 'utf8',
      input: '',
    })
    return { status, text: stdout + stderr }
  }
  return {
    directory,
    try: attempt,
    run(...args) {
      const { status, text } = attempt(...args)
      if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${text}`)
      return text
    },
    read: (file) => readFileSync(join(directory, file)),
    write(file, content) {
      writeFileSync(join(directory, file), content)
      return file
    },
  }
}
